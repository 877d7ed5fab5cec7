import type { FieldFault } from '../../../src/errors.ts'

interface Told {
  code: string
  detail: string
  status?: number
  errors?: FieldFault[]
}

/** Why something did not happen, in words for the person who wanted it. */
export class Failure extends Error {
  readonly code: string
  readonly status: number
  readonly detail: string
  readonly errors: FieldFault[]

  constructor({ code, detail, status = 0, errors = [] }: Told) {
    super(detail)
    this.code = code
    this.status = status
    this.detail = detail
    this.errors = errors
  }
}

// Trying out a webhook may take the server several times ten seconds.
const PATIENCE = 60_000

interface Sent {
  body?: unknown
  /** Of a creation that may be sent again: it is done once. */
  key?: string | undefined
  signal?: AbortSignal | undefined
}

export async function call<T>(
  method: string,
  path: string,
  { body, key, signal }: Sent = {},
): Promise<T> {
  const response = await send(method, path, { body, key, signal })
  const told: unknown = await response.json().catch(() => null)
  if (response.ok) return told as T
  throw refusal(response, told)
}

export const get = <T>(path: string, signal?: AbortSignal) =>
  call<T>('GET', path, signal ? { signal } : {})
export const post = <T>(path: string, body?: unknown, key?: string) =>
  call<T>('POST', path, { body, key })
export const patch = <T>(path: string, body: unknown) => call<T>('PATCH', path, { body })
export const remove = <T>(path: string) => call<T>('DELETE', path)

/** An answer that comes line by line, each as soon as it is there. */
export async function* lines<T>(method: string, path: string): AsyncGenerator<T> {
  const response = await send(method, path, {})
  if (!response.ok) throw refusal(response, await response.json().catch(() => null))
  const text = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await text.read().catch(() => ({ done: true, value: undefined }))
    const whole = (rest + (value ?? '')).split('\n')
    rest = whole.pop() ?? ''
    for (const line of whole) yield JSON.parse(line) as T
    if (done) return
  }
}

async function send(method: string, path: string, { body, key, signal }: Sent) {
  const limit = AbortSignal.timeout(PATIENCE)
  try {
    return await fetch(`/app/api${path}`, {
      method,
      headers: {
        'x-lastro-console': '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Failure(
      limit.aborted
        ? { code: 'timeout', detail: 'O servidor demorou demais para responder. Tente de novo.' }
        : {
            code: 'offline',
            detail: 'Sem conexão com o servidor. Confira a sua internet e tente de novo.',
          },
    )
  }
}

function refusal(response: Response, told: unknown): Failure {
  const { status } = response
  const { code, detail, errors } = (told ?? {}) as Partial<Told>
  if (!code || !detail) {
    return new Failure({
      status,
      code: 'unknown',
      detail: `O servidor não respondeu como deveria (${status}). Tente de novo em instantes.`,
    })
  }
  const wait = Number(response.headers.get('retry-after'))
  const untold = status === 429 && wait > 0 && !detail.includes('Tente')
  const advice = untold ? ` Tente de novo em ${duration(wait)}.` : ''
  return new Failure({ status, code, detail: detail + advice, ...(errors ? { errors } : {}) })
}

function duration(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}

import { isIP } from 'node:net'
import { buildConnector, errors, Pool } from 'undici'
import { type AddressGuard, AddressRefused } from './address-guard.ts'

/** How an attempt can fail without an answer. */
type FailureClass = 'timeout' | 'dns' | 'tls' | 'connection' | 'address-refused'

export interface Outcome {
  status: number | null
  error: FailureClass | null
  /** The first 4 KiB of the answer. */
  response: string | null
  /** The address that was dialled. */
  address: string | null
}

interface Message {
  url: string
  headers: Record<string, string>
  body: string
}

/** For the whole attempt, the name's look-up and the answer's body included. */
const TIMEOUT_MS = 10_000
/** More of an answer is not read; of what is read, so much is kept. */
const READ_BYTES = 64 * 1024
const KEEP_BYTES = 4 * 1024
/** Connections to a receiver that gets nothing for so long are closed. */
const IDLE_MS = 30_000

/** Sends a message to an address that the guard has just allowed: the one that was checked is dialled. */
export class Sender {
  readonly #guard: AddressGuard
  readonly #timeoutMs: number
  readonly #pools = new Map<string, { pool: Pool; used: number }>()
  readonly #connect = buildConnector({ timeout: TIMEOUT_MS, allowH2: false })

  constructor(guard: AddressGuard, timeoutMs = TIMEOUT_MS) {
    this.#guard = guard
    this.#timeoutMs = timeoutMs
  }

  /** Never throws but where `stopped` says that the attempt is not to be counted. */
  async send(message: Message, stopped: AbortSignal): Promise<Outcome> {
    const outcome: Outcome = { status: null, error: null, response: null, address: null }
    const attempt = new AbortController()
    let late = false
    const timer = setTimeout(() => {
      late = true
      attempt.abort()
    }, this.#timeoutMs)
    const stop = () => attempt.abort()
    stopped.addEventListener('abort', stop)
    try {
      const url = new URL(message.url)
      const addresses = await unlessAborted(this.#guard.addressesOf(url), attempt.signal)
      return await this.#postToFirst(addresses, url, message, attempt.signal, outcome)
    } catch (error) {
      stopped.throwIfAborted()
      return { ...outcome, error: late ? 'timeout' : classify(error) }
    } finally {
      clearTimeout(timer)
      stopped.removeEventListener('abort', stop)
    }
  }

  /** The next address of the name is tried where one takes no connection. */
  async #postToFirst(
    addresses: string[],
    url: URL,
    message: Message,
    signal: AbortSignal,
    outcome: Outcome,
  ): Promise<Outcome> {
    for (const address of addresses) {
      outcome.address = address
      try {
        // undici itself heeds the signal only once it is connected.
        const answer = unlessAborted(this.#post(url, address, message, signal), signal)
        return { ...outcome, ...(await answer) }
      } catch (error) {
        if (address === addresses.at(-1) || !neverConnected(error)) throw error
      }
    }
    throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map(({ pool }) => pool.destroy()))
  }

  async #post(url: URL, address: string, { headers, body }: Message, signal: AbortSignal) {
    const response = await this.#poolFor(url, address).request({
      method: 'POST',
      path: url.pathname + url.search,
      headers,
      body,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    return { status: response.statusCode, response: await readStart(response.body) }
  }

  #poolFor(url: URL, address: string): Pool {
    const now = performance.now()
    const name = `${url.origin} ${address}`
    const known = this.#pools.get(name)
    if (known) {
      known.used = now
      return known.pool
    }
    this.#closeIdle(now)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // As many connections as attempts: one receiver that hangs must not hold up others of its host.
    const pool = new Pool(url.origin, {
      connections: null,
      connect: (options, callback) =>
        this.#connect(
          { ...options, hostname: address, ...(isIP(host) ? {} : { servername: host }) },
          callback,
        ),
    })
    this.#pools.set(name, { pool, used: now })
    return pool
  }

  #closeIdle(now: number): void {
    for (const [name, { pool, used }] of this.#pools) {
      if (now - used < IDLE_MS) continue
      this.#pools.delete(name)
      // What is under way on it is finished first.
      pool.close().catch(() => {})
    }
  }
}

async function readStart(body: AsyncIterable<Buffer> & { destroy(): void }): Promise<string> {
  const kept: Buffer[] = []
  let read = 0
  for await (const chunk of body) {
    if (read < KEEP_BYTES) kept.push(chunk.subarray(0, KEEP_BYTES - read))
    read += chunk.length
    if (read >= READ_BYTES) break
  }
  // PostgreSQL keeps no U+0000.
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '\uFFFD').toWellFormed()
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}

function neverConnected(error: unknown): boolean {
  const { code } = error as { code?: string }
  return /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(code ?? '')
}

/** What Node and OpenSSL call faults of a handshake or a certificate. */
const TLS_CODES =
  /CERT|SSL|TLS|EPROTO|UNABLE_TO|SELF_SIGNED|INVALID_(PURPOSE|CA)|PATH_LENGTH|HOSTNAME/

function classify(error: unknown): FailureClass {
  if (error instanceof AddressRefused) return 'address-refused'
  if (error instanceof errors.ConnectTimeoutError) return 'timeout'
  const { code = '', syscall = '', name = '' } = error as Record<string, string | undefined>
  if (
    /^(query|getaddrinfo)/i.test(syscall) ||
    /^(ENOTFOUND|ENODATA|ESERVFAIL|ETIMEOUT|EAI_)/.test(code)
  ) {
    return 'dns'
  }
  if (TLS_CODES.test(`${code} ${name}`)) return 'tls'
  return 'connection'
}

import type { X509Certificate } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { isIP, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { buildConnector, errors, Pool } from 'undici'
import { type AddressGuard, AddressRefused } from './address-guard.ts'

/** How an attempt can fail without an answer. */
type FailureClass = 'timeout' | 'dns' | 'tls' | 'connection' | 'address-refused'

export interface Outcome {
  status: number | null
  error: FailureClass | null
  /** The start of the answer: the 4 KiB that are shown, and so much more that a secret in it is whole. */
  response: string | null
  /** The address that was dialled. */
  address: string | null
  timings: Timings
  /** At most 4 KiB of them, as JSON. */
  responseHeaders: [name: string, value: string][] | null
  /**
   * What the diagnosis needs to know of an error: its code, and of a certificate what is wrong with it; of a
   * timeout the step that was not finished; of a refused address the reason.
   */
  errorDetail: string | null
}

/**
 * Whole milliseconds of each step that was finished. A connection that was open already has no connect and
 * no tls, an address that needs no look-up no dns.
 */
interface Timings {
  dns: number | null
  connect: number | null
  tls: number | null
  /** From the request's being sent to the head of the answer. */
  firstByte: number | null
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
const BODY_BYTES = KEEP_BYTES + 512
/** Of a certificate of other names, so many are told. */
const SHOWN_NAMES = 5
/** Connections to a receiver that gets nothing for so long are closed. */
const IDLE_MS = 30_000

/** Sends a message to an address that the guard has just allowed: the one that was checked is dialled. */
export class Sender {
  readonly #guard: AddressGuard
  readonly #timeoutMs: number
  readonly #pools = new Map<string, { pool: Pool; used: number }>()
  readonly #underWay = new Set<Attempt>()
  // It returns the socket, which its type does not say.
  readonly #connect = buildConnector({ timeout: TIMEOUT_MS, allowH2: false }) as (
    ...args: Parameters<buildConnector.connector>
  ) => Socket
  /** The attempt that is being handed to undici: if that makes it connect, it does so before it returns. */
  #dialling: Attempt | undefined

  constructor(guard: AddressGuard, timeoutMs = TIMEOUT_MS) {
    this.#guard = guard
    this.#timeoutMs = timeoutMs
  }

  /** Never throws but where it is stopped meanwhile: then the attempt is not to be counted. */
  async send(message: Message): Promise<Outcome> {
    const attempt = new Attempt()
    const outcome: Outcome = {
      ...{ status: null, error: null, response: null, address: null },
      ...{ timings: attempt.timings, responseHeaders: null, errorDetail: null },
    }
    let late = false
    const timer = setTimeout(() => {
      late = true
      attempt.abort()
    }, this.#timeoutMs)
    this.#underWay.add(attempt)
    try {
      const url = new URL(message.url)
      const addresses = await attempt.unlessAborted(this.#guard.addressesOf(url))
      if (!isIP(hostOf(url))) attempt.finish('dns', 'firstByte')
      return await this.#postToFirst(addresses, url, message, outcome, attempt)
    } catch (error) {
      if (attempt.brokenOff && !late) throw error
      const failure = late ? 'timeout' : classify(error)
      const errorDetail = failure === 'timeout' ? attempt.step : detailOf(error, attempt)
      return { ...outcome, error: failure, errorDetail }
    } finally {
      clearTimeout(timer)
      this.#underWay.delete(attempt)
    }
  }

  /** Breaks off every attempt that is under way. */
  stop(): void {
    for (const attempt of this.#underWay) attempt.abort()
  }

  /** The next address of the name is tried where one takes no connection. */
  async #postToFirst(
    addresses: string[],
    url: URL,
    message: Message,
    outcome: Outcome,
    attempt: Attempt,
  ): Promise<Outcome> {
    for (const address of addresses) {
      outcome.address = address
      try {
        // undici itself heeds the signal only once it is connected.
        const answer = await attempt.unlessAborted(this.#post(url, address, message, attempt))
        return { ...outcome, ...answer }
      } catch (error) {
        if (address === addresses.at(-1) || !neverConnected(error)) throw error
      }
    }
    throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map(({ pool }) => pool.destroy()))
  }

  async #post(url: URL, address: string, { headers, body }: Message, attempt: Attempt) {
    const pool = this.#poolFor(url, address)
    attempt.begin('firstByte')
    this.#dialling = attempt
    const answer = pool.request({
      method: 'POST',
      path: url.pathname + url.search,
      headers,
      body,
      signal: attempt,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    this.#dialling = undefined
    const response = await answer
    attempt.finish('firstByte', 'body')
    return {
      status: response.statusCode,
      responseHeaders: keptHeaders(response.headers),
      response: await readStart(response.body),
    }
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
    const host = hostOf(url)
    // As many connections as attempts: one receiver that hangs must not hold up others of its host. Where
    // HTTP/2 may be spoken undici makes all wait for the first connection.
    const pool = new Pool(url.origin, {
      connections: null,
      allowH2: false,
      connect: (options, callback) => {
        const socket = this.#connect(
          { ...options, hostname: address, ...(isIP(host) ? {} : { servername: host }) },
          callback,
        )
        this.#dialling?.follow(socket, url.protocol === 'https:')
      },
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

type Step = keyof Timings | 'body'

/**
 * How far an attempt has come: the step it is at, and how long those before it took. To undici it is what
 * says that the attempt is over: an AbortController for each would cost as much as signing.
 */
class Attempt extends EventEmitter<{ abort: [] }> {
  brokenOff = false
  readonly timings: Timings = { dns: null, connect: null, tls: null, firstByte: null }
  step: Step = 'dns'
  certificate: X509Certificate | undefined
  #since = performance.now()
  #reject: (reason: Error) => void = () => {}

  abort(): void {
    this.brokenOff = true
    this.#reject(new errors.RequestAbortedError())
    this.emit('abort')
  }

  unlessAborted<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.brokenOff) reject(new errors.RequestAbortedError())
      this.#reject = reject
      promise.then(resolve, reject)
    })
  }

  begin(step: Step): void {
    this.step = step
    this.#since = performance.now()
  }

  finish(step: keyof Timings, next: Step): void {
    this.timings[step] = Math.round(performance.now() - this.#since)
    this.begin(next)
  }

  follow(socket: Socket, secure: boolean): void {
    this.begin('connect')
    socket.once('connect', () => this.finish('connect', secure ? 'tls' : 'firstByte'))
    if (!secure) return
    socket.once('secureConnect', () => this.finish('tls', 'firstByte'))
    // Before it is judged: a socket whose certificate was refused no longer has it.
    socket.prependOnceListener('secure', () => {
      this.certificate = (socket as TLSSocket).getPeerX509Certificate()
    })
  }
}

/** Without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

async function readStart(body: AsyncIterable<Buffer> & { destroy(): void }): Promise<string> {
  const kept: Buffer[] = []
  let read = 0
  for await (const chunk of body) {
    if (read < BODY_BYTES) kept.push(chunk.subarray(0, BODY_BYTES - read))
    read += chunk.length
    if (read >= READ_BYTES) break
  }
  // PostgreSQL keeps no U+0000.
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '\uFFFD').toWellFormed()
}

/** Where they are too long the longest are left out; where it redirects to says more than any other. */
function keptHeaders(headers: Record<string, string | string[] | undefined>): [string, string][] {
  const all = Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
  if (jsonBytes(all) <= KEEP_BYTES) return all
  const weight = ([name, value]: [string, string]) =>
    name === 'location' ? 0 : name.length + value.length
  const kept: [string, string][] = []
  let room = KEEP_BYTES - 1
  for (const header of all.sort((a, b) => weight(a) - weight(b))) {
    const size = jsonBytes(header) + 1
    if (size > room) continue
    room -= size
    kept.push(header)
  }
  return kept
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
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

function detailOf(error: unknown, { certificate }: Attempt): string | null {
  if (error instanceof AddressRefused) return error.reason
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return null
  return certificate ? [code, ...faultsOf(certificate, code)].join(' ') : code
}

/** Of a chain it may be another certificate that has expired, or is not valid yet. */
function faultsOf(certificate: X509Certificate, code: string): string[] {
  const { validFromDate: from, validToDate: to } = certificate
  const now = Date.now()
  if (code === 'CERT_HAS_EXPIRED' && +to < now) return [`valid_to=${to.toISOString()}`]
  if (code === 'CERT_NOT_YET_VALID' && +from > now) return [`valid_from=${from.toISOString()}`]
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return [`names=${namesOf(certificate).join()}`]
  return []
}

/** The first few: a certificate may have hundreds. Names that are none are nobody's to show. */
function namesOf({ subjectAltName, subject }: X509Certificate): string[] {
  // Either may be missing, whatever its type says.
  const names = subjectAltName
    ? subjectAltName.matchAll(/(?<=^|, )(?:DNS|IP Address):([\w.*:-]{1,253})(?=,|$)/g)
    : (subject ?? '').matchAll(/^CN=([\w.*-]{1,253})$/gm)
  return [...names].map((match) => match[1]!).slice(0, SHOWN_NAMES)
}

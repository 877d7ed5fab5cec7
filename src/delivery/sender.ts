import { isIP, type Socket } from 'node:net'
import { buildConnector, Pool } from 'undici'
import type { AddressGuard } from './address-guard.ts'
import { type Answer, AnswerReader } from './answer.ts'
import { Attempt, type Timings } from './attempt.ts'
import { classify, detailOf, type FailureClass } from './failure.ts'

export interface Outcome {
  status: number | null
  error: FailureClass | null
  response: Answer['response'] | null
  /** The address that was dialled. */
  address: string | null
  timings: Timings
  responseHeaders: Answer['responseHeaders'] | null
  /**
   * What the diagnosis needs to know of an error: its code, and of a certificate what is wrong with it; of a
   * timeout the step that was not finished; of a refused address the reason.
   */
  errorDetail: string | null
}

interface Message {
  url: string
  headers: Record<string, string>
  body: string
}

/** For the whole attempt, the name's look-up and the answer's body included. */
const TIMEOUT_MS = 10_000
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

  #post(url: URL, address: string, { headers, body }: Message, attempt: Attempt): Promise<Answer> {
    const pool = this.#poolFor(url, address)
    attempt.begin('firstByte')
    this.#dialling = attempt
    const path = url.pathname + url.search
    const request = {
      method: 'POST',
      path,
      headers,
      body,
      headersTimeout: 0,
      bodyTimeout: 0,
    } as const
    const answer = new Promise<Answer>((resolve, reject) => {
      pool.dispatch(request, new AnswerReader(attempt, resolve, reject))
    })
    this.#dialling = undefined
    return answer
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

/** Without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function neverConnected(error: unknown): boolean {
  const { code } = error as { code?: string }
  return /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(code ?? '')
}

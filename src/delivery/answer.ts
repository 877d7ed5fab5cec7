import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, errors } from 'undici'
import type { Attempt } from './attempt.ts'

/** More of an answer is not read; of what is read, so much is kept. */
const READ_BYTES = 64 * 1024
const KEEP_BYTES = 4 * 1024
const BODY_BYTES = KEEP_BYTES + 512

/** What a receiver has answered. */
export interface Answer {
  status: number
  /** The start of it: the 4 KiB that are shown, and so much more that a secret in it is whole. */
  response: string
  /** At most 4 KiB of them, as JSON. */
  responseHeaders: [name: string, value: string][]
}

/** Reads as much of an answer as counts, without a stream in between: most are a few bytes. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #attempt: Attempt
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (error: Error) => void
  readonly #kept: Buffer[] = []
  #read = 0
  #head: Pick<Answer, 'status' | 'responseHeaders'> | undefined

  constructor(attempt: Attempt, resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#attempt = attempt
    this.#resolve = resolve
    this.#reject = reject
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#attempt.connected(controller)
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    // That the answer is still to come.
    if (status < 200) return
    this.#attempt.finish('firstByte', 'body')
    this.#head = { status, responseHeaders: keptHeaders(headers) }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#read < BODY_BYTES) this.#kept.push(chunk.subarray(0, BODY_BYTES - this.#read))
    this.#read += chunk.length
    if (this.#read < READ_BYTES) return
    this.onResponseEnd()
    controller.abort(new errors.RequestAbortedError())
  }

  onResponseEnd(): void {
    // PostgreSQL keeps no U+0000.
    const text = Buffer.concat(this.#kept).toString('utf8').replaceAll('\0', '\uFFFD')
    this.#resolve({ ...this.#head!, response: text.toWellFormed() })
  }

  onResponseError(_: unknown, error: Error): void {
    this.#reject(error)
  }
}

/** Where they are too long the longest are left out; where it redirects to says more than any other. */
function keptHeaders(headers: Record<string, string | string[] | undefined>): [string, string][] {
  const all = Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
  // Each character takes at most six bytes, and few answers come near.
  const length = all.reduce((sum, [name, value]) => sum + name.length + value.length + 6, 0)
  if (length * 6 <= KEEP_BYTES || jsonBytes(all) <= KEEP_BYTES) return all
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

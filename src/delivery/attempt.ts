import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type Dispatcher, errors } from 'undici'

/**
 * Whole milliseconds of each step that was finished. A connection that was open already has no connect and
 * no tls, an address that needs no look-up no dns.
 */
export interface Timings {
  dns: number | null
  connect: number | null
  tls: number | null
  /** From the request's being sent to the head of the answer. */
  firstByte: number | null
}

type Step = keyof Timings | 'body'

/** How far an attempt has come: the step it is at, and how long those before it took. */
export class Attempt {
  brokenOff = false
  readonly timings: Timings = { dns: null, connect: null, tls: null, firstByte: null }
  step: Step = 'dns'
  certificate: X509Certificate | undefined
  #since = performance.now()
  #reject: (reason: Error) => void = () => {}
  #controller: Dispatcher.DispatchController | undefined

  abort(): void {
    this.brokenOff = true
    this.#reject(new errors.RequestAbortedError())
    this.#controller?.abort(new errors.RequestAbortedError())
  }

  /** It has a connection: from now on that is what is broken off. */
  connected(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.brokenOff) this.abort()
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

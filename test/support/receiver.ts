import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface Received {
  headers: IncomingMessage['headers']
  /** The bytes as they came, as text. */
  raw: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail where it is not.
  body: any
}

type Answer = (response: ServerResponse, received: Received) => void

export interface Receiver {
  url: string
  received: Received[]
  /** What is answered to each delivery; 200 unless told otherwise. */
  answer: Answer
  /** Waits until so many have come. */
  until(count: number): Promise<Received[]>
}

interface Options {
  /** Serves TLS with this certificate. */
  tls?: { key: string; cert: string }
  answer?: Answer
}

/** What an integrator would run: a plain HTTP server that keeps what it is sent. */
export async function startReceiver({ tls, answer }: Options = {}): Promise<Receiver> {
  const waiting: { count: number; resolve: (all: Received[]) => void }[] = []
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: answer ?? ((response) => response.end('ok')),
    until: (count) =>
      receiver.received.length >= count
        ? Promise.resolve(receiver.received)
        : new Promise((resolve) => waiting.push({ count, resolve })),
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let raw = ''
    for await (const chunk of request) raw += chunk
    const received = { headers: request.headers, raw, body: JSON.parse(raw) }
    receiver.received.push(received)
    for (const { count, resolve } of waiting) {
      if (receiver.received.length >= count) resolve(receiver.received)
    }
    receiver.answer(response, received)
  }
  const server = tls ? createTlsServer(tls, handle) : createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  receiver.url = tls ? `https://localhost:${port}/hook` : `http://127.0.0.1:${port}/hook`
  return receiver
}

/** The check that the specification asks of a receiver: signature, and age below 300 seconds. */
export function isGenuine({ headers, raw }: Received, secret: string, now: number): boolean {
  const timestamp = headers['x-svc-timestamp'] as string
  const expected = `sha256=${createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('hex')}`
  const sent = Buffer.from(headers['x-svc-signature'] as string)
  const same = sent.length === expected.length && timingSafeEqual(sent, Buffer.from(expected))
  return same && Math.abs(now / 1000 - Number(timestamp)) < 300
}

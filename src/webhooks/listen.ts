import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Clock } from '../clock.ts'
import { OperatorError } from '../errors.ts'
import { type Genuine, type Refusal, refuse, verifyDelivery } from './verify.ts'

/** What came, and when. */
export type Arrival = { at: string } & ((Genuine & { repeated: boolean }) | Refusal)

interface ListenOptions {
  host: string
  port: number
  secret: string
  clock: Clock
  onArrival: (arrival: Arrival) => void
}

const MAX_BYTES = 1024 * 1024

/** A receiver as an integrator would write it: it checks each delivery, and answers 200 or what is wrong. */
export async function listen(options: ListenOptions): Promise<Server> {
  const { host, port, secret, clock, onArrival } = options
  const seen = new Set<string>()
  const receive = async (request: IncomingMessage): Promise<Arrival> => {
    const verdict = await judge(request, secret, clock)
    const at = new Date(clock()).toISOString()
    if (!verdict.ok) return { at, ...verdict }
    const repeated = seen.has(verdict.id)
    seen.add(verdict.id)
    return { at, ...verdict, repeated }
  }
  const server = createServer((request, response) => {
    const answer = (arrival: Arrival) => {
      onArrival(arrival)
      const { status, text } = arrival.ok
        ? { status: 200, text: 'ok' }
        : { status: arrival.status, text: arrival.problem }
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
    }
    // It fails only where the sender left before the end: then nobody waits for an answer.
    receive(request).then(answer, () => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, host, port)))
    server.listen(port, host, resolve)
  })
  return server
}

async function judge(request: IncomingMessage, secret: string, clock: Clock) {
  const body = await readBody(request)
  if (request.method !== 'POST') return refuse(405, 'A delivery is sent with POST.')
  if (!body) return refuse(413, 'The body is larger than 1 MiB.')
  return verifyDelivery({ secret, headers: request.headers, body, now: clock() })
}

/** Undefined where it is too large; it is read to its end all the same, so that the answer is heard. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= MAX_BYTES) chunks.push(chunk)
  }
  return size <= MAX_BYTES ? Buffer.concat(chunks) : undefined
}

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number) {
  return new OperatorError(
    code === 'EADDRINUSE'
      ? `Port ${port} is taken; stop what uses it or choose another with --port.`
      : `Cannot listen on ${host}:${port}: ${message}.`,
  )
}

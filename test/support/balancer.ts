import { Agent, createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface Balancer {
  url: string
  /** Where calls go, one after the other; a test may set it. */
  targets: string[]
}

/** Gives each call to the next target. It repeats none: who loses theirs in the middle sees the connection break. */
export async function startBalancer(targets: string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const balancer = { url: '', targets }
  let next = 0
  const server = createServer((incoming, outgoing) => {
    const target = balancer.targets[next++ % balancer.targets.length]!
    const { method, headers, url } = incoming
    const call = forward(target + url, { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.on('error', () => outgoing.destroy())
      answer.pipe(outgoing)
    })
    call.on('error', () => outgoing.destroy())
    incoming.pipe(call)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    agent.destroy()
    server.close()
    server.closeAllConnections()
  })
  balancer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return balancer
}

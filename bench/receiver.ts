// Receives deliveries in a process of its own. /hang/… never answers. GET tells how many came, and how long
// each took from its entry's creation, in milliseconds; DELETE forgets them.
import { createServer } from 'node:http'

let latencies: number[] = []

createServer((request, response) => {
  if (request.method === 'GET') return response.end(JSON.stringify(latencies))
  if (request.method === 'DELETE') {
    latencies = []
    return response.end()
  }
  const arrived = Date.now()
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    if (request.url?.startsWith('/hang/')) return
    const { data } = JSON.parse(Buffer.concat(chunks).toString())
    latencies.push(arrived - Date.parse(data.lancamento.criado_em))
    response.end('ok')
  })
}).listen(Number(process.env.PORT), '127.0.0.1')

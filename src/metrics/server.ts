import { createServer, type Server, type ServerResponse } from 'node:http'
import type pg from 'pg'
import type { Database } from '../db/database.ts'
import { OperatorError } from '../errors.ts'
import { Backlog, type Figures } from './backlog.ts'
import type { Metrics } from './metrics.ts'
import { EventLoopDelay, processMetrics } from './process.ts'
import { CONTENT_TYPE, exposition, Gauge, type Metric } from './registry.ts'

interface Options {
  host: string
  port: number
  metrics: Metrics
  pool: pg.Pool
  db: Database
}

/**
 * Answers `GET /metrics` on a port of its own: who can reach it may read it. Returns how it is stopped.
 */
export async function serveMetrics({ host, port, metrics, pool, db }: Options) {
  const backlog = new Backlog(db)
  const eventLoop = new EventLoopDelay()
  const counted = [metrics.requests, metrics.latency, metrics.attempts]
  const here = [...counted, ...poolMetrics(pool), ...processMetrics(eventLoop)]
  const scrape = async (response: ServerResponse) => {
    const figures = await backlog.read()
    response.setHeader('content-type', CONTENT_TYPE)
    response.end(exposition([...here, ...backlogMetrics(figures)]))
    eventLoop.reset()
  }
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/metrics') void scrape(response)
    else response.writeHead(404).end()
  })
  const stop = async () => {
    eventLoop.stop()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await listen(server, host, port)
  return stop
}

function poolMetrics(pool: pg.Pool): Metric[] {
  return [
    new Gauge('lastro_pool_connections', 'Connections to PostgreSQL.', () => pool.totalCount),
    new Gauge('lastro_pool_idle_connections', 'Those that nobody uses.', () => pool.idleCount),
    new Gauge('lastro_pool_waiting', 'Who waits for a connection.', () => pool.waitingCount),
  ]
}

function backlogMetrics(figures: Figures | undefined): Metric[] {
  return [
    new Gauge('lastro_database_up', 'Whether PostgreSQL answers.', () => (figures ? 1 : 0)),
    new Gauge('lastro_webhook_pending', 'Deliveries that are neither delivered nor dead.', () =>
      figures ? Number(figures.pending) : undefined,
    ),
    new Gauge(
      'lastro_webhook_oldest_due_seconds',
      'For how long the oldest delivery of an active subscription has been due; 0 where none is.',
      () => figures?.oldest_due,
    ),
    new Gauge(
      'lastro_cobranca_oldest_issuing_seconds',
      'For how long the oldest charge has been emitindo; 0 where none is.',
      () => figures?.oldest_issuing,
    ),
  ]
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is taken; stop what uses it or set METRICS_PORT to another.`
      const other = `Metrics cannot be served on ${host}:${port}: ${message}.`
      reject(new OperatorError(code === 'EADDRINUSE' ? taken : other))
    })
    server.listen(port, host, resolve)
  })
}

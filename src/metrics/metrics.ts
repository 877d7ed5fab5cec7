import type { FastifyInstance } from 'fastify'
import { Counter, Histogram } from './registry.ts'

/** Most answers take a few milliseconds; the last bounds are where callers give up. */
const SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const NONE = 'none'
const FAILURES = [
  ...['timeout', 'dns', 'tls', 'connection', 'address-refused'],
  ...['http-4xx', 'http-5xx'],
]

/** What came of an attempt to deliver a webhook. */
interface Attempt {
  state: 'pending' | 'delivered' | 'dead'
  status: number | null
  error: string | null
}

/**
 * What is counted as it happens. No label holds anything that a caller or a receiver may choose, and none
 * names a company.
 */
export class Metrics {
  readonly requests = new Counter(
    'lastro_http_requests_total',
    'Requests answered, by method, route and status.',
    ['method', 'route', 'status'],
  )
  readonly latency = new Histogram(
    'lastro_http_request_duration_seconds',
    'Time from the arrival of a request to the end of its answer.',
    ['method', 'route'],
    SECONDS,
  )
  readonly attempts = new Counter(
    'lastro_webhook_attempts_total',
    'Attempts to deliver a webhook: delivered, failed (and tried again), dead (the last one failed).',
    ['outcome', 'error'],
  )

  constructor() {
    // What has never happened is zero: whoever watches for the first time sees it as an increase.
    this.attempts.add(['delivered', NONE], 0)
    for (const error of FAILURES) {
      for (const outcome of ['failed', 'dead']) this.attempts.add([outcome, error], 0)
    }
  }

  countAttempt({ state, status, error }: Attempt): void {
    const answered = (status ?? 0) < 500 ? 'http-4xx' : 'http-5xx'
    const failure = state === 'delivered' ? NONE : (error ?? answered)
    this.attempts.add([state === 'pending' ? 'failed' : state, failure])
  }

  /** To be called before the routes are added. */
  countRequests(app: FastifyInstance): void {
    app.addHook('onResponse', (request, reply, done) => {
      const { method, is404, routeOptions } = request
      // Whatever is asked for that does not exist is one route.
      const route = is404 ? 'unknown' : (routeOptions.url ?? 'unknown')
      this.requests.add([method, route, String(reply.statusCode)])
      this.latency.observe([method, route], reply.elapsedTime / 1_000)
      done()
    })
  }
}

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, type Metric } from './registry.ts'

const RESOLUTION_MS = 20

/** The names under which Node's own figures are known everywhere. */
export function processMetrics(eventLoop: EventLoopDelay): Metric[] {
  const delays = Object.entries({ p50: 50, p99: 99, max: 100 }).map(
    ([name, percentile]) =>
      new Gauge(
        `nodejs_eventloop_lag_${name}_seconds`,
        'Delay of the event loop since the last scrape.',
        () => eventLoop.percentile(percentile),
      ),
  )
  const memory = process.memoryUsage
  return [
    ...delays,
    new Gauge('process_resident_memory_bytes', 'Resident memory.', () => memory.rss()),
    new Gauge('nodejs_heap_size_total_bytes', 'The heap.', () => memory().heapTotal),
    new Gauge('nodejs_heap_size_used_bytes', 'The heap in use.', () => memory().heapUsed),
    new Gauge('nodejs_external_memory_bytes', 'Outside the heap.', () => memory().external),
  ]
}

/** How late a timer comes that should fire every moment. */
export class EventLoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

  constructor() {
    this.#histogram.enable()
  }

  /** Seconds. Node counts the interval itself as delay. */
  percentile(percentile: number): number {
    return Math.max(0, this.#histogram.percentile(percentile) / 1e6 - RESOLUTION_MS) / 1e3
  }

  reset(): void {
    this.#histogram.reset()
  }

  stop(): void {
    this.#histogram.disable()
  }
}

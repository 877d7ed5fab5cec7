/** How often something was counted in its window, and when the window ends. */
export interface Count {
  count: number
  secondsLeft: number
}

/** Counts calls of a company's key in windows of a minute that begin with the first call. */
export interface RateCounter {
  hit(key: string, tenantId: string): Count | Promise<Count>
}

const WINDOW_MS = 60_000
const SWEEP_AT = 10_000

/** For one process, and for anything: it forgets when that ends, and knows nothing of others. */
export class MemoryRateCounter implements RateCounter {
  readonly #windows = new Map<string, { count: number; end: number }>()
  readonly #now: () => number

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  hit(key: string): Count {
    const now = this.#now()
    let window = this.#windows.get(key)
    if (!window || window.end <= now) {
      if (this.#windows.size >= SWEEP_AT) this.#sweep(now)
      window = { count: 0, end: now + WINDOW_MS }
      this.#windows.set(key, window)
    }
    window.count++
    const seconds = Math.ceil((window.end - now) / 1000)
    // What is added and taken away again need not come out the same.
    return { count: window.count, secondsLeft: Math.min(Math.max(1, seconds), WINDOW_MS / 1000) }
  }

  #sweep(now: number): void {
    for (const [key, { end }] of this.#windows) if (end <= now) this.#windows.delete(key)
  }
}

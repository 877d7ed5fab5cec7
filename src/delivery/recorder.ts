import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import type { Logger } from '../logger.ts'
import { type AttemptResult, recordAttempts } from './queue.ts'

/** While the database is away a result is kept so long; then its lease has run out, and it is dropped. */
const KEEP_MS = 20_000
const AGAIN_MS = 250

/** Writes results down in batches: those that come while one is being written are the next. */
export class AttemptRecorder {
  readonly #db: Database
  readonly #logger: Logger
  #waiting: { result: AttemptResult; done: () => void }[] = []
  #writing = false

  constructor(db: Database, logger: Logger) {
    this.#db = db
    this.#logger = logger
  }

  /** Resolves when the result is written, or dropped. */
  record(result: AttemptResult): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ result, done })
      if (!this.#writing) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#writing = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      await this.#write(batch.map(({ result }) => result))
      for (const { done } of batch) done()
    }
    this.#writing = false
  }

  async #write(results: AttemptResult[]): Promise<void> {
    const deadline = performance.now() + KEEP_MS
    for (;;) {
      try {
        return await recordAttempts(this.#db, results)
      } catch (err) {
        this.#logger.warn({ err, attempts: results.length }, 'attempts cannot be recorded')
        if (performance.now() > deadline) return
        await sleep(AGAIN_MS)
      }
    }
  }
}

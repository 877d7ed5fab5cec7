import type { Database } from '../db/database.ts'
import type { Logger } from '../logger.ts'
import { Rounds } from '../rounds.ts'
import { listOpenRedeliveries, openRedelivery, requeueNext } from './queries.ts'

/** What nobody woke us for is found at the next look. */
const POLL_MS = 1_000
/** So many are taken up in a transaction: no writer of the company waits long for it. */
const BATCH = 500

/** Takes up ranges of deliveries again. It remembers nothing: how far each has come is kept with it. */
export class Redeliverer {
  readonly #db: Database
  readonly #rounds: Rounds

  constructor(db: Database, logger: Logger) {
    this.#db = db
    this.#rounds = new Rounds(
      () => this.#takeUpAll(),
      (err) => logger.warn({ err }, 'redeliveries cannot go on; the next look tries again'),
    )
  }

  start(): void {
    this.#rounds.start(POLL_MS)
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  /** A batch of each in turn, so that a long one does not hold up the others. */
  async #takeUpAll(): Promise<void> {
    const open = await listOpenRedeliveries(this.#db)
    for (const { tenant_id, id } of open) {
      await this.#db.write(tenant_id, async (tx) => {
        const job = await openRedelivery(tx, id)
        if (job) await requeueNext(tx, job, BATCH)
      })
    }
    if (open.length > 0) this.#rounds.wake()
  }
}

import type { Database } from '../db/database.ts'
import type { Logger } from '../logger.ts'
import { Rounds } from '../rounds.ts'
import type { Issuer } from './issuer.ts'
import { takeTurns } from './queries.ts'

/** What nobody woke us for is found at the next look. */
const POLL_MS = 1_000
/** Conversations with providers at once. */
const AT_ONCE = 8

/**
 * Looks after charges: those that a crash or a silent provider left in the middle of their issue, those that
 * a provider has sent notice of, and now and then those that are still to be paid.
 */
export class Reconciler {
  readonly #db: Database
  readonly #issuer: Issuer
  readonly #logger: Logger
  readonly #rounds: Rounds

  constructor(db: Database, issuer: Issuer, logger: Logger) {
    this.#db = db
    this.#issuer = issuer
    this.#logger = logger
    this.#rounds = new Rounds(
      () => this.#lookAtSome(),
      (err) => logger.warn({ err }, 'charges cannot be looked after; the next look tries again'),
    )
  }

  start(): void {
    this.#rounds.start(POLL_MS)
  }

  wake(): void {
    this.#rounds.wake()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  async #lookAtSome(): Promise<void> {
    const turns = await takeTurns(this.#db, AT_ONCE)
    await Promise.all(turns.map(({ tenant_id, id }) => this.#look(tenant_id, id)))
    if (turns.length === AT_ONCE) this.wake()
  }

  async #look(tenantId: string, id: string): Promise<void> {
    try {
      await this.#issuer.look(tenantId, id)
    } catch (err) {
      this.#logger.warn({ err, cobranca: id }, 'a charge could not be settled; it is asked again')
    }
  }
}

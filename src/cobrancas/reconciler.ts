import type { Database } from '../db/database.ts'
import type { Logger } from '../logger.ts'
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
  #looking: Promise<void> | undefined
  #again = false
  #stopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(db: Database, issuer: Issuer, logger: Logger) {
    this.#db = db
    this.#issuer = issuer
    this.#logger = logger
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), POLL_MS)
    this.wake()
  }

  wake(): void {
    if (this.#stopped) return
    this.#again = true
    this.#looking ??= this.#lookAtAll().finally(() => {
      this.#looking = undefined
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#looking
  }

  async #lookAtAll(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false
      try {
        const turns = await takeTurns(this.#db, AT_ONCE)
        await Promise.all(turns.map(({ tenant_id, id }) => this.#look(tenant_id, id)))
        if (turns.length === AT_ONCE) this.#again = true
      } catch (err) {
        this.#logger.warn({ err }, 'charges cannot be looked after; the next look tries again')
      }
    }
  }

  async #look(tenantId: string, id: string): Promise<void> {
    try {
      await this.#issuer.look(tenantId, id)
    } catch (err) {
      this.#logger.warn({ err, cobranca: id }, 'a charge could not be settled; it is asked again')
    }
  }
}

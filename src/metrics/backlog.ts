import type { Database } from '../db/database.ts'

/** What waits, across all companies. */
export interface Figures {
  pending: bigint
  /** Seconds; zero where nothing is due. */
  oldest_due: number
  oldest_issuing: number
}

/** However often it is asked for, the database is asked no more often than this. */
const KEEP_MS = 5_000
/** Whoever scrapes waits no longer for the database, and learns the rest without it. */
const PATIENCE_MS = 3_000

/** Of a subscription that is not active nothing is due: its deliveries wait for somebody's word. */
const FIGURES = `
  select (select count(*) from webhook_queue) as pending,
    coalesce((select extract(epoch from clock_timestamp() - min(q.due))
      from webhooks w cross join lateral (
        select due from webhook_queue
        where tenant_id = w.tenant_id and subscription_id = w.id order by due limit 1) as q
      where w.ativo and q.due <= clock_timestamp()), 0)::float8 as oldest_due,
    coalesce((select extract(epoch from clock_timestamp() - min(criado_em))
      from cobrancas where status = 'emitindo'), 0)::float8 as oldest_issuing`

export class Backlog {
  readonly #db: Database
  #answer: Promise<Figures | undefined> = Promise.resolve(undefined)
  #askedAt = Number.NEGATIVE_INFINITY
  #asking = false

  constructor(db: Database) {
    this.#db = db
  }

  /** Nothing where the database cannot tell, or not in time. */
  read(): Promise<Figures | undefined> {
    // A question that hangs holds a connection: there is never more than one.
    if (!this.#asking && performance.now() - this.#askedAt >= KEEP_MS) {
      this.#asking = true
      this.#askedAt = performance.now()
      this.#answer = this.#ask().finally(() => {
        this.#asking = false
      })
    }
    return inTime(this.#answer)
  }

  async #ask(): Promise<Figures | undefined> {
    try {
      const [figures] = await this.#db.system('lastro_worker').query<Figures>(FIGURES)
      return figures
    } catch {
      return undefined
    }
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

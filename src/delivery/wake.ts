import pg from 'pg'
import type { Database } from '../db/database.ts'
import type { Logger } from '../logger.ts'

const CHANNEL = 'lastro_deliveries'
/** Inside the transaction NOTIFY would serialize commits; after it, at most one goes out in this time. */
const GATHER_MS = 20
/** A payload holds 8,000 bytes: of more companies than this, all are looked at. */
const MAX_COMPANIES = 200
const RECONNECT_MS = 500

/** Tells the workers of other processes in which companies something has fallen due. */
export function announceDeliveries(db: Database, pool: pg.Pool): void {
  const companies = new Set<string>()
  const send = () => {
    const payload = companies.size > MAX_COMPANIES ? '' : [...companies].join(',')
    companies.clear()
    // Whoever misses it looks by themselves a moment later.
    pool.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch(() => {})
  }
  db.committed.on('deliveries', (company) => {
    if (companies.size === 0) setTimeout(send, GATHER_MS).unref()
    companies.add(company)
  })
}

/** Hears what other processes announce, on a connection of its own that is made again when it breaks. */
export class DeliveryListener {
  readonly #connection: pg.ClientConfig
  readonly #wake: (company?: string) => void
  readonly #logger: Logger
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(connection: pg.ClientConfig, wake: (company?: string) => void, logger: Logger) {
    this.#connection = connection
    this.#wake = wake
    this.#logger = logger
  }

  async start(): Promise<void> {
    const client = new pg.Client({ ...this.#connection, keepAlive: true })
    client.on('error', () => {})
    client.on('notification', ({ payload }) => {
      for (const company of payload?.split(',') ?? []) this.#wake(company || undefined)
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      client.on('end', () => this.#again())
      this.#client = client
    } catch (err) {
      this.#logger.warn({ err }, 'cannot listen for deliveries; they are found by looking')
      await client.end().catch(() => {})
      this.#again()
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#client?.end().catch(() => {})
  }

  #again(): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => void this.start(), RECONNECT_MS)
  }
}

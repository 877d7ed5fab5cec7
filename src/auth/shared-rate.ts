import type { Database } from '../db/database.ts'
import type { Count, RateCounter } from './rate.ts'

/** A key's row serves for its next window too: only those of keys that are no longer used are swept. */
const SWEEP_EVERY_MS = 10 * 60_000
const SWEPT_AT_ONCE = 1_000

interface Hits {
  tenantId: string
  key: string
  count: number
}

/**
 * For all instances of a database together, in windows by its clock. Calls of the same turn of the event loop
 * are one statement.
 */
export class SharedRateCounter implements RateCounter {
  readonly #db: Database
  #batch: { hits: Map<string, Hits>; counted: Promise<Map<string, Count>> } | undefined
  #sweepAfter = performance.now() + SWEEP_EVERY_MS

  constructor(db: Database) {
    this.#db = db
  }

  async hit(key: string, tenantId: string): Promise<Count> {
    this.#batch ??= this.#openBatch()
    const { hits, counted } = this.#batch
    const own = hits.get(key) ?? { tenantId, key, count: 0 }
    hits.set(key, own)
    const place = ++own.count
    const { count, secondsLeft } = (await counted).get(key)!
    return { count: count - own.count + place, secondsLeft }
  }

  #openBatch() {
    const hits = new Map<string, Hits>()
    const counted = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#batch = undefined
      this.#sweepNowAndThen()
      return this.#count([...hits.values()])
    })
    return { hits, counted }
  }

  /** Rows are locked in the order of their keys, so that two instances never wait for each other in a circle. */
  async #count(hits: Hits[]): Promise<Map<string, Count>> {
    const rows = await this.#db
      .system('lastro_auth')
      .query<{ chave_id: string; calls: bigint; seconds_left: number }>(
        `insert into rate_windows as w (tenant_id, chave_id, calls, since)
         select tenant_id, chave_id, calls, clock_timestamp()
         from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as hit (tenant_id, chave_id, calls)
         order by tenant_id, chave_id
         on conflict (tenant_id, chave_id) do update set
           calls = excluded.calls + case when ${ENDED} then 0 else w.calls end,
           since = case when ${ENDED} then excluded.since else w.since end
         returning chave_id, calls,
           ceil(extract(epoch from since + interval '60 s' - clock_timestamp()))::int as seconds_left`,
        [
          hits.map(({ tenantId }) => tenantId),
          hits.map(({ key }) => key),
          hits.map(({ count }) => String(count)),
        ],
      )
    return new Map(
      rows.map(({ chave_id, calls, seconds_left }) => [
        chave_id,
        { count: Number(calls), secondsLeft: Math.min(Math.max(1, seconds_left), 60) },
      ]),
    )
  }

  #sweepNowAndThen(): void {
    if (performance.now() < this.#sweepAfter) return
    this.#sweepAfter = performance.now() + SWEEP_EVERY_MS
    // What stays is swept the next time.
    sweepWindows(this.#db).catch(() => {})
  }
}

/**
 * Judged by one moment, that of the call, however long it waited for the row. A window of the future is of a
 * clock that was set back: nobody waits for it.
 */
const ENDED = `w.since not between excluded.since - interval '60 s' and excluded.since + interval '60 s'`

/** Removes some windows that ended; those that are being counted in are left alone. */
export async function sweepWindows(db: Database): Promise<void> {
  await db.system('lastro_auth').query(
    `delete from rate_windows where (tenant_id, chave_id) in (
       select tenant_id, chave_id from rate_windows
       where since < clock_timestamp() - interval '60 s'
       limit $1 for update skip locked)`,
    [SWEPT_AT_ONCE],
  )
}

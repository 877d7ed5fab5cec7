import type pg from 'pg'
import { HISTORY } from './partitions.ts'

/** Any number will do, as long as every version of Lastro uses the same. */
const RETENTION_LOCK = 7_305_808_869_231_650_002n

/** Partitions of one month, of every table of history that has one. */
interface Month {
  /** The least id that comes after it. */
  upper: string
  /** Quoted where need be. */
  tables: string[]
}

/** What keeps a month that should go: deliveries that are still to be made. */
interface Held {
  deliveries: number
  /** Some of the subscriptions that they are for. */
  webhooks: string[]
}

/**
 * Drops the months that ended so many whole months before this one, oldest first. A month of which something is
 * pending stays until it is done, and so does what came after it: history has a beginning, and no gaps. Of
 * several instances one does it.
 */
export async function dropHistory(client: pg.Client, months: number) {
  const dropped: string[] = []
  const { rows } = await client.query<{ mine: boolean }>(
    'select pg_try_advisory_lock($1) as mine',
    [RETENTION_LOCK],
  )
  if (!rows[0]!.mine) return { dropped, held: undefined }
  for (const month of await oldMonths(client, months)) {
    // Asked before anybody is made to wait, and again when nothing can change any more.
    const held = (await pendingOf(client, month)) ?? (await dropMonth(client, month))
    if (held) return { dropped, held }
    dropped.push(...month.tables)
  }
  return { dropped, held: undefined }
}

async function oldMonths(client: pg.Client, months: number): Promise<Month[]> {
  const { rows } = await client.query<Month>(
    `select upper, array_agg(name order by name) as tables from (
       select c.oid::regclass::text as name,
         (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \\(''([^'']+)''\\)'))[1] as upper
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = any ($1::regclass[])) as partitions
     where upper::uuid <= uuid_v7_floor((date_trunc('month', now() at time zone 'UTC')
       - make_interval(months => $2)) at time zone 'UTC')
     group by upper order by upper::uuid`,
    [HISTORY, months],
  )
  return rows
}

async function dropMonth(client: pg.Client, month: Month): Promise<Held | undefined> {
  await client.query('begin')
  try {
    // Whoever reads or writes history waits behind this lock, so it is not waited for long: less than
    // PostgreSQL waits before it looks for deadlocks, so that none ever ends somebody's request.
    await client.query("set local lock_timeout = '500ms'")
    await client.query(`lock table only ${HISTORY.join(', only ')} in access exclusive mode`)
    const held = await pendingOf(client, month)
    if (!held) {
      await client.query(
        `insert into retention (complete_since) values ($1)
         on conflict (only_row) do update set complete_since = excluded.complete_since`,
        [momentOf(month.upper)],
      )
      await client.query(`drop table ${month.tables.join(', ')}`)
    }
    await client.query('commit')
    return held
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Of this month or one before it. The tables' owner sees no rows of companies; the worker does. */
async function pendingOf(client: pg.Client, { upper }: Month): Promise<Held | undefined> {
  await client.query('set role lastro_worker')
  const { rows } = await client.query<Held>(
    `select count(*)::int as deliveries,
       (array_agg(distinct subscription_id::text))[1:10] as webhooks
     from webhook_queue where event_id < $1 or delivery_id < $1`,
    [upper],
  )
  await client.query('reset role')
  return rows[0]!.deliveries > 0 ? rows[0] : undefined
}

/** The moment that a UUID v7 begins with. */
function momentOf(uuid: string): string {
  return new Date(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)).toISOString()
}

import { randomUUID } from 'node:crypto'
import type { Caller, TestService } from './service.ts'

const HISTORY = ['events', 'webhook_deliveries', 'webhook_attempts']

/** The first moment of the month so many months ago. */
export function monthsAgo(count: number): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count))
}

/** An id made at that moment. */
function idAt(moment: Date): string {
  const time = moment.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** As if the service had run for so many months more. */
export async function makeOldMonths({ pool }: TestService, count: number): Promise<void> {
  for (const table of HISTORY) {
    for (let ago = count; ago > 0; ago--) {
      const name = `${table}_${nameOf(monthsAgo(ago))}`
      const [from, to] = [idFloor(monthsAgo(ago)), idFloor(monthsAgo(ago - 1))]
      await pool.query(
        `create table ${name} partition of ${table} for values from ('${from}') to ('${to}')`,
      )
    }
  }
}

const nameOf = (month: Date) => month.toISOString().slice(0, 7).replace('-', '_')
const idFloor = (moment: Date) => `${idAt(moment).slice(0, 13)}-0000-0000-000000000000`

/** How many past months there still are of each table of history, and all that is in them. */
export async function pastMonths({ pool }: TestService): Promise<number[]> {
  const counts = HISTORY.map(async (table) => {
    const { rows } = await pool.query(
      `select count(*)::int as count from pg_inherits
       where inhparent = $1::regclass and right(inhrelid::regclass::text, 7) < $2`,
      [table, nameOf(monthsAgo(0))],
    )
    return rows[0].count as number
  })
  return Promise.all(counts)
}

interface Past {
  webhook: string
  /** A moment after the event, unless told otherwise. */
  deliveredAt?: Date
  pending?: boolean
}

/** An event of the past with its delivery and an attempt of it; returns the delivery's id. */
export async function happened(
  { db }: TestService,
  { empresa }: Caller,
  moment: Date,
  { webhook, deliveredAt = moment, pending = false }: Past,
): Promise<string> {
  const [event, delivery] = [idAt(moment), idAt(deliveredAt)]
  await db.write(empresa, async (tx) => {
    await tx.query(
      `with counter as (
         update empresa_counters set seq = seq + 1 where tenant_id = $1 returning seq
       ), event as (
         insert into events (tenant_id, id, seq, kind, record_id, actor_kind, data)
         select $1, $2, seq, 'lancamento.created', gen_random_uuid(), 'sistema', '{}' from counter
       )
       insert into webhook_deliveries
         (tenant_id, id, subscription_id, event_id, event_seq, event_kind, state)
       select $1, $3, $4, $2, seq, 'lancamento.created', $5 from counter`,
      [empresa, event, delivery, webhook, pending ? 'pending' : 'delivered'],
    )
    if (!pending) return
    await tx.query(
      `insert into webhook_queue (tenant_id, delivery_id, subscription_id, event_id, due)
       values ($1, $2, $3, $4, clock_timestamp())`,
      [empresa, delivery, webhook, event],
    )
  })
  await db.system('lastro_worker').query(
    `insert into webhook_attempts (tenant_id, id, delivery_id, started_at, duration_ms, status)
     values ($1, $2, $3, $4, 1, 200)`,
    [empresa, idAt(deliveredAt), delivery, deliveredAt.toISOString()],
  )
  return delivery
}

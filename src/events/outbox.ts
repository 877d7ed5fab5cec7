import type { WriteTx } from '../db/database.ts'
import { type EventKind, resourceOf } from './catalogue.ts'

/** Who made a change, and by which request: kept with each event. */
export interface Author {
  kind: 'chave' | 'usuario' | 'sistema'
  id: string | null
  requestId: string | null
}

/** What the service does by itself, or an operator from the shell. */
export const SYSTEM: Author = { kind: 'sistema', id: null, requestId: null }

/**
 * Records that something happened, with the resource as it now is. It is committed with the change or not
 * at all, and takes the company's next number: the counter's row is locked since the transaction began, so
 * numbers follow the order of commits and none is missing. In the same statement it becomes a delivery for
 * each subscription that wants its kind.
 */
export function recordEvent(
  tx: WriteTx,
  by: Author,
  kind: EventKind,
  record: { id: string },
): void {
  const data = JSON.stringify({ [resourceOf(kind)]: record })
  tx.defer(eventWith('$7'), [...valuesOf(tx, by, kind, record), data], 'deliveries')
}

/**
 * As `recordEvent`, of a resource that a statement before this one writes with the COMMIT: how it then is,
 * as JSON, is asked by `item`, where `$1` is the company and `$3` the record.
 */
export function recordWritten(
  tx: WriteTx,
  by: Author,
  kind: EventKind,
  record: { id: string },
  item: string,
): void {
  const data = `(select '{"${resourceOf(kind)}":' || (${item}) || '}')`
  tx.defer(eventWith(data), valuesOf(tx, by, kind, record), 'deliveries')
}

function valuesOf(tx: WriteTx, by: Author, kind: EventKind, record: { id: string }) {
  return [tx.tenantId, kind, record.id, by.kind, by.id, by.requestId]
}

function eventWith(data: string): string {
  return `with counter as (
       update empresa_counters set seq = seq + 1 where tenant_id = $1 returning seq
     ), event as (
       insert into events
         (tenant_id, id, seq, kind, record_id, actor_kind, actor_id, request_id, data)
       select $1, uuid_v7(), seq, $2, $3, $4, $5, $6, ${data} from counter
       returning id, seq
     ), ${DELIVERY}
     ${QUEUE}`
}

/** What each subscription that wants the kind is owed of each event, and its place in the queue. */
const DELIVERY = `delivery as (
       insert into webhook_deliveries
         (tenant_id, id, subscription_id, event_id, event_seq, event_kind, state)
       select $1, uuid_v7(), w.id, e.id, e.seq, $2, 'pending'
       from event e, webhooks w where w.tenant_id = $1 and $2 = any (w.events)
       returning id, subscription_id, event_id
     )`
const QUEUE = `insert into webhook_queue (tenant_id, delivery_id, subscription_id, event_id, due)
       select $1, id, subscription_id, event_id, clock_timestamp() from delivery`

/**
 * The same of many records at once, in their order, in a statement of its own: as much as that needs to be
 * sent, it does not wait for the COMMIT.
 */
export async function recordEvents(
  tx: WriteTx,
  by: Author,
  kind: EventKind,
  records: readonly { id: string }[],
): Promise<void> {
  const [queued] = await tx.query<{ count: bigint }>(
    `with counter as (
       update empresa_counters set seq = seq + cardinality($3::uuid[]) where tenant_id = $1
       returning seq - cardinality($3::uuid[]) as before
     ), event as (
       insert into events
         (tenant_id, id, seq, kind, record_id, actor_kind, actor_id, request_id, data)
       select $1, uuid_v7(), before + n, $2, record_id, $4, $5, $6, data
       from counter, unnest($3::uuid[], $7::text[]) with ordinality as given (record_id, data, n)
       returning id, seq
     ), ${DELIVERY}, queued as (
       ${QUEUE}
       returning 1
     )
     select count(*) from queued`,
    [
      tx.tenantId,
      kind,
      records.map(({ id }) => id),
      by.kind,
      by.id,
      by.requestId,
      records.map((record) => JSON.stringify({ [resourceOf(kind)]: record })),
    ],
  )
  if (queued!.count > 0n) tx.announce('deliveries')
}

import type { Tx } from '../db/database.ts'

interface EventRow {
  seq: bigint
  kind: string
  recorded_at: string
  /** JSON, as it is delivered. */
  data: string
}

/** Numbers follow the order of commits, so whoever has seen one has seen all before it. */
export function listEvents(tx: Tx, after: number, limit: number): Promise<EventRow[]> {
  return tx.query<EventRow>(
    `select seq, kind, recorded_at, data from events
     where tenant_id = $1 and seq > $2 order by seq limit $3`,
    [tx.tenantId, after, limit],
  )
}

interface Extent {
  /** The last number that was dropped, and the last that there is; 0 where there is none. */
  dropped: bigint
  last: bigint
  completo_desde: string | null
}

/** The first number is looked for only where something was dropped: without that it is 1. */
export async function extentOfEvents(tx: Tx): Promise<Extent> {
  const [row] = await tx.query<Extent>(
    `select c.seq as last, r.complete_since as completo_desde,
       case when r.complete_since is null then 0 else coalesce(
         (select seq - 1 from events where tenant_id = $1 order by seq limit 1), c.seq) end as dropped
     from empresa_counters c left join retention r on true where c.tenant_id = $1`,
    [tx.tenantId],
  )
  return row!
}

/** The last number that there is, and of which kinds the events after one are; of none, without one. */
export async function kindsSince(tx: Tx, after: number | undefined) {
  const [row] = await tx.query<{ seq: bigint; kinds: string[] }>(
    `select c.seq, array(select distinct kind from events
       where tenant_id = $1 and seq > coalesce($2, c.seq)) as kinds
     from empresa_counters c where c.tenant_id = $1`,
    [tx.tenantId, after ?? null],
  )
  return row!
}

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

export async function lastSeq(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ seq: bigint }>(
    'select seq from empresa_counters where tenant_id = $1',
    [tx.tenantId],
  )
  return Number(row!.seq)
}

import type { Database } from '../db/database.ts'
import { isUuid } from '../db/uuid.ts'
import { findEmpresa } from '../empresas/empresas.ts'
import { OperatorError } from '../errors.ts'

interface Row {
  seq: bigint
  kind: string
  record_id: string
  recorded_at: string
  actor_kind: 'chave' | 'usuario' | 'sistema'
  actor_id: string | null
  actor_nome: string | null
  request_id: string | null
  data: string
  before: string | null
}

interface Change {
  field: string
  before: unknown
  after: unknown
}

export interface Act {
  seq: number
  kind: string
  record_id: string
  recorded_at: string
  actor: { kind: Row['actor_kind']; id: string | null; nome: string | null }
  request_id: string | null
  changes: Change[]
}

interface Filter {
  empresa: string
  registro?: string | undefined
  limit: number
}

/** Who did what to which record, the newest first. Events are only ever added, so this is what happened. */
export async function listAuditoria(db: Database, filter: Filter): Promise<Act[]> {
  const { registro = null, limit } = filter
  const { id: empresa } = await findEmpresa(db, filter.empresa)
  if (registro !== null && !isUuid(registro)) {
    throw new OperatorError(`${registro} is not the id of a record.`)
  }
  const rows = await db.reader(empresa).query<Row>(
    `select e.seq, e.kind, e.record_id, e.recorded_at, e.actor_kind, e.actor_id,
       coalesce(c.nome, u.nome) as actor_nome, e.request_id, e.data, b.data as before
     from (select * from events
       where tenant_id = $1 ${registro === null ? '' : 'and record_id = $3'}
       order by seq desc limit $2) as e
     left join chaves c
       on c.tenant_id = e.tenant_id and e.actor_kind = 'chave' and c.id = e.actor_id
     left join usuarios u on e.actor_kind = 'usuario' and u.id = e.actor_id
     left join lateral (
       select data from events
       where tenant_id = e.tenant_id and record_id = e.record_id and seq < e.seq
       order by seq desc limit 1) as b on true
     order by e.seq desc`,
    registro === null ? [empresa, limit] : [empresa, limit, registro],
  )
  return rows.map((row) => ({
    seq: Number(row.seq),
    kind: row.kind,
    record_id: row.record_id,
    recorded_at: row.recorded_at,
    actor: { kind: row.actor_kind, id: row.actor_id, nome: row.actor_nome },
    request_id: row.request_id,
    changes: changesBetween(resourceIn(row.before), resourceIn(row.data)),
  }))
}

/** The resource as it was then: the one value of an event's data. */
function resourceIn(data: string | null): Record<string, unknown> {
  return data === null ? {} : (Object.values(JSON.parse(data))[0] as Record<string, unknown>)
}

/** `atualizado_em` is left out: it always changes, and says no more than the event itself. */
function changesBetween(before: Record<string, unknown>, after: Record<string, unknown>): Change[] {
  return Object.keys({ ...before, ...after })
    .filter((field) => field !== 'atualizado_em')
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

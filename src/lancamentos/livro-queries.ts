import type { Tx } from '../db/database.ts'
import { type Add, params } from '../db/params.ts'
import type { Page } from '../http/schemas.ts'
import { patternOf } from './busca.ts'
import type { LivroFilter } from './livro-schema.ts'
import { COLUMNS, type LancamentoRow, matching } from './queries.ts'

/** How many entries match, and what they amount to in centavos. */
interface Totals {
  total: bigint
  receitas: bigint
  despesas: bigint
}

/** A page and the totals of all that match, in one statement: both are of one moment. */
export async function listLivro(
  tx: Tx,
  filter: LivroFilter,
  today: string,
  { limit, offset }: Page,
): Promise<{ rows: LancamentoRow[]; totals: Totals }> {
  const { values, add } = params(tx.tenantId)
  const conditions = besides(filter, add)
  const { where, counted } = matching(filter, today, add, conditions)
  // Entries that had to be counted one by one are not looked for a second time.
  const source = conditions.length > 0 ? 'counted' : `lancamentos where ${where}`
  // The page is found first and then read id by id, whatever the planner thinks of a table that was just filled.
  const found = await tx.query<LancamentoRow & Totals>(
    `with counted as materialized (select * from ${counted}),
     ids as materialized (select id from ${source}
       order by data desc, id desc limit ${add(limit)} offset ${add(offset)})
     select totals.*, page.* from
       (select coalesce(sum(quantidade), 0)::bigint as total, ${sumOf('receita')} as receitas,
          ${sumOf('despesa')} as despesas from counted) as totals
     left join
       (select entry.* from ids cross join lateral
          (select ${COLUMNS} from lancamentos
           where tenant_id = $1 and id = ids.id offset 0) as entry) as page on true
     order by data desc, id desc`,
    values,
  )
  // With no entry on the page there is still the row of the totals.
  return { rows: found.filter(({ id }) => id !== null), totals: found[0]! }
}

function sumOf(tipo: 'receita' | 'despesa'): string {
  return `coalesce(sum(soma) filter (where tipo = '${tipo}' and status <> 'cancelado'), 0)::bigint`
}

/** What only the books on screen can be filtered by. */
function besides(filter: LivroFilter, add: Add): string[] {
  const conditions: string[] = []
  const { vencimento_de: from, vencimento_ate: to, parceiro_id, categoria_id, busca } = filter
  if (from !== undefined) conditions.push(`vencimento >= ${add(from)}`)
  if (to !== undefined) conditions.push(`vencimento <= ${add(to)}`)
  if (parceiro_id !== undefined) conditions.push(`parceiro_id = ${add(parceiro_id)}`)
  if (categoria_id !== undefined) {
    conditions.push(`categoria_id in (select id from categorias
      where tenant_id = $1 and ${add(categoria_id)} in (id, area_id))`)
  }
  if (busca !== undefined) {
    // In both at once, which is half the work; between them is what is no character.
    const text = "descricao || chr(65535) || coalesce(contraparte, '')"
    conditions.push(`(${text}) ~ ${add(patternOf(busca))}`)
  }
  return conditions
}

/** An entry with the names behind its ids. */
export interface ExportRow extends LancamentoRow {
  parceiro: string | null
  /** With its area; empty where there is none. */
  categoria: string
}

/** Before every entry of a list. */
export const START = { data: '9999-12-31', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** So many entries in the order of the list, from the one after which the reader goes on. */
export function listForExport(
  tx: Tx,
  filter: LivroFilter,
  today: string,
  after: Pick<LancamentoRow, 'data' | 'id'>,
  limit: number,
): Promise<ExportRow[]> {
  const { values, add } = params(tx.tenantId)
  const { where } = matching(filter, today, add, [
    ...besides(filter, add),
    `(data, id) < (${add(after.data)}, ${add(after.id)})`,
  ])
  return tx.query<ExportRow>(
    `select entries.*, p.nome as parceiro, concat_ws(' › ', area.nome, c.nome) as categoria from
       (select ${COLUMNS} from lancamentos where ${where}
        order by data desc, id desc limit ${add(limit)}) as entries
     left join parceiros p on p.tenant_id = $1 and p.id = entries.parceiro_id
     left join categorias c on c.tenant_id = $1 and c.id = entries.categoria_id
     left join categorias area on area.tenant_id = $1 and area.id = c.area_id
     order by entries.data desc, entries.id desc`,
    values,
  )
}

/** An entry that was deleted, as it last was, in JSON. */
export async function findDeleted(tx: Tx, id: string): Promise<string | undefined> {
  const [event] = await tx.query<{ data: string }>(
    `select data from events
     where tenant_id = $1 and record_id = $2 and kind = 'lancamento.deleted'
     order by seq desc limit 1`,
    [tx.tenantId, id],
  )
  return event?.data
}

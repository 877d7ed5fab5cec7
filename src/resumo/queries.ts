import type { Tx } from '../db/database.ts'
import { type Add, params } from '../db/params.ts'
import { keptRows } from '../lancamentos/totais.ts'
import type { ResumoFilter } from './schema.ts'

/** Sums of the entries of one tipo, in centavos. */
export interface ResumoRow {
  tipo: string
  quantidade: bigint
  realizado: bigint
  em_aberto: bigint
  vencido: bigint
  proximos: bigint
}

interface Days {
  yesterday: string
  today: string
  in30Days: string
}

/** Every figure of a company in one statement, so that all are of one moment. */
export function sumLancamentos(tx: Tx, filter: ResumoFilter, days: Days): Promise<ResumoRow[]> {
  const { values, add } = params(tx.tenantId)
  const { centro_custo: centro, data_de: from, data_ate: to } = filter
  // No total is kept by the entry's date and its due date at once: then the open entries are read.
  const byDate = from !== undefined || to !== undefined
  const open = byDate ? openEntries(filter, days, add) : openTotals(centro, days, add)
  return tx.query<ResumoRow>(
    `with por_data as (
       select tipo, sum(quantidade) as quantidade,
         sum(soma) filter (where status = 'pago') as realizado,
         sum(soma) filter (where status = 'em_aberto') as em_aberto
       from (${keptRows('totais_data', centro, { from, to }, add)}) as kept
       group by tipo
     ), por_vencimento as (
       select tipo, sum(soma) filter (where vencido) as vencido,
         sum(soma) filter (where not vencido) as proximos
       from (${open}) as abertos
       group by tipo
     )
     select tipo, quantidade::bigint, coalesce(realizado, 0)::bigint as realizado,
       coalesce(em_aberto, 0)::bigint as em_aberto, coalesce(vencido, 0)::bigint as vencido,
       coalesce(proximos, 0)::bigint as proximos
     from por_data left join por_vencimento using (tipo)`,
    values,
  )
}

function openTotals(centro: string | undefined, { yesterday, today, in30Days }: Days, add: Add) {
  const overdue = keptRows('totais_vencimento', centro, { to: yesterday }, add)
  const next = keptRows('totais_vencimento', centro, { from: today, to: in30Days }, add)
  return `select tipo, soma, true as vencido from (${overdue}) as atrasados
    union all select tipo, soma, false from (${next}) as proximos`
}

function openEntries(filter: ResumoFilter, { today, in30Days }: Days, add: Add): string {
  const { centro_custo: centro, data_de: from, data_ate: to } = filter
  const conditions = [
    'tenant_id = $1',
    "status = 'em_aberto'",
    `vencimento <= ${add(in30Days)}`,
    ...(from === undefined ? [] : [`data >= ${add(from)}`]),
    ...(to === undefined ? [] : [`data <= ${add(to)}`]),
    ...(centro === undefined ? [] : [`centro_custo = ${add(centro)}`]),
  ]
  return `select tipo, valor as soma, vencimento < ${add(today)} as vencido from lancamentos
    where ${conditions.join(' and ')}`
}

import type { Param } from '../db/batch.ts'
import type { Tx } from '../db/database.ts'
import { centroKey } from '../lancamentos/totais.ts'
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
  today: string
  in30Days: string
}

/** Every figure of a company in one statement, so that all are of one moment. */
export function sumLancamentos(tx: Tx, filter: ResumoFilter, { today, in30Days }: Days) {
  const values: Param[] = [
    tx.tenantId,
    centroKey(filter.centro_custo),
    filter.data_de ?? '-infinity',
    filter.data_ate ?? 'infinity',
    today,
    in30Days,
  ]
  const byDueDate = filter.data_de || filter.data_ate ? openEntries(filter, values) : KEPT_OPEN
  return tx.query<ResumoRow>(
    `with por_dia as (
       select tipo, sum(quantidade) as quantidade,
         sum(soma) filter (where status = 'pago') as realizado,
         sum(soma) filter (where status = 'em_aberto') as em_aberto
       from totais_dia
       where tenant_id = $1 and centro = $2 and data between $3 and $4
       group by tipo
     ), por_vencimento as (
       select tipo, sum(soma) filter (where vencimento < $5) as vencido,
         sum(soma) filter (where vencimento >= $5) as proximos
       from (${byDueDate}) as abertos
       where vencimento <= $6
       group by tipo
     )
     select tipo, quantidade::bigint, coalesce(realizado, 0)::bigint as realizado,
       coalesce(em_aberto, 0)::bigint as em_aberto, coalesce(vencido, 0)::bigint as vencido,
       coalesce(proximos, 0)::bigint as proximos
     from por_dia left join por_vencimento using (tipo)`,
    values,
  )
}

const KEPT_OPEN = `select tipo, vencimento, soma from totais_vencimento
  where tenant_id = $1 and centro = $2`

/** No total is kept by the entry's date and its due date at once: the open entries themselves are read. */
function openEntries({ centro_custo }: ResumoFilter, values: Param[]): string {
  const condition =
    centro_custo === undefined ? '' : `and centro_custo = $${values.push(centro_custo)}`
  return `select tipo, vencimento, valor as soma from lancamentos
    where tenant_id = $1 and status = 'em_aberto' and data between $3 and $4 ${condition}`
}

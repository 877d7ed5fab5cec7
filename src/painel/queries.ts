import type { Tx } from '../db/database.ts'
import { params } from '../db/params.ts'
import { keptDays, keptRows, keptRowsByCentro, type Period } from '../lancamentos/totais.ts'

/** Sums in centavos, of revenues and of expenses. Transfers belong to none. */
interface Sums {
  receitas: bigint
  despesas: bigint
}

const SUMS = `coalesce(sum(soma) filter (where tipo = 'receita'), 0)::bigint as receitas,
  coalesce(sum(soma) filter (where tipo = 'despesa'), 0)::bigint as despesas`

type Centro = string | undefined
type Days = { from: string; to: string }

export interface MonthRow extends Sums {
  mes: string
  status: 'pago' | 'em_aberto'
}

/** Of whole months: what was paid by the entry's date, and what is open by its due date. */
export function sumMonths(tx: Tx, centro: Centro, months: Days): Promise<MonthRow[]> {
  const { values, add } = params(tx.tenantId)
  const paid = keptRows('totais_data', centro, months, add)
  const open = keptRows('totais_vencimento', centro, months, add)
  return tx.query<MonthRow>(
    `select to_char(inicio, 'YYYY-MM') as mes, status, ${SUMS}
     from (
       select inicio, tipo, soma, status from (${paid}) as por_data where status = 'pago'
       union all select inicio, tipo, soma, 'em_aberto' from (${open}) as por_vencimento
     ) as kept
     group by mes, status`,
    values,
  )
}

/** What is open and due in each of several periods. */
export function sumDue<Name extends string>(
  tx: Tx,
  centro: Centro,
  periods: Record<Name, Period>,
): Promise<(Sums & { nome: Name })[]> {
  const { values, add } = params(tx.tenantId)
  const parts = Object.entries<Period>(periods).map(
    ([name, period]) =>
      `select ${add(name)} as nome, tipo, soma
       from (${keptRows('totais_vencimento', centro, period, add)}) as kept`,
  )
  return tx.query(
    `select nome, ${SUMS} from (${parts.join(' union all ')}) as parts group by nome`,
    values,
  )
}

export function sumDueDays(
  tx: Tx,
  centro: Centro,
  days: Days,
): Promise<(Sums & { dia: string })[]> {
  const { values, add } = params(tx.tenantId)
  return tx.query(
    `select inicio as dia, ${SUMS}
     from (${keptDays('totais_vencimento', centro, days, add)}) as kept group by inicio`,
    values,
  )
}

/** The cost centres that most was moved in: what was paid, and what is open at its amount. */
export function listTopCentros(
  tx: Tx,
  period: Period,
  limit: number,
): Promise<(Sums & { centro_custo: string })[]> {
  const { values, add } = params(tx.tenantId)
  return tx.query(
    `select centro_custo, ${SUMS}
     from (${keptRowsByCentro('totais_data', period, add)}) as kept
     where status <> 'cancelado' and tipo <> 'transferencia'
     group by centro_custo having sum(quantidade) > 0
     order by sum(soma) desc, centro_custo limit ${add(limit)}`,
    values,
  )
}

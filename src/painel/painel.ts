import type { Tx } from '../db/database.ts'
import { toReais } from '../http/money.ts'
import { getResumo } from '../resumo/resumo.ts'
import type { ResumoFilter } from '../resumo/schema.ts'
import { listTopCentros, sumDue, sumDueDays, sumMonths } from './queries.ts'
import type { Painel } from './schema.ts'

const TOP = 10

/**
 * The totals as `/resumo` gives them, and beside them what is about today: that follows the cost centre, not
 * the period. The cost centres are compared over the period, so that choosing one does not hide the others.
 */
export async function getPainel(
  tx: Tx,
  filter: ResumoFilter,
  today: string,
  now: number,
): Promise<Painel> {
  const { data_de: from, data_ate: to, centro_custo: centro } = filter
  const resumo = await getResumo(tx, filter, today, now)
  const centros = await listTopCentros(tx, { from, to }, TOP)
  return {
    hoje: today,
    resumo,
    meses: await monthsAround(tx, centro, today),
    vencidos: await overdue(tx, centro, today),
    proximos_30_dias: await nextDays(tx, centro, today),
    centros: centros.map(({ centro_custo, receitas, despesas }) => ({
      centro_custo,
      receitas: toReais(receitas),
      despesas: toReais(despesas),
    })),
  }
}

type Centro = string | undefined

async function monthsAround(tx: Tx, centro: Centro, today: string): Promise<Painel['meses']> {
  const current = Temporal.PlainDate.from(today).toPlainYearMonth()
  const months = Array.from({ length: 24 }, (_, n) => current.add({ months: n - 11 }))
  const last = months.at(-1)!
  const rows = await sumMonths(tx, centro, {
    from: months[0]!.toPlainDate({ day: 1 }).toString(),
    to: last.toPlainDate({ day: last.daysInMonth }).toString(),
  })
  return months.map(String).map((mes) => {
    const sums = (status: string) => rows.find((row) => row.mes === mes && row.status === status)
    const paid = sums('pago') ?? NOTHING
    return {
      mes,
      recebido: toReais(paid.receitas),
      pago: toReais(paid.despesas),
      ...toReceiveAndPay(sums('em_aberto')),
    }
  })
}

async function overdue(tx: Tx, centro: Centro, today: string): Promise<Painel['vencidos']> {
  const ago = (days: number) => Temporal.PlainDate.from(today).subtract({ days }).toString()
  const periods = {
    '1-30': { from: ago(30), to: ago(1) },
    '31-60': { from: ago(60), to: ago(31) },
    '61-90': { from: ago(90), to: ago(61) },
    '90+': { to: ago(91) },
  }
  const rows = await sumDue(tx, centro, periods)
  return (Object.keys(periods) as (keyof typeof periods)[]).map((faixa) => ({
    faixa,
    ...toReceiveAndPay(rows.find(({ nome }) => nome === faixa)),
  }))
}

async function nextDays(tx: Tx, centro: Centro, today: string) {
  const first = Temporal.PlainDate.from(today)
  const days = Array.from({ length: 31 }, (_, n) => first.add({ days: n }).toString())
  const rows = await sumDueDays(tx, centro, { from: today, to: days.at(-1)! })
  return days.map((dia) => ({ dia, ...toReceiveAndPay(rows.find((row) => row.dia === dia)) }))
}

const NOTHING = { receitas: 0n, despesas: 0n }

function toReceiveAndPay({ receitas, despesas } = NOTHING) {
  return { a_receber: toReais(receitas), a_pagar: toReais(despesas) }
}

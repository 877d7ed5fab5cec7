import type { Painel } from '../../../../src/painel/schema.ts'
import { monthEnd, monthName, monthOf, monthStart } from '../../lib/days.ts'
import { day } from '../../lib/format.ts'
import {
  type Amount,
  type ChartData,
  PAID,
  RECEIVED,
  type Series,
  TO_PAY,
  TO_RECEIVE,
} from './chart.ts'
import type { Entries } from './entries.tsx'
import { overdueDays, type PainelSearch } from './search.ts'

type Centro = Pick<PainelSearch, 'centro_custo'>

const open = (found: { a_receber: number; a_pagar: number }, due: Entries): Amount[] => [
  { value: found.a_receber, entries: { ...due, tipo: 'receita', status: 'em_aberto' } },
  { value: found.a_pagar, entries: { ...due, tipo: 'despesa', status: 'em_aberto' } },
]

export function cashByMonth({ meses, hoje }: Painel, centro: Centro): ChartData {
  return {
    series: [RECEIVED, PAID, TO_RECEIVE, TO_PAY],
    groups: meses.map(({ mes, recebido, pago, ...found }) => {
      const [from, to] = [monthStart(mes), monthEnd(mes)]
      const paid: Entries = { ...centro, status: 'pago', data_de: from, data_ate: to }
      return {
        label: monthName(mes, 'short'),
        name: monthName(mes, 'long'),
        current: mes === monthOf(hoje),
        amounts: [
          { value: recebido, entries: { ...paid, tipo: 'receita' } },
          { value: pago, entries: { ...paid, tipo: 'despesa' } },
          ...open(found, { ...centro, vencimento_de: from, vencimento_ate: to }),
        ],
      }
    }),
  }
}

const FAIXAS: Record<string, string> = {
  '1-30': '1 a 30 dias',
  '31-60': '31 a 60 dias',
  '61-90': '61 a 90 dias',
  '90+': 'Mais de 90 dias',
}

export function overdueByAge({ vencidos, hoje }: Painel, centro: Centro): ChartData {
  return {
    series: [TO_RECEIVE, TO_PAY],
    groups: vencidos.map(({ faixa, ...found }) => ({
      label: faixa,
      name: FAIXAS[faixa]!,
      amounts: open(found, { ...centro, ...overdueDays(faixa, hoje) }),
    })),
  }
}

export function nextThirtyDays({ proximos_30_dias, hoje }: Painel, centro: Centro): ChartData {
  return {
    series: [TO_RECEIVE, TO_PAY],
    groups: proximos_30_dias.map(({ dia, ...found }) => ({
      label: day(dia).slice(0, 5),
      name: dia === hoje ? `${day(dia)}, hoje` : day(dia),
      amounts: open(found, { ...centro, vencimento_de: dia, vencimento_ate: dia }),
    })),
  }
}

const MOVED: Series[] = [
  { name: 'Receitas', way: 'in', expected: false },
  { name: 'Despesas', way: 'out', expected: false },
]

export function topCentros({ centros }: Painel, { data_de, data_ate }: PainelSearch): ChartData {
  const period = { ...(data_de ? { data_de } : {}), ...(data_ate ? { data_ate } : {}) }
  return {
    series: MOVED,
    groups: centros.map(({ centro_custo, receitas, despesas }) => ({
      label: centro_custo || NAMELESS,
      name: centro_custo || NAMELESS,
      amounts: [
        { value: receitas, entries: { ...period, centro_custo, tipo: 'receita' } },
        { value: despesas, entries: { ...period, centro_custo, tipo: 'despesa' } },
      ],
    })),
  }
}

/** A program may have written a cost centre that is no text at all. */
export const NAMELESS = '(em branco)'

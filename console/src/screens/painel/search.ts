import type { ResumoFilter } from '../../../../src/resumo/schema.ts'
import { isDay, monthEnd, monthOf, monthStart, plusDays, plusMonths } from '../../lib/days.ts'
import { day } from '../../lib/format.ts'

/** What the address says of the figures. */
export type PainelSearch = ResumoFilter
export type Period = Pick<PainelSearch, 'data_de' | 'data_ate'>

/** What does not fit is left out: an address may have been typed. */
export function readSearch(given: Record<string, unknown>): PainelSearch {
  const { data_de, data_ate, centro_custo } = given
  const period = { ...read('data_de', data_de, isDay), ...read('data_ate', data_ate, isDay) }
  return {
    ...(isReversed(period) ? {} : period),
    ...read('centro_custo', centro_custo, (text) => text.length <= 200),
  }
}

function read(name: string, value: unknown, fits: (text: string) => boolean) {
  // The router takes digits alone for a number.
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && fits(text) ? { [name]: text } : {}
}

export function isReversed({ data_de, data_ate }: Period): boolean {
  return data_de !== undefined && data_ate !== undefined && data_de > data_ate
}

/** The periods that are asked for most. */
export function presets(today: string): Record<string, Period> {
  const month = monthOf(today)
  const months = (first: string, last: string) => ({
    data_de: monthStart(first),
    data_ate: monthEnd(last),
  })
  const before = plusMonths(month, -1)
  const year = today.slice(0, 4)
  return {
    'Este mês': months(month, month),
    'Mês passado': months(before, before),
    'Este ano': months(`${year}-01`, `${year}-12`),
    '12 meses': months(plusMonths(month, -11), month),
    Tudo: {},
  }
}

export function periodWords({ data_de, data_ate }: Period): string {
  if (data_de && data_ate) return `Lançamentos de ${day(data_de)} a ${day(data_ate)}`
  if (data_de) return `Lançamentos desde ${day(data_de)}`
  if (data_ate) return `Lançamentos até ${day(data_ate)}`
  return 'Todos os lançamentos'
}

/** Due from today to thirty days from now. */
export const dueInDays = (today: string) => ({
  vencimento_de: today,
  vencimento_ate: plusDays(today, 30),
})

/** How many days overdue each band is, as the due dates that it holds. */
export function overdueDays(faixa: string, today: string) {
  const [least, most] = { '1-30': [1, 30], '31-60': [31, 60], '61-90': [61, 90] }[faixa] ?? [91]
  return {
    ...(most === undefined ? {} : { vencimento_de: plusDays(today, -most) }),
    vencimento_ate: plusDays(today, -least!),
  }
}

import type { Entries } from './entries.tsx'

/** What comes in rises from the line, what goes out falls below it; what is only expected is hatched. */
export interface Series {
  name: string
  way: 'in' | 'out'
  expected: boolean
}

export interface Amount {
  value: number
  /** Behind the amount. */
  entries: Entries
}

/** What stands side by side at one place of a chart, and in one row of its table. */
export interface Group {
  /** On the axis, where there is little room. */
  label: string
  name: string
  /** One for each series. */
  amounts: Amount[]
  /** Where today is. */
  current?: boolean
}

export interface ChartData {
  series: Series[]
  groups: Group[]
}

export interface ChartProps {
  data: ChartData
  /** What each group is: "Mês". */
  of: string
  /** Groups one below the other, where their names are long. */
  sideways?: boolean
  /** Whether what is left of each group says something. */
  balance?: boolean
}

export const COLORS = { in: 'var(--color-main)', out: 'var(--color-warn)' }

export const RECEIVED: Series = { name: 'Recebido', way: 'in', expected: false }
export const PAID: Series = { name: 'Pago', way: 'out', expected: false }
export const TO_RECEIVE: Series = { name: 'A receber', way: 'in', expected: true }
export const TO_PAY: Series = { name: 'A pagar', way: 'out', expected: true }

/** What comes in less what goes out, in whole centavos on the way. */
export function balanceOf({ amounts }: Group, series: Series[]): number {
  const centavos = amounts.map(
    ({ value }, i) => Math.round(value * 100) * (series[i]!.way === 'in' ? 1 : -1),
  )
  return centavos.reduce((sum, amount) => sum + amount, 0) / 100
}

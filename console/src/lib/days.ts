// Days and months as the contract writes them, 2026-06-22 and 2026-06: text that sorts as they do.

const DAY_MS = 24 * 60 * 60 * 1000

/** A day that the contract knows; a field may hold one that is still being typed. */
export function isDay(text: string): boolean {
  if (!/^(19|20|21)\d\d-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(text)
  // The thirtieth of February would be taken for a day of March.
  return !Number.isNaN(time) && toDay(time) === text
}

export const plusDays = (day: string, days: number) => toDay(Date.parse(day) + days * DAY_MS)

export function plusMonths(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return toDay(Date.UTC(year, number - 1 + months)).slice(0, 7)
}

export const monthOf = (day: string) => day.slice(0, 7)
export const monthStart = (month: string) => `${month}-01`
export const monthEnd = (month: string) => plusDays(monthStart(plusMonths(month, 1)), -1)

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10)

const names = { short: monthNames('short'), long: monthNames('long') }

function monthNames(month: 'short' | 'long'): string[] {
  const format = new Intl.DateTimeFormat('pt-BR', { month, timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, n) => format.format(Date.UTC(2026, n)).replace('.', ''))
}

/** jun/26, or in full junho de 2026. */
export function monthName(month: string, length: 'short' | 'long'): string {
  const [year = '', number = ''] = month.split('-')
  const name = names[length][Number(number) - 1]
  return length === 'short' ? `${name}/${year.slice(2)}` : `${name} de ${year}`
}

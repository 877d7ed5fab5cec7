import { isDay } from '../http/formats.ts'

export type DayOrder = 'dia-mes' | 'mes-dia'

/** A time of the day may follow. */
const AFTER = String.raw`(?:[T\s,].*)?$`
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${AFTER}`)
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${AFTER}`)
const DIGITS = /^(\d{4})(\d{2})(\d{2})(?:\D.*|\d{6}.*)?$/

/** A day as Brazil, ISO or a bank writes it, as `YYYY-MM-DD`; undefined where there is no such day. */
export function parseDay(text: string, order: DayOrder = 'dia-mes'): string | undefined {
  const [year, month, day] = partsOf(text.trim(), order)
  if (year === undefined) return undefined
  const written = `${fullYear(year)}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`
  return isDay(written) ? written : undefined
}

function partsOf(text: string, order: DayOrder): string[] {
  const first = YEAR_FIRST.exec(text)
  if (first) return [first[1]!, first[3]!, first[4]!]
  const digits = DIGITS.exec(text)
  if (digits) return digits.slice(1)
  const last = YEAR_LAST.exec(text)
  if (!last) return []
  const [, a, , b, year] = last as unknown as [string, string, string, string, string]
  return order === 'dia-mes' ? [year, b, a] : [year, a, b]
}

function fullYear(year: string): string {
  if (year.length === 4) return year
  return Number(year) < 70 ? `20${year}` : `19${year}`
}

/** The order that the days of a column are in: the month first only where nothing else can be meant. */
export function dayOrderOf(texts: string[]): DayOrder {
  const given = texts.filter((text) => text !== '')
  const readable = (order: DayOrder) => given.every((text) => parseDay(text, order) !== undefined)
  return !readable('dia-mes') && readable('mes-dia') ? 'mes-dia' : 'dia-mes'
}

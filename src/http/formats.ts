/** A real day of the calendar, from 1900 to 2199. */
export function isDay(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  if (year < 1900 || year > 2199 || month < 1 || month > 12) return false
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** A moment as RFC 3339 writes it, with its offset. */
export function isInstant(text: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.exec(text)
  return match !== null && isDay(match[1]!) && !Number.isNaN(Date.parse(text))
}

export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}

/** Text that PostgreSQL can keep and UTF-8 can carry. */
export function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/**
 * At most two decimals, in the number's shortest decimal form: 0.07 is, though no double equals it. Of the
 * amounts that are accepted, just those come back from two decimals as they were.
 */
export function isReais(value: number): boolean {
  return Number(value.toFixed(2)) === value
}

/** Excel takes a file for UTF-8 only where it begins with this. */
export const BOM = '\ufeff'

/** A line as programs in Brazil expect it: the comma is for decimals. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(';')}\r\n`
}

/**
 * Free text in a cell. Where a spreadsheet would take it for a formula, and so run what somebody else has
 * written, an apostrophe makes it text; in some languages wide characters count as well.
 */
export function textCell(text: string | null): string {
  if (text === null) return ''
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return /[;"\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function dayCell(day: string | null): string {
  return day === null ? '' : day.split('-').reverse().join('/')
}

export function reaisCell(centavos: bigint | null): string {
  if (centavos === null) return ''
  const digits = centavos.toString().padStart(3, '0')
  return `${digits.slice(0, -2)},${digits.slice(-2)}`
}

/** What comes before the decimals; null where a file has it both ways. */
export type DecimalMark = ',' | '.' | null

const NEGATIVE = /^-|-$|^\(.*\)$/
const MARKED = /^(.*?)\s*([DC])$/i
/** Ten billion reais is accepted at most: what is longer is no amount. */
const MAX_LENGTH = 40

/**
 * An amount in centavos, below zero where it is written so (-10,00 · 10,00- · (10,00) · 10,00 D); undefined
 * where it cannot be read, or not in one way only: 1.234 is a thousand or has three decimals, as the file's
 * other amounts say.
 */
export function parseAmount(text: string, decimal: DecimalMark = ','): bigint | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const [, bare, mark] = MARKED.exec(plain(text)) ?? [null, plain(text), '']
  const sum = bare!.replace(/R\$/i, '')
  const negative = NEGATIVE.test(sum)
  if (negative && mark?.toUpperCase() === 'C') return undefined
  const digits = digitsOf(sum.replace(/^\((.*)\)$/, '$1').replace(/^[-+]|[-+]$/, ''), decimal)
  if (digits === undefined) return undefined
  return BigInt(digits) * (negative || mark?.toUpperCase() === 'D' ? -1n : 1n)
}

/** The amount in centavos, as digits. */
function digitsOf(sum: string, decimal: DecimalMark): string | undefined {
  const match = /^(\d+)(?:[.,]\d{3})*(?:([.,])(\d{1,2}))?$/.exec(sum)
  if (!match) return undefined
  const [, , mark, decimals = ''] = match
  const whole = mark === undefined ? sum : sum.slice(0, -decimals.length - 1)
  const groups = whole.split(/[.,]/)
  const between = new Set(whole.match(/[.,]/g))
  if (groups.length > 1 && groups[0]!.length > 3) return undefined
  if (between.size > 1 || (mark !== undefined && between.has(mark))) return undefined
  // One group and no decimals: it may be the decimals that are three.
  const ambiguous = groups.length === 2 && mark === undefined
  if (ambiguous && (decimal === null || between.has(decimal))) return undefined
  return groups.join('') + decimals.padEnd(2, '0')
}

/** How the amounts of a file are written, by those that can be read in one way only. */
export function decimalMarkOf(texts: string[]): DecimalMark {
  const marks = new Set<string>()
  for (const text of texts) {
    if (text.length > MAX_LENGTH) continue
    const told = /([.,])\d{1,2}\D*$/.exec(plain(text))?.[1]
    if (told) marks.add(told)
    else if (/([.,])\d{3}\1\d{3}/.test(text)) marks.add(text.includes('.') ? ',' : '.')
  }
  if (marks.size === 2) return null
  return marks.has('.') ? '.' : ','
}

function plain(text: string): string {
  return text.replace(/\s/g, '').replace(/[−–]/g, '-')
}

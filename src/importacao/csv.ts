import { MAX_COLUNAS, MAX_LINHAS } from './limits.ts'

/** A record of the file, and the line on which a person finds it in an editor. */
export interface CsvRecord {
  linha: number
  cells: string[]
}

const SEPARATORS = [';', '\t', ',']
/** So many records tell how the file is made. */
const SAMPLE = 50
/** Above its table a bank may tell whose account it is, and of when. */
export const PREAMBLE = 20
/** Whoever sends more is refused: it is not even read to the end. */
const MAX_RECORDS = PREAMBLE + MAX_LINHAS + 1

/** The records of a CSV file, blank lines left out. What separates its cells is told by its content. */
export function parseCsv(text: string): CsvRecord[] {
  const told = /^sep=(.)\r?\n/i.exec(text)
  if (told && SEPARATORS.includes(told[1]!)) {
    return [...records(text, told[1]!, told[0].length, 2).take(MAX_RECORDS)]
  }
  return [...records(text, separatorOf(text)).take(MAX_RECORDS)]
}

/**
 * The one that makes the most cells in records of one width: in `Pix;1,50;2,00` the comma is within the amounts,
 * which are never all that there is.
 */
function separatorOf(text: string): string {
  let best = { separator: ';', made: 0 }
  for (const separator of SEPARATORS) {
    const made = new Map<number, number>()
    for (const { cells } of records(text, separator).take(SAMPLE)) {
      made.set(cells.length, (made.get(cells.length) ?? 0) + cells.length - 1)
    }
    const most = Math.max(0, ...made.values())
    if (most > best.made) best = { separator, made: most }
  }
  return best.separator
}

function* records(text: string, separator: string, start = 0, linha = 1): Generator<CsvRecord> {
  for (let at = start; at < text.length; ) {
    const record: CsvRecord = { linha, cells: [] }
    for (;;) {
      // With one more column than there may be, the rest of the line is that one.
      const last = record.cells.length === MAX_COLUNAS
      const { value, end, lineEnds } = cellAt(text, at, last ? '' : separator)
      record.cells.push(value.trim())
      linha += lineEnds
      at = end
      if (last || text[at] !== separator) break
      at++
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    linha++
    if (record.cells.some((cell) => cell !== '')) yield record
  }
}

/** A quoted cell may hold separators, line ends and, doubled, quotes. A quote that is never closed is text. */
function cellAt(text: string, start: number, separator: string) {
  const opened = /[ ]*"/y
  opened.lastIndex = start
  const closed = opened.test(text) ? closingQuote(text, opened.lastIndex) : -1
  const quoted = closed < 0 ? '' : text.slice(opened.lastIndex, closed)
  const rest = new RegExp(`[^${separator}\r\n]*`, 'y')
  rest.lastIndex = closed < 0 ? start : closed + 1
  const [plain] = rest.exec(text)!
  return {
    value: quoted.replaceAll('""', '"') + plain,
    end: rest.lastIndex,
    lineEnds: quoted.match(/\r\n|\r|\n/g)?.length ?? 0,
  }
}

function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

import { MAX_COLUNAS, MAX_LINHAS } from './limits.ts'
import { unhurried } from './unhurried.ts'

/** A record of the file, and the line on which a person finds it in an editor. */
export interface CsvRecord {
  linha: number
  cells: string[]
}

const SEPARATORS = [';', '\t', ',']
/** So many records tell how the file is made. */
const SAMPLE = 50
/** Nor is more than this looked at for it. */
const SAMPLE_LENGTH = 100_000
/** Above its table a bank may tell whose account it is, and of when. */
export const PREAMBLE = 20
/** Whoever sends more is refused: it is not even read to the end. */
const MAX_RECORDS = PREAMBLE + MAX_LINHAS + 1

/** Longer than anything that would be accepted, even if it were all quotes. */
const MAX_WRITTEN = 20_000

/** The records of a CSV file, blank lines left out. What separates its cells is told by its content. */
export async function parseCsv(text: string): Promise<CsvRecord[]> {
  const told = /^sep=(.)\r?\n/i.exec(text)
  const all =
    told && SEPARATORS.includes(told[1]!)
      ? records(text, told[1]!, told[0].length, 2)
      : records(text, separatorOf(text))
  const found: CsvRecord[] = []
  for await (const some of unhurried(all)) {
    found.push(...some.filter(isWritten))
    if (found.length >= MAX_RECORDS) break
  }
  return found
}

/**
 * The one that makes the most cells in records of one width: in `Pix;1,50;2,00` the comma is within the amounts,
 * which are never all that there is.
 */
function separatorOf(text: string): string {
  const sample = text.slice(0, SAMPLE_LENGTH)
  let best = { separator: ';', made: 0 }
  for (const separator of SEPARATORS) {
    const made = new Map<number, number>()
    for (const { cells } of records(sample, separator).filter(isWritten).take(SAMPLE)) {
      made.set(cells.length, (made.get(cells.length) ?? 0) + cells.length - 1)
    }
    const most = Math.max(0, ...made.values())
    if (most > best.made) best = { separator, made: most }
  }
  return best.separator
}

function isWritten({ cells }: CsvRecord): boolean {
  return cells.some((cell) => cell !== '')
}

function* records(text: string, separator: string, start = 0, linha = 1): Generator<CsvRecord> {
  const upToSeparator = new RegExp(`[^${separator}\r\n]*`, 'y')
  const upToLineEnd = /[^\r\n]*/y
  for (let at = start; at < text.length; at += text.startsWith('\r\n', at) ? 2 : 1, linha++) {
    if (text[at] === '\n' || text[at] === '\r') continue
    const record: CsvRecord = { linha, cells: [] }
    for (;;) {
      // With one more column than there may be, the rest of the line is that one.
      const last = record.cells.length === MAX_COLUNAS
      const { value, end, lineEnds } = cellAt(text, at, last ? upToLineEnd : upToSeparator)
      record.cells.push(value.trim())
      linha += lineEnds
      at = end
      if (last || text[at] !== separator) break
      at++
    }
    yield record
  }
}

/** A quoted cell may hold separators, line ends and, doubled, quotes. A quote that is never closed is text. */
function cellAt(text: string, start: number, rest: RegExp) {
  const opened = /[ ]*"/y
  opened.lastIndex = start
  const closed = opened.test(text) ? closingQuote(text, opened.lastIndex) : -1
  const quoted = closed < 0 ? '' : text.slice(opened.lastIndex, closed)
  rest.lastIndex = closed < 0 ? start : closed + 1
  const [plain] = rest.exec(text)!
  return {
    value: quoted.slice(0, MAX_WRITTEN).replaceAll('""', '"') + plain,
    end: rest.lastIndex,
    lineEnds: countLineEnds(quoted),
  }
}

function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start)
  while (at >= 0 && text[at + 1] === '"') {
    // A look at the next character is much cheaper than a search that ends there.
    at = text[at + 2] === '"' ? at + 2 : text.indexOf('"', at + 2)
  }
  return at
}

function countLineEnds(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\n' || (text[i] === '\r' && text[i + 1] !== '\n')) count++
  }
  return count
}

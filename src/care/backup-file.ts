import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../errors.ts'
import { isFileError } from './file.ts'

/**
 * A backup is a gzip file of lines. One that begins with `#` is about the file: the header, the name and columns
 * of the table whose rows follow, and at the end the trailer. Every other line is a row, as JSON.
 */
export const FORMAT = 1

export interface Header {
  format: number
  created_at: string
  /** What had been run on the database. */
  migrations: string[]
  /** The months (`2026-06-01`) of each table that has a partition for each. */
  partitions: Record<string, string[]>
  /** The ids of the keys that its secrets are sealed with. */
  secret_keys: string[]
}

interface TableLine {
  table: string
  columns: string[]
}

/** What the file must hold to be whole: rows by table, and the SHA-256 of every byte before this line. */
interface Trailer {
  rows: Record<string, number>
  sha256: string
}

export type Content = TableLine & { rows: AsyncIterable<string[]> }

/** The whole file, before it is compressed. */
export async function* linesOf(
  header: Header,
  tables: AsyncIterable<Content>,
): AsyncGenerator<string> {
  const sum = createHash('sha256')
  const rows: Trailer['rows'] = {}
  const counted = (lines: string[]) => {
    const text = `${lines.join('\n')}\n`
    sum.update(text)
    return text
  }
  yield counted([`#${JSON.stringify(header)}`])
  for await (const { table, columns, rows: batches } of tables) {
    yield counted([`#${JSON.stringify({ table, columns } satisfies TableLine)}`])
    rows[table] = 0
    for await (const batch of batches) {
      rows[table] += batch.length
      yield counted(batch)
    }
  }
  yield `#${JSON.stringify({ rows, sha256: sum.digest('hex') } satisfies Trailer)}\n`
}

interface Reader {
  header?(header: Header): void
  table?(table: TableLine): void
  rows?(rows: string[]): Promise<void>
}

const ROWS_AT_ONCE = 1_000
const CHARACTERS_AT_ONCE = 1_000_000

/**
 * Reads a backup to its end and returns how many rows each table has. It fails, after whatever it has handed
 * out, where the file is not exactly what was written: nothing may be kept of it until this has returned.
 */
export async function readBackup(file: string, reader: Reader = {}): Promise<Trailer['rows']> {
  const sum = createHash('sha256')
  const rows: Trailer['rows'] = {}
  let trailer: Trailer | undefined
  let header: Header | undefined
  let table: string | undefined
  let batch: string[] = []
  let characters = 0
  const flush = async () => {
    if (batch.length > 0) await reader.rows?.(batch)
    batch = []
    characters = 0
  }
  const readMark = async (mark: Header | TableLine | Trailer) => {
    await flush()
    if ('sha256' in mark) trailer = mark
    else if ('table' in mark) {
      table = mark.table
      rows[table] = 0
      reader.table?.(mark)
    } else {
      header = mark
      if (header.format !== FORMAT) throw newer(file)
      reader.header?.(header)
    }
  }
  for await (const line of readLines(file)) {
    if (trailer) throw damaged(file, 'something follows its end')
    if (line.startsWith('#')) await readMark(parse(file, line.slice(1)))
    else {
      if (table === undefined) throw damaged(file, 'it is no backup')
      rows[table]!++
      batch.push(line)
      characters += line.length
      if (batch.length >= ROWS_AT_ONCE || characters >= CHARACTERS_AT_ONCE) await flush()
    }
    if (!header) throw damaged(file, 'it is no backup')
    if (!trailer) sum.update(`${line}\n`)
  }
  if (!trailer) throw damaged(file, 'its end is missing')
  if (trailer.sha256 !== sum.digest('hex')) throw damaged(file, 'its checksum is not right')
  return rows
}

function parse(file: string, text: string): Header | TableLine | Trailer {
  try {
    return JSON.parse(text)
  } catch {
    throw damaged(file, 'a line of it cannot be read')
  }
}

/** By hand: readline also breaks at U+2028, which may stand inside a row. */
async function* readLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file)
  const text = createGunzip().setEncoding('utf8')
  source.on('error', (error) => text.destroy(error)).pipe(text)
  let rest = ''
  try {
    for await (const chunk of text) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      yield* lines
    }
  } catch (error) {
    if (isFileError(error)) throw new OperatorError(`${file} cannot be read: ${error.message}.`)
    const { code, message } = error as NodeJS.ErrnoException
    throw code?.startsWith('Z_') ? damaged(file, message) : error
  } finally {
    source.destroy()
  }
  if (rest !== '') throw damaged(file, 'its last line is cut off')
}

function damaged(file: string, reason: string): OperatorError {
  return new OperatorError(`${file} is not a whole backup: ${reason}. Nothing was restored.`)
}

export function newer(file: string): OperatorError {
  return new OperatorError(
    `${file} was made by a newer version of Lastro; restore it with that version. Nothing was restored.`,
  )
}

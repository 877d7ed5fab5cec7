import { createHash } from 'node:crypto'
import { categoriasByNome } from '../categorias/categorias.ts'
import type { Tx } from '../db/database.ts'
import { parseCsv } from './csv.ts'
import { decode, unreadable } from './decode.ts'
import { type Reading, readCsv, readOfx } from './entries.ts'
import { guess, missingIn, type Sheet, sheetOf } from './header.ts'
import { MAX_BYTES, MAX_COLUNAS, MAX_LINHAS } from './limits.ts'
import { isOfx, type OfxTransaction, parseOfx } from './ofx.ts'
import { findMapeamento } from './queries.ts'
import type { Mapeamento } from './schema.ts'

/** A file as it lies there, before anything is decided. */
export type Opened =
  | { formato: 'csv'; sheet: Sheet }
  | { formato: 'ofx'; transactions: OfxTransaction[] }

/** A file that somebody brings: its text, and what it is. Refused where nothing could come of it. */
export async function receive(bytes: Buffer) {
  if (bytes.length > MAX_BYTES)
    throw unreadable('passa de 6 MB; divida-o em partes, por exemplo por mês')
  const conteudo = decode(bytes)
  const opened = await open(conteudo)
  const linhas = lines(opened).length
  if (linhas === 0) throw unreadable('não tem nenhuma linha para importar')
  if (linhas > MAX_LINHAS) {
    throw unreadable('tem mais de 10.000 linhas; divida-o em partes, por exemplo por mês')
  }
  if (opened.formato === 'csv' && opened.sheet.colunas.length < 2) {
    throw unreadable(
      'não é OFX nem tem colunas separadas por ponto e vírgula, vírgula ou tabulação',
    )
  }
  if (opened.formato === 'csv' && opened.sheet.colunas.length > MAX_COLUNAS) {
    throw unreadable(`tem mais de ${MAX_COLUNAS} colunas; retire as que não são de lançamentos`)
  }
  const sha256 = createHash('sha256').update(bytes).digest()
  return { opened, conteudo, linhas, sha256 }
}

export async function open(conteudo: string): Promise<Opened> {
  if (isOfx(conteudo)) return { formato: 'ofx', transactions: await parseOfx(conteudo) }
  return { formato: 'csv', sheet: sheetOf(await parseCsv(conteudo)) }
}

function lines(opened: Opened): unknown[] {
  return opened.formato === 'ofx' ? opened.transactions : opened.sheet.rows
}

/** As it was last chosen for such a file, else as its columns look. OFX needs none. */
export async function firstMapeamento(tx: Tx, opened: Opened): Promise<Mapeamento | null> {
  if (opened.formato === 'ofx') return null
  return (await findMapeamento(tx, headerKey(opened.sheet))) ?? guess(opened.sheet)
}

export function headerKey({ colunas }: Sheet): Buffer {
  return createHash('sha256').update(JSON.stringify(colunas)).digest()
}

/** What its lines say; or nothing, where it is not yet said which column is what. */
export async function read(
  tx: Tx,
  opened: Opened,
  mapeamento: Mapeamento | null,
): Promise<Reading | undefined> {
  if (opened.formato === 'ofx') return readOfx(opened.transactions)
  if (mapeamento === null || missingIn(mapeamento).length > 0) return undefined
  return readCsv(opened.sheet, mapeamento, await categoriasByNome(tx))
}

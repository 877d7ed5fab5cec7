import { randomUUIDv7 } from 'node:crypto'
import type { Database, Tx, WriteTx } from '../db/database.ts'
import { violates } from '../db/sql-state.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Author } from '../events/outbox.ts'
import { createLancamentos } from '../lancamentos/lancamentos.ts'
import type { Draft } from './entries.ts'
import { missingIn } from './header.ts'
import { judge, newOnes } from './judge.ts'
import { CAMPOS } from './limits.ts'
import {
  clearPrepared,
  findImportacao,
  finishImportacao,
  type ImportacaoRow,
  insertImportacao,
  insertLines,
  isPrepared,
  lastImportOf,
  listImportacoes,
  rememberMapeamento,
  removePrepared,
  type StagedRow,
  saveMapeamento,
} from './queries.ts'
import type { Importacao, Mapeamento, Preparada } from './schema.ts'
import { firstMapeamento, headerKey, open, read, receive } from './staged.ts'

const MAX_PREPARED = 20
const SHOWN = 20
/** Lines that are written in one statement: each is told of, so that a person sees it move. */
const AT_ONCE = 500

/** Keeps a file, to be looked at and then imported or not: nothing is written to the books. */
export async function prepare(
  db: Database,
  tenantId: string,
  by: Author,
  { nome, bytes }: { nome: string; bytes: Buffer },
): Promise<string> {
  const { opened, ...file } = await receive(bytes)
  const mapeamento = await firstMapeamento(db.reader(tenantId), opened)
  const usuarioId = by.kind === 'usuario' ? by.id : null
  const id = randomUUIDv7()
  await db.write(tenantId, async (tx) => {
    if ((await clearPrepared(tx)) >= MAX_PREPARED) throw new ApiError('importacoes-demais')
    const { formato } = opened
    await insertImportacao(tx, { id, nome, formato, mapeamento, usuarioId, ...file })
  })
  return id
}

/** An import, and while it waits what is in it and what would come of it. */
export async function getImportacao(tx: Tx, id: string): Promise<Importacao | Preparada> {
  const row = await find(tx, id)
  if (row.conteudo === null) return present(row)
  const opened = await open(row.conteudo)
  const reading = await read(tx, opened, row.mapeamento)
  const sheet = opened.formato === 'csv' ? opened.sheet : undefined
  return {
    ...present(row),
    colunas: sheet?.colunas ?? [],
    amostra: sheet?.rows.slice(0, 5).map(({ cells }) => cells) ?? [],
    mapeamento: row.mapeamento,
    faltam: row.mapeamento ? missingIn(row.mapeamento) : [],
    conferencia: reading ? await judge(tx, reading, row.sha256) : null,
    ja_importada_em: await lastImportOf(tx, row.sha256),
  }
}

export async function lastImportacoes(tx: Tx): Promise<Importacao[]> {
  return (await listImportacoes(tx, SHOWN)).map(present)
}

/** Says which column is what; for the next file with such a header it is remembered. */
export async function chooseMapeamento(
  tx: WriteTx,
  id: string,
  mapeamento: Mapeamento,
): Promise<void> {
  const row = await find(tx, id)
  if (row.conteudo === null) throw new ApiError('importacao-feita')
  const opened = await open(row.conteudo)
  if (opened.formato === 'ofx') {
    throw invalid('invalid-body', [{ field: 'mapeamento', message: 'um OFX não tem colunas' }])
  }
  const width = opened.sheet.colunas.length
  const beyond = CAMPOS.filter((campo) => (mapeamento.colunas[campo] ?? -1) >= width)
  if (beyond.length > 0) {
    const message = `o arquivo tem ${width} colunas`
    throw invalid(
      'invalid-body',
      beyond.map((campo) => ({ field: `mapeamento.colunas.${campo}`, message })),
    )
  }
  await saveMapeamento(tx, id, mapeamento)
  await rememberMapeamento(tx, headerKey(opened.sheet), mapeamento)
}

export async function discard(tx: WriteTx, id: string): Promise<void> {
  const row = await find(tx, id)
  if (row.conteudo === null) throw new ApiError('importacao-feita')
  await removePrepared(tx, id)
}

export type Told = (done: { feitas: number; total: number }) => void
/** Writes every line that is new, or none. What was imported already is answered as it is. */
export type Import = (by: Author, tell: Told) => Promise<Importacao>

/** Refuses what cannot be imported; what is returned then does it. All is read before anybody has to wait. */
export async function readyToImport(db: Database, tenantId: string, id: string): Promise<Import> {
  const reader = db.reader(tenantId)
  const row = await find(reader, id)
  if (row.conteudo === null) return async () => present(row)
  const reading = await read(reader, await open(row.conteudo), row.mapeamento)
  if (!reading) {
    const detail = 'Diga antes quais colunas têm a data, a descrição e o valor.'
    throw new ApiError('importacao-com-faltas', { detail })
  }
  if (reading.faltas.length > 0) throw new ApiError('importacao-com-faltas')
  return (by, tell) =>
    db.write(tenantId, async (tx) => {
      if (await isPrepared(tx, id, row.mapeamento)) {
        await writeLines(tx, by, row, reading.drafts, tell)
      }
      const done = await find(tx, id)
      if (done.conteudo !== null) throw changedMeanwhile()
      return present(done)
    })
}

async function writeLines(
  tx: WriteTx,
  by: Author,
  { id, sha256 }: StagedRow,
  drafts: Draft[],
  tell: Told,
): Promise<void> {
  const { novas, repetidas } = await newOnes(tx, drafts, sha256)
  const total = novas.length
  for (let feitas = 0; feitas < total; feitas += AT_ONCE) {
    tell({ feitas, total })
    const some = novas.slice(feitas, feitas + AT_ONCE)
    const bodies = some.map(({ body }) => body)
    const items = await createLancamentos(tx, by, bodies).catch((error: unknown) => {
      throw violates(error, 'lancamentos_categoria') ? changedMeanwhile() : error
    })
    const lines = some.map(({ chave, linha }, i) => ({ chave, linha, lancamento_id: items[i]!.id }))
    await insertLines(tx, id, lines)
  }
  tell({ feitas: total, total })
  await finishImportacao(tx, id, { importadas: total, repetidas })
}

function changedMeanwhile(): ApiError {
  const detail =
    'As colunas ou as categorias mudaram enquanto isso; confira de novo. Nada foi importado.'
  return new ApiError('importacao-com-faltas', { detail })
}

async function find(tx: Tx, id: string): Promise<StagedRow> {
  const row = await findImportacao(tx, id)
  if (row) return row
  throw new ApiError('not-found', { detail: 'A importação não existe nesta empresa.' })
}

function present(row: ImportacaoRow): Importacao {
  const number = (count: bigint | null) => (count === null ? null : Number(count))
  return {
    id: row.id,
    nome: row.nome,
    formato: row.formato,
    estado: row.estado,
    linhas: Number(row.linhas),
    importadas: number(row.importadas),
    repetidas: number(row.repetidas),
    por: row.por,
    criado_em: row.criado_em,
    importada_em: row.importada_em,
  }
}

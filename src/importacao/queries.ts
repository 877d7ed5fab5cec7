import type { Tx } from '../db/database.ts'
import type { Importacao, Mapeamento } from './schema.ts'

export interface ImportacaoRow
  extends Omit<Importacao, 'linhas' | 'importadas' | 'repetidas' | 'por'> {
  linhas: bigint
  importadas: bigint | null
  repetidas: bigint | null
  por: string | null
}

/** With what is needed to read it. */
export interface StagedRow extends ImportacaoRow {
  sha256: Buffer
  conteudo: string | null
  mapeamento: Mapeamento | null
}

const COLUMNS = `i.id, i.nome, i.formato, i.estado, i.linhas, i.importadas, i.repetidas, u.nome as por,
  i.criado_em, i.importada_em`
const WITH_NAMES = 'importacoes i left join usuarios u on u.id = i.usuario_id'

interface Staged {
  id: string
  nome: string
  formato: 'csv' | 'ofx'
  sha256: Buffer
  conteudo: string
  mapeamento: Mapeamento | null
  linhas: number
  usuarioId: string | null
}

export async function insertImportacao(tx: Tx, staged: Staged): Promise<void> {
  const { id, nome, formato, sha256, conteudo, mapeamento, linhas, usuarioId } = staged
  await tx.query(
    `insert into importacoes
       (tenant_id, id, nome, formato, sha256, conteudo, mapeamento, linhas, usuario_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [tx.tenantId, id, nome, formato, sha256, conteudo, json(mapeamento), linhas, usuarioId],
  )
}

export async function findImportacao(tx: Tx, id: string): Promise<StagedRow | undefined> {
  const [row] = await tx.query<StagedRow>(
    `select ${COLUMNS}, i.sha256, i.conteudo, i.mapeamento from ${WITH_NAMES}
     where i.tenant_id = $1 and i.id = $2`,
    [tx.tenantId, id],
  )
  return row
}

/** The newest first: their ids are made in order. */
export function listImportacoes(tx: Tx, limit: number): Promise<ImportacaoRow[]> {
  return tx.query<ImportacaoRow>(
    `select ${COLUMNS} from ${WITH_NAMES} where i.tenant_id = $1 order by i.id desc limit $2`,
    [tx.tenantId, limit],
  )
}

export async function removePrepared(tx: Tx, id: string): Promise<void> {
  await tx.query(
    "delete from importacoes where tenant_id = $1 and id = $2 and estado = 'preparada'",
    [tx.tenantId, id],
  )
}

/** Forgets what nobody has come back to for a day; how many are left is returned. */
export async function clearPrepared(tx: Tx): Promise<number> {
  await tx.query(
    `delete from importacoes where tenant_id = $1 and estado = 'preparada'
       and criado_em < clock_timestamp() - interval '1 day'`,
    [tx.tenantId],
  )
  const [row] = await tx.query<{ count: bigint }>(
    "select count(*) from importacoes where tenant_id = $1 and estado = 'preparada'",
    [tx.tenantId],
  )
  return Number(row!.count)
}

export async function saveMapeamento(tx: Tx, id: string, mapeamento: Mapeamento): Promise<void> {
  await tx.query(
    `update importacoes set mapeamento = $3
     where tenant_id = $1 and id = $2 and estado = 'preparada'`,
    [tx.tenantId, id, json(mapeamento)],
  )
}

export async function rememberMapeamento(
  tx: Tx,
  cabecalho: Buffer,
  mapeamento: Mapeamento,
): Promise<void> {
  await tx.query(
    `insert into importacao_mapeamentos (tenant_id, cabecalho, mapeamento) values ($1, $2, $3)
     on conflict (tenant_id, cabecalho) do update set mapeamento = excluded.mapeamento`,
    [tx.tenantId, cabecalho, json(mapeamento)],
  )
}

export async function findMapeamento(tx: Tx, cabecalho: Buffer): Promise<Mapeamento | undefined> {
  const [row] = await tx.query<{ mapeamento: Mapeamento }>(
    'select mapeamento from importacao_mapeamentos where tenant_id = $1 and cabecalho = $2',
    [tx.tenantId, cabecalho],
  )
  return row?.mapeamento
}

/** Whether it waits, with this mapping still. */
export async function isPrepared(
  tx: Tx,
  id: string,
  mapeamento: Mapeamento | null,
): Promise<boolean> {
  const rows = await tx.query(
    `select from importacoes where tenant_id = $1 and id = $2 and estado = 'preparada'
       and mapeamento is not distinct from $3::jsonb`,
    [tx.tenantId, id, json(mapeamento)],
  )
  return rows.length > 0
}

/** Of these lines, those that have become entries before. */
export async function listKnown(tx: Tx, chaves: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ chave: string }>(
    `select encode(chave, 'hex') as chave from importacao_linhas
     where tenant_id = $1 and chave = any ($2::bytea[])`,
    [tx.tenantId, chaves.map((chave) => `\\x${chave}`)],
  )
  return new Set(rows.map(({ chave }) => chave))
}

/** The lines of the very same file whose entries are still there, however they were read. */
export async function listLinesOfFile(tx: Tx, sha256: Buffer): Promise<Set<number>> {
  const rows = await tx.query<{ linha: bigint }>(
    `select l.linha from importacoes i
     join importacao_linhas l on l.tenant_id = i.tenant_id and l.importacao_id = i.id
     join lancamentos e on e.tenant_id = l.tenant_id and e.id = l.lancamento_id
     where i.tenant_id = $1 and i.sha256 = $2`,
    [tx.tenantId, sha256],
  )
  return new Set(rows.map(({ linha }) => Number(linha)))
}

/** Of these entries, those that are in the books. */
export async function listExisting(tx: Tx, ids: readonly string[]): Promise<Set<string | null>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.query<{ id: string }>(
    'select id from lancamentos where tenant_id = $1 and id = any ($2::uuid[])',
    [tx.tenantId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/** When the very same file was last imported. */
export async function lastImportOf(tx: Tx, sha256: Buffer): Promise<string | null> {
  const [row] = await tx.query<{ importada_em: string | null }>(
    `select max(importada_em) as importada_em from importacoes
     where tenant_id = $1 and sha256 = $2`,
    [tx.tenantId, sha256],
  )
  return row!.importada_em
}

interface ImportedLine {
  chave: string
  linha: number
  lancamento_id: string
}

export async function insertLines(
  tx: Tx,
  importacaoId: string,
  lines: readonly ImportedLine[],
): Promise<void> {
  const given = lines.map(({ chave, ...line }) => ({ chave: `\\x${chave}`, ...line }))
  await tx.query(
    `insert into importacao_linhas (tenant_id, chave, importacao_id, linha, lancamento_id)
     select $1, chave, $2, linha, lancamento_id
     from jsonb_to_recordset($3::jsonb) as given (chave bytea, linha bigint, lancamento_id uuid)`,
    [tx.tenantId, importacaoId, JSON.stringify(given)],
  )
}

/** Its text is not needed any more. */
export async function finishImportacao(
  tx: Tx,
  id: string,
  { importadas, repetidas }: { importadas: number; repetidas: number },
): Promise<void> {
  await tx.query(
    `update importacoes set estado = 'importada', conteudo = null, importadas = $3, repetidas = $4,
       importada_em = clock_timestamp()
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, id, importadas, repetidas],
  )
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

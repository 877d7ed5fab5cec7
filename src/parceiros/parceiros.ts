import { randomUUIDv7 } from 'node:crypto'
import type { Tx, WriteTx } from '../db/database.ts'
import { violates } from '../db/sql-state.ts'
import { ApiError, type FieldFault, invalid } from '../errors.ts'
import { type Author, recordEvent } from '../events/outbox.ts'
import { readOnlyFaults } from '../http/read-only.ts'
import { pageOf } from '../http/schemas.ts'
import { parseDocumento } from './documento.ts'
import {
  countParceiros,
  findParceiro,
  insertParceiro,
  listParceiros,
  removeParceiro,
  replaceParceiro,
} from './queries.ts'
import type { NewParceiro, Parceiro, ParceiroFilter, ParceiroPatch } from './schema.ts'

export async function getParceiro(tx: Tx, id: string): Promise<Parceiro> {
  return (await findParceiro(tx, id)) ?? notFound()
}

export async function nomeOfParceiro(tx: Tx, id: string): Promise<string | undefined> {
  return (await findParceiro(tx, id))?.nome
}

export async function pageOfParceiros(tx: Tx, filter: ParceiroFilter) {
  const page = pageOf(filter)
  const [items, total] = await Promise.all([
    listParceiros(tx, filter, page),
    countParceiros(tx, filter),
  ])
  return { items, total, ...page }
}

export async function createParceiro(
  tx: WriteTx,
  by: Author,
  body: NewParceiro,
): Promise<Parceiro> {
  const documento = body.documento ?? null
  refuseFaults(documentoFaults(documento))
  const row = {
    id: randomUUIDv7(),
    nome: body.nome,
    tipo: body.tipo ?? 'cliente',
    documento: documento && parseDocumento(documento)!,
    email: body.email ?? null,
    telefone: body.telefone ?? null,
    ativo: body.ativo ?? true,
    observacoes: body.observacoes ?? null,
  }
  const item = await insertParceiro(tx, row).catch(refuseDuplicate)
  recordEvent(tx, by, 'parceiro.created', item)
  return item
}

export async function updateParceiro(
  tx: WriteTx,
  by: Author,
  id: string,
  patch: ParceiroPatch,
): Promise<Parceiro> {
  const before = (await findParceiro(tx, id)) ?? notFound()
  const { documento } = patch
  refuseFaults([
    ...readOnlyFaults(patch, before, ['id', 'criado_em', 'atualizado_em']),
    ...(documento === undefined ? [] : documentoFaults(documento)),
  ])
  const after = {
    ...before,
    ...patch,
    ...(documento && { documento: parseDocumento(documento)! }),
  } as Parceiro
  const fields = Object.keys(after) as (keyof Parceiro)[]
  if (fields.every((field) => before[field] === after[field])) return before
  const item = await replaceParceiro(tx, after).catch(refuseDuplicate)
  recordEvent(tx, by, 'parceiro.updated', item)
  return item
}

export async function deleteParceiro(tx: WriteTx, by: Author, id: string): Promise<Parceiro> {
  const removed = await removeParceiro(tx, id).catch((error: unknown) => {
    if (violates(error, 'lancamentos_parceiro')) throw new ApiError('parceiro-in-use')
    throw error
  })
  const item = removed ?? notFound()
  recordEvent(tx, by, 'parceiro.deleted', item)
  return item
}

function documentoFaults(documento: string | null): FieldFault[] {
  if (documento === null || parseDocumento(documento) !== undefined) return []
  return [{ field: 'documento', message: 'deve ser um CPF ou CNPJ válido' }]
}

function refuseFaults(faults: FieldFault[]): void {
  if (faults.length > 0) throw invalid('invalid-body', faults)
}

function refuseDuplicate(error: unknown): never {
  if (violates(error, 'parceiros_documento')) throw new ApiError('duplicate-documento')
  throw error
}

function notFound(): never {
  throw new ApiError('not-found', { detail: 'O parceiro não existe nesta empresa.' })
}

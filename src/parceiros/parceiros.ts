import { randomUUIDv7 } from 'node:crypto'
import type { Tx, WriteTx } from '../db/database.ts'
import { violates } from '../db/sql-state.ts'
import { ApiError, invalid } from '../errors.ts'
import { type Author, recordEvent } from '../events/outbox.ts'
import { parseDocumento } from '../http/documento.ts'
import { readOnlyFaults } from '../http/read-only.ts'
import { pageOf } from '../http/schemas.ts'
import type { Payer } from '../providers/provider.ts'
import {
  countParceiros,
  findParceiro,
  insertParceiro,
  listParceiros,
  removeParceiro,
  replaceParceiro,
} from './queries.ts'
import type { NewParceiro, Parceiro, ParceiroBusca, ParceiroPatch } from './schema.ts'

export async function getParceiro(tx: Tx, id: string): Promise<Parceiro> {
  return (await findParceiro(tx, id)) ?? notFound()
}

export async function nomeOfParceiro(tx: Tx, id: string): Promise<string | undefined> {
  return (await findParceiro(tx, id))?.nome
}

/** The partner as whoever is charged, where there is one. */
export async function payerOf(tx: Tx, id: string): Promise<Payer | undefined> {
  return findParceiro(tx, id)
}

export async function pageOfParceiros(tx: Tx, filter: ParceiroBusca) {
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
  const row = {
    id: randomUUIDv7(),
    nome: body.nome,
    tipo: body.tipo ?? 'cliente',
    documento: bareDocumento(body.documento ?? null),
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
  const faults = readOnlyFaults(patch, before, ['id', 'criado_em', 'atualizado_em'])
  if (faults.length > 0) throw invalid('invalid-body', faults)
  const { documento = before.documento } = patch
  const after = { ...before, ...patch, documento: bareDocumento(documento) } as Parceiro
  const fields = Object.keys(after) as (keyof Parceiro)[]
  if (fields.every((field) => before[field] === after[field])) return before
  const item = await replaceParceiro(tx, after).catch(refuseDuplicate)
  recordEvent(tx, by, 'parceiro.updated', item)
  return item
}

export async function deleteParceiro(tx: WriteTx, by: Author, id: string): Promise<Parceiro> {
  const removed = await removeParceiro(tx, id).catch((error: unknown) => {
    const inUse = ['lancamentos_parceiro', 'cobrancas_parceiro'].some((by) => violates(error, by))
    throw inUse ? new ApiError('parceiro-in-use') : error
  })
  const item = removed ?? notFound()
  recordEvent(tx, by, 'parceiro.deleted', item)
  return item
}

/** As it is kept. That it is one was judged with the rest of the body. */
function bareDocumento(documento: string | null): string | null {
  return documento === null ? null : parseDocumento(documento)!
}

function refuseDuplicate(error: unknown): never {
  if (violates(error, 'parceiros_documento')) throw new ApiError('duplicate-documento')
  throw error
}

function notFound(): never {
  throw new ApiError('not-found', { detail: 'O parceiro não existe nesta empresa.' })
}

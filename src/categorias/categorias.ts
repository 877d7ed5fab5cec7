import { randomUUIDv7 } from 'node:crypto'
import type { Tx, WriteTx } from '../db/database.ts'
import { violates } from '../db/sql-state.ts'
import { ApiError, type FieldFault, invalid } from '../errors.ts'
import { type Author, recordEvent } from '../events/outbox.ts'
import { readOnlyFaults } from '../http/read-only.ts'
import { pageOf } from '../http/schemas.ts'
import {
  countCategorias,
  findCategoria,
  hasSubcategorias,
  insertCategoria,
  listCategorias,
  listChaves,
  removeCategoria,
  replaceCategoria,
} from './queries.ts'
import type { Categoria, CategoriaFilter, CategoriaPatch } from './schema.ts'

export async function getCategoria(tx: Tx, id: string): Promise<Categoria> {
  return (await findCategoria(tx, id)) ?? notFound('A categoria não existe nesta empresa.')
}

export async function categoriaExists(tx: Tx, id: string): Promise<boolean> {
  return (await findCategoria(tx, id)) !== undefined
}

export async function pageOfCategorias(tx: Tx, filter: CategoriaFilter) {
  const page = pageOf(filter)
  const [items, total] = await Promise.all([listCategorias(tx, page), countCategorias(tx)])
  return { items, total, ...page }
}

/** An area, or a subcategory of one. */
export async function createCategoria(
  tx: WriteTx,
  by: Author,
  nome: string,
  areaId: string | null = null,
): Promise<Categoria> {
  const categoria = { id: randomUUIDv7(), nome, chave: foldName(nome), areaId }
  const item = await insertCategoria(tx, categoria).catch(refuseDuplicate)
  recordEvent(tx, by, 'categoria.created', item)
  return item
}

export async function createSubcategoria(
  tx: WriteTx,
  by: Author,
  areaId: string,
  nome: string,
): Promise<Categoria> {
  const area = await findCategoria(tx, areaId)
  // There are two levels: what is in an area is none itself.
  if (area?.area_id !== null) notFound('A área não existe nesta empresa.')
  return createCategoria(tx, by, nome, areaId)
}

/** Renames, and moves: into another area, out of one, or, where it holds nothing, into one. */
export async function updateCategoria(
  tx: WriteTx,
  by: Author,
  id: string,
  patch: CategoriaPatch,
): Promise<Categoria> {
  const before = await getCategoria(tx, id)
  const { nome = before.nome } = patch
  // An id is the same in either case; what is kept is in lower case.
  const area_id = patch.area_id === undefined ? before.area_id : lowerCase(patch.area_id)
  const faults = readOnlyFaults(patch, before, ['id', 'criado_em', 'atualizado_em'])
  const misplaced = area_id !== before.area_id && (await faultAsArea(tx, before.id, area_id))
  if (misplaced) faults.push(misplaced)
  if (faults.length > 0) throw invalid('invalid-body', faults)
  if (nome === before.nome && area_id === before.area_id) return before
  const after = { id, nome, chave: foldName(nome), areaId: area_id }
  const item = await replaceCategoria(tx, after).catch(refuseDuplicate)
  recordEvent(tx, by, 'categoria.updated', item)
  return item
}

function lowerCase(id: string | null): string | null {
  return id?.toLowerCase() ?? null
}

async function faultAsArea(
  tx: Tx,
  id: string,
  areaId: string | null,
): Promise<FieldFault | undefined> {
  if (areaId === null) return undefined
  const fault = (message: string) => ({ field: 'area_id', message })
  const area = await findCategoria(tx, areaId)
  if (!area) return fault('não existe nesta empresa')
  if (area.area_id !== null) return fault('é uma subcategoria; informe uma área')
  if (areaId === id) return fault('é a própria área')
  if (await hasSubcategorias(tx, id)) {
    return fault('esta área tem subcategorias; mova ou exclua-as antes')
  }
  return undefined
}

export async function deleteCategoria(tx: WriteTx, by: Author, id: string): Promise<Categoria> {
  const removed = await removeCategoria(tx, id).catch((error: unknown) => {
    if (violates(error, 'categorias_area')) {
      const detail = 'A área tem subcategorias e não pode ser excluída; mova ou exclua-as antes.'
      throw new ApiError('categoria-in-use', { detail })
    }
    throw violates(error, 'lancamentos_categoria') ? new ApiError('categoria-in-use') : error
  })
  const item = removed ?? notFound('A categoria não existe nesta empresa.')
  recordEvent(tx, by, 'categoria.deleted', item)
  return item
}

/**
 * Finds categories by name, written as a person would: a subcategory alone where no other has its name, or
 * after its area, as in `Custos > Aluguel`. More than one may be meant.
 */
export async function categoriasByNome(tx: Tx): Promise<(nome: string) => string[]> {
  const ids = new Map<string, string[]>()
  for (const { id, chave, area } of await listChaves(tx)) {
    for (const name of area === null ? [chave] : [chave, `${area}\n${chave}`]) {
      ids.set(name, [...(ids.get(name) ?? []), id])
    }
  }
  return (nome) => {
    if (nome.length > MAX_WRITTEN) return []
    const folded = foldName(nome)
    const written = [folded, ...MARKS.map((mark) => folded.replace(mark, '\n'))]
    return written.map((each) => ids.get(each)).find((found) => found) ?? []
  }
}

/** Two names and what stands between them are never longer, and to look for it in more takes its time. */
const MAX_WRITTEN = 1000

/** What stands between an area and its subcategory; the likeliest first, for a name may hold one too. */
const MARKS = [/\s*›\s*/, /\s*>\s*/, /\s*\/\s*/]

/** Names that differ only in case or in their Unicode form are the same name. There and back: ẞ, ß, ss. */
function foldName(nome: string): string {
  return nome.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}

function refuseDuplicate(error: unknown): never {
  if (!violates(error, 'categorias_nome')) throw error
  throw new ApiError('duplicate-name', { detail: 'Já existe uma categoria com este nome.' })
}

function notFound(detail: string): never {
  throw new ApiError('not-found', { detail })
}

import { randomUUIDv7 } from 'node:crypto'
import type { Tx, WriteTx } from '../db/database.ts'
import { violates } from '../db/sql-state.ts'
import { ApiError } from '../errors.ts'
import { type Author, recordEvent } from '../events/outbox.ts'
import { pageOf } from '../http/schemas.ts'
import { countCategorias, findCategoria, insertCategoria, listCategorias } from './queries.ts'
import type { Categoria, CategoriaFilter } from './schema.ts'

export async function getCategoria(tx: Tx, id: string): Promise<Categoria> {
  const row = await findCategoria(tx, id)
  if (row) return row
  throw new ApiError('not-found', { detail: 'A categoria não existe nesta empresa.' })
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
  const item = await insertCategoria(tx, categoria).catch((error: unknown) => {
    if (!violates(error, 'categorias_nome')) throw error
    throw new ApiError('duplicate-name', { detail: 'Já existe uma categoria com este nome.' })
  })
  recordEvent(tx, by, 'categoria.created', item)
  return item
}

/** Names that differ only in case or in their Unicode form are the same name. There and back: ẞ, ß, ss. */
function foldName(nome: string): string {
  return nome.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}

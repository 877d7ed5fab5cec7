import { randomUUIDv7 } from 'node:crypto'
import type { Tx, WriteTx } from '../db/database.ts'
import { violates } from '../db/sql-state.ts'
import { ApiError } from '../errors.ts'
import { type Author, recordEvent } from '../events/outbox.ts'
import { pageOf } from '../http/schemas.ts'
import { countCategorias, findCategoria, insertCategoria, listCategorias } from './queries.ts'
import type { Categoria, CategoriaFilter, NewCategoria } from './schema.ts'

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

/** The API makes areas; subcategories are made in the application. */
export async function createArea(
  tx: WriteTx,
  by: Author,
  { nome }: NewCategoria,
): Promise<Categoria> {
  const area = { id: randomUUIDv7(), nome, chave: foldName(nome), areaId: null }
  const item = await insertCategoria(tx, area).catch((error: unknown) => {
    if (!violates(error, 'categorias_nome')) throw error
    throw new ApiError('duplicate-name', { detail: 'Já existe uma área com este nome.' })
  })
  recordEvent(tx, by, 'categoria.created', item)
  return item
}

/** Names that differ only in case or in their Unicode form are the same name. */
export function foldName(nome: string): string {
  return nome.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

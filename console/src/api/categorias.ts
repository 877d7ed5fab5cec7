import { queryOptions } from '@tanstack/react-query'
import type { Categoria, CategoriaPatch } from '../../../src/categorias/schema.ts'
import { get, patch, post, remove } from './call.ts'

const base = (empresa: string, id?: string) =>
  id ? `/e/${empresa}/categorias/${id}` : `/e/${empresa}/categorias`

export interface Area extends Categoria {
  subcategorias: Categoria[]
}

/** Everything that is known of a company's categories starts with this key. */
export const categoriasKey = (empresa: string) => ['e', empresa, 'categorias']

/** As many as the API tells at once. */
const PAGE = 1000

/** All areas, each with its subcategories: they are few, and a choice among them needs them all. */
export const areasQuery = (empresa: string) =>
  queryOptions({
    queryKey: [...categoriasKey(empresa), 'areas'],
    queryFn: async ({ signal }) => {
      const all: Categoria[] = []
      for (let total = 1; all.length < total; ) {
        const page = `${base(empresa)}?limit=${PAGE}&offset=${all.length}`
        const found = await get<{ items: Categoria[]; total: number }>(page, signal)
        all.push(...found.items)
        total = found.items.length > 0 ? found.total : 0
      }
      return areasOf(all)
    },
  })

function areasOf(categorias: Categoria[]): Area[] {
  const within = Map.groupBy(categorias, ({ area_id }) => area_id)
  return (within.get(null) ?? []).map((area) => ({
    ...area,
    subcategorias: within.get(area.id) ?? [],
  }))
}

export const createArea = (empresa: string, nome: string) =>
  post<{ item: Categoria }>(base(empresa), { nome })
export const createSubcategoria = (empresa: string, area: string, nome: string) =>
  post<{ item: Categoria }>(`${base(empresa, area)}/subcategorias`, { nome })
export const changeCategoria = (empresa: string, id: string, values: CategoriaPatch) =>
  patch<{ item: Categoria }>(base(empresa, id), values)
export const removeCategoria = (empresa: string, id: string) => remove(base(empresa, id))

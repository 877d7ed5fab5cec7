import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Livro } from '../../../src/lancamentos/livro-schema.ts'
import type {
  NewParceiro,
  Parceiro,
  ParceiroBusca,
  ParceiroPatch,
} from '../../../src/parceiros/schema.ts'
import { get, patch, post, remove } from './call.ts'
import { lancamentosKey } from './lancamentos.ts'
import { queryOf } from './query.ts'

const base = (empresa: string, id?: string) =>
  id ? `/e/${empresa}/parceiros/${id}` : `/e/${empresa}/parceiros`

interface Parceiros {
  items: Parceiro[]
  total: number
  limit: number
  offset: number
}

/** Everything that is known of a company's partners starts with this key. */
export const parceirosKey = (empresa: string) => ['e', empresa, 'parceiros']

export const parceirosQuery = (empresa: string, filter: ParceiroBusca) =>
  queryOptions({
    queryKey: [...parceirosKey(empresa), 'list', filter],
    queryFn: ({ signal }) =>
      get<Parceiros>(`/e/${empresa}/parceiros-busca?${queryOf(filter)}`, signal),
    placeholderData: keepPreviousData,
  })

export const parceiroQuery = (empresa: string, id: string) =>
  queryOptions({
    queryKey: [...parceirosKey(empresa), id],
    queryFn: ({ signal }) => get<{ item: Parceiro }>(base(empresa, id), signal),
  })

/** The names of partners that other records refer to, at most a hundred, by id. */
export const nomesQuery = (empresa: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: [...parceirosKey(empresa), 'nomes', ids],
    queryFn: async ({ signal }) => {
      const query = queryOf({ ids, limit: ids.length })
      const found = await get<Parceiros>(`/e/${empresa}/parceiros-busca?${query}`, signal)
      return new Map(found.items.map(({ id, nome }) => [id, nome]))
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })

/** Of a partner: the latest entries, and what all of them amount to. */
export const parceiroLancamentosQuery = (empresa: string, id: string) =>
  queryOptions({
    queryKey: [...lancamentosKey(empresa), 'parceiro', id],
    queryFn: ({ signal }) =>
      get<Livro>(`/e/${empresa}/livro?${queryOf({ parceiro_id: id, limit: 25 })}`, signal),
  })

export const createParceiro = (empresa: string, values: NewParceiro, key: string) =>
  post<{ item: Parceiro }>(base(empresa), values, key)
export const changeParceiro = (empresa: string, id: string, values: ParceiroPatch) =>
  patch<{ item: Parceiro }>(base(empresa, id), values)
export const removeParceiro = (empresa: string, id: string) => remove(base(empresa, id))

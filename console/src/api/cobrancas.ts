import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Cobranca, CobrancaFilter, NewCobranca } from '../../../src/cobrancas/schema.ts'
import { get, post } from './call.ts'
import { queryOf } from './query.ts'

const base = (empresa: string, id?: string) =>
  id ? `/e/${empresa}/cobrancas/${id}` : `/e/${empresa}/cobrancas`

interface Cobrancas {
  items: Cobranca[]
  total: number
  limit: number
  offset: number
}

/** Everything that is known of a company's charges starts with this key. */
export const cobrancasKey = (empresa: string) => ['e', empresa, 'cobrancas']

export const cobrancasQuery = (empresa: string, filter: CobrancaFilter) =>
  queryOptions({
    queryKey: [...cobrancasKey(empresa), 'list', filter],
    queryFn: ({ signal }) => get<Cobrancas>(`${base(empresa)}?${queryOf(filter)}`, signal),
    placeholderData: keepPreviousData,
  })

export const cobrancaQuery = (empresa: string, id: string) =>
  queryOptions({
    queryKey: [...cobrancasKey(empresa), id],
    queryFn: ({ signal }) => get<{ item: Cobranca }>(base(empresa, id), signal),
  })

export const issueCobranca = (empresa: string, values: NewCobranca, key: string) =>
  post<{ item: Cobranca; reaproveitada: boolean }>(base(empresa), values, key)
export const cancelCobranca = (empresa: string, id: string) =>
  post<{ item: Cobranca }>(`${base(empresa, id)}/cancelar`)

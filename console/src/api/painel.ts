import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CentrosCusto, Painel } from '../../../src/painel/schema.ts'
import type { ResumoFilter } from '../../../src/resumo/schema.ts'
import { get } from './call.ts'

export const painelQuery = (empresa: string, filter: ResumoFilter) =>
  queryOptions({
    queryKey: ['e', empresa, 'painel', filter],
    queryFn: ({ signal }) =>
      get<Painel>(`/e/${empresa}/painel?${new URLSearchParams({ ...filter })}`, signal),
    placeholderData: keepPreviousData,
  })

export const centrosCustoQuery = (empresa: string) =>
  queryOptions({
    queryKey: ['e', empresa, 'painel', 'centros-custo'],
    queryFn: ({ signal }) => get<CentrosCusto>(`/e/${empresa}/centros-custo`, signal),
  })

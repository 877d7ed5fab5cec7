import { queryOptions } from '@tanstack/react-query'
import type { Livro, LivroFilter, Lote, LoteFeito } from '../../../src/lancamentos/livro-schema.ts'
import type { Lancamento, LancamentoPatch, NewLancamento } from '../../../src/lancamentos/schema.ts'
import { get, patch, post } from './call.ts'
import { queryOf } from './query.ts'

/** How many entries one request may change. */
export const LOTE_MAX = 500
/** How many entries are fetched at once. */
export const LIVRO_PAGE = 100

const base = (empresa: string) => `/e/${empresa}/lancamentos`

/** Everything that is known of a company's entries starts with this key. */
export const lancamentosKey = (empresa: string) => ['e', empresa, 'lancamentos']

export const livroQuery = (empresa: string, filter: LivroFilter, page: number) =>
  queryOptions({
    queryKey: [...lancamentosKey(empresa), 'livro', filter, page],
    queryFn: ({ signal }) => {
      const query = queryOf({ ...filter, limit: LIVRO_PAGE, offset: page * LIVRO_PAGE })
      return get<Livro>(`/e/${empresa}/livro?${query}`, signal)
    },
    // The pages that were scrolled past: those nearby are soon wanted again, the rest would only pile up.
    gcTime: 30_000,
  })

export const lancamentoQuery = (empresa: string, id: string) =>
  queryOptions({
    queryKey: [...lancamentosKey(empresa), 'one', id],
    queryFn: ({ signal }) => get<{ item: Lancamento }>(`${base(empresa)}/${id}`, signal),
  })

export const livroCsv = (empresa: string, filter: LivroFilter) =>
  `/app/api/e/${empresa}/livro.csv?${queryOf(filter)}`

export const createLancamento = (empresa: string, values: NewLancamento, key: string) =>
  post<{ item: Lancamento }>(base(empresa), values, key)
export const changeLancamento = (empresa: string, id: string, values: LancamentoPatch) =>
  patch<{ item: Lancamento }>(`${base(empresa)}/${id}`, values)
export const sendLote = (empresa: string, lote: Lote) =>
  post<LoteFeito>(`${base(empresa)}/lote`, lote)

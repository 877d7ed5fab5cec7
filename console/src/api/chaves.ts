import { queryOptions } from '@tanstack/react-query'
import { get, post } from './call.ts'

export interface Chave {
  id: string
  nome: string | null
  final: string
  scopes: string[]
  expira_em: string | null
  revogada_em: string | null
  criado_em: string
  usada_em: string | null
}

export const chavesQuery = (empresa: string) =>
  queryOptions({
    queryKey: ['e', empresa, 'chaves'],
    queryFn: ({ signal }) => get<{ items: Chave[] }>(`/e/${empresa}/chaves`, signal),
  })

export const createChave = (
  empresa: string,
  values: { nome: string; scopes: string[]; validade?: string },
) => post<{ id: string; key: string }>(`/e/${empresa}/chaves`, values)
export const revokeChave = (empresa: string, id: string) =>
  post(`/e/${empresa}/chaves/${id}/revogar`)

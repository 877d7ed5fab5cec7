import { queryOptions } from '@tanstack/react-query'
import type { Papel } from '../../../src/usuarios/papeis.ts'
import { get, post } from './call.ts'

interface Convite {
  empresa: string
  email: string | null
  papel: Papel
}

export const conviteQuery = (token: string) =>
  queryOptions({
    queryKey: ['convite', token],
    queryFn: ({ signal }) => get<Convite>(`/convites/${encodeURIComponent(token)}`, signal),
    // Once accepted it is gone, which is no reason to ask again.
    staleTime: Number.POSITIVE_INFINITY,
  })

export const acceptConvite = (
  token: string,
  values: { email?: string; nome: string; senha: string },
) => post(`/convites/${encodeURIComponent(token)}`, values)

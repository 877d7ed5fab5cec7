import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Modulo } from '../../../src/auth/actor.ts'
import type { Papel } from '../../../src/usuarios/papeis.ts'
import { get, post } from './call.ts'

export interface Empresa {
  id: string
  nome: string
  papel: Papel
  fuso_horario: string
  modulos: Modulo[]
}

interface Eu {
  id: string
  nome: string
  email: string
  empresas: Empresa[]
}

export const euQuery = queryOptions({
  queryKey: ['eu'],
  queryFn: ({ signal }) => get<Eu>('/eu', signal),
  staleTime: 60_000,
})

export const signIn = (values: { email: string; senha: string }) => post('/entrar', values)
export const signOut = () => post('/sair')
export const changePassword = (values: { atual: string; nova: string }) => post('/senha', values)

const company = getRouteApi('/e/$empresa')

export const useEu = () => useSuspenseQuery(euQuery).data

/** The company whose screens are shown, and what the person may do in it. */
export function useEmpresa(): Empresa & { isAdmin: boolean; mayWrite: boolean } {
  const { empresa } = company.useParams()
  const found = useEu().empresas.find(({ id }) => id === empresa)
  // The route lets only companies in that the person belongs to; one may be lost while it is shown.
  if (!found) throw new Error('A empresa não está mais ao seu alcance.')
  return { ...found, isAdmin: found.papel === 'admin', mayWrite: found.papel !== 'leitura' }
}

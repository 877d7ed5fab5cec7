import { queryOptions } from '@tanstack/react-query'
import type { Modulo } from '../../../src/auth/actor.ts'
import type { Papel } from '../../../src/usuarios/papeis.ts'
import { get, patch, post, remove } from './call.ts'

export interface Usuario {
  id: string
  nome: string
  email: string
  papel: Papel
  criado_em: string
}

export interface ConvitePendente {
  id: string
  email: string | null
  papel: Papel
  expira_em: string
}

interface Usuarios {
  items: Usuario[]
  convites: ConvitePendente[]
}

export const changeEmpresa = (
  empresa: string,
  values: { nome?: string; fuso_horario?: string; modulos?: Modulo[] },
) => patch(`/e/${empresa}/empresa`, values)

export const usuariosQuery = (empresa: string) =>
  queryOptions({
    queryKey: ['e', empresa, 'usuarios'],
    queryFn: ({ signal }) => get<Usuarios>(`/e/${empresa}/usuarios`, signal),
  })

export const invite = (empresa: string, values: { email: string; papel: Papel }) =>
  post<{ link: string }>(`/e/${empresa}/convites`, values)
export const cancelInvite = (empresa: string, id: string) => remove(`/e/${empresa}/convites/${id}`)
export const changePapel = (empresa: string, id: string, papel: Papel) =>
  patch(`/e/${empresa}/usuarios/${id}`, { papel })
export const removeUsuario = (empresa: string, id: string) => remove(`/e/${empresa}/usuarios/${id}`)

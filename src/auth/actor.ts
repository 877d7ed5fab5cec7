import { ApiError } from '../errors.ts'

/** Parts of the product that a company may have switched on. */
export const MODULOS = ['cobrancas', 'integracoes'] as const
export type Modulo = (typeof MODULOS)[number]

/** Who calls, for which company, and what they may do. */
export interface Actor {
  tenantId: string
  kind: 'chave' | 'usuario'
  /** Of the key, or of the person. */
  id: string
  scopes: string[]
  modulos: Modulo[]
  /** The company's time zone, which says what day it is for it. */
  fusoHorario: string
}

/** Refuses where the company has not switched on the module that a route is of. */
export function requireModulo({ modulos }: Actor, modulo: Modulo | undefined): void {
  if (modulo === undefined || modulos.includes(modulo)) return
  throw new ApiError('module-required', {
    detail: `O módulo ${modulo} não está ativo nesta empresa.`,
  })
}

import { FULL_SCOPES, SCOPES, type Scope } from '../auth/scopes.ts'

/** What a person may do in a company. */
export const PAPEIS = ['admin', 'financeiro', 'leitura'] as const
export type Papel = (typeof PAPEIS)[number]

/** The books and charges are of whoever does finance; keys, webhooks and people of whoever administers. */
const SCOPES_OF: Record<Papel, Scope[]> = {
  admin: FULL_SCOPES,
  financeiro: [...FULL_SCOPES.filter((scope) => !scope.startsWith('webhooks:')), 'webhooks:read'],
  leitura: SCOPES.filter((scope) => scope.endsWith(':read')),
}

export function scopesOf(papel: Papel): Scope[] {
  return SCOPES_OF[papel]
}

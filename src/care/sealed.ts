import type { CareTx } from '../db/database.ts'
import { keyIdOf, type SecretBox } from '../secret-box.ts'

/** Where sealed secrets are; each is bound to its company and to its row's id. */
const COLUMNS = [
  ['webhooks', 'secret'],
  ['webhooks', 'secret_anterior'],
  ['provedor_contas', 'api_key'],
] as const

/** What an export leaves out: secrets, and by what they could be tried. */
export const SECRET_COLUMNS: Record<string, string[]> = {
  webhooks: ['secret', 'secret_anterior'],
  provedor_contas: ['api_key', 'token_hash'],
  chaves: ['hash'],
  convites: ['token_hash'],
}

export interface Sealed {
  table: (typeof COLUMNS)[number][0]
  column: (typeof COLUMNS)[number][1]
  tenant_id: string
  id: string
  sealed: string
}

export function sealedSecrets(tx: CareTx): Promise<Sealed[]> {
  const all = COLUMNS.map(
    ([table, column]) =>
      `select '${table}' as table, '${column}' as column, tenant_id, id, ${column} as sealed
       from ${table} where ${column} is not null`,
  )
  return tx.query<Sealed>(all.join(' union all '))
}

/** The ids of the keys that it takes to open them all. */
export function keysOf(secrets: readonly Sealed[]): string[] {
  return [...new Set(secrets.map(({ sealed }) => keyIdOf(sealed)))].sort()
}

/** The secret, or nothing where no key of the box opens it. */
export function tryOpen(box: SecretBox, { sealed, tenant_id, id }: Sealed): string | undefined {
  try {
    return box.open(sealed, tenant_id, id)
  } catch {
    return undefined
  }
}

import { randomUUIDv7 } from 'node:crypto'
import { hashKey, makeKey } from '../auth/api-key.ts'
import { LEGACY_SCOPES, SCOPES } from '../auth/scopes.ts'
import type { Database } from '../db/database.ts'
import { isUuid } from '../db/uuid.ts'
import { findEmpresa } from '../empresas/empresas.ts'
import { OperatorError } from '../errors.ts'

interface Chave {
  id: string
  nome: string | null
  final: string
  scopes: string[]
  expira_em: string | null
  revogada_em: string | null
  /** To the minute. */
  usada_em: string | null
  criado_em: string
}

interface NewChave {
  empresa: string
  scopes: string[]
  nome?: string | undefined
  /** A day, to its end in the company's time zone, or an instant. */
  expiresAt?: string | undefined
}

export async function createChave(db: Database, chave: NewChave) {
  const { nome = null, scopes, expiresAt } = chave
  refuseUnknownScopes(scopes)
  const empresa = await findEmpresa(db, chave.empresa)
  const expiraEm = expiresAt === undefined ? null : endOfValidity(expiresAt, empresa.fuso_horario)
  const id = randomUUIDv7()
  const key = makeKey()
  await db.write(empresa.id, (tx) =>
    tx.query(
      `insert into chaves (tenant_id, id, nome, hash, final, scopes, expira_em)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [tx.tenantId, id, nome, hashKey(key), key.slice(-4), scopes, expiraEm],
    ),
  )
  return { id, key }
}

export async function listChaves(db: Database, empresaId: string): Promise<Chave[]> {
  const empresa = await findEmpresa(db, empresaId)
  return db.reader(empresa.id).query<Chave>(
    `select id, nome, final, scopes, expira_em, revogada_em, usada_em, criado_em
     from chaves where tenant_id = $1 order by criado_em, id`,
    [empresa.id],
  )
}

/** Revoking twice is no mistake: the first moment stays. */
export async function revokeChave(db: Database, id: string): Promise<void> {
  const [found] = isUuid(id)
    ? await db
        .system('lastro_operator')
        .query<{ tenant_id: string }>('select tenant_id from chaves where id = $1', [id])
    : []
  if (!found) throw new OperatorError(`There is no key ${id}; \`chaves list\` shows a company's.`)
  await db.write(found.tenant_id, (tx) =>
    tx.query(
      `update chaves set revogada_em = coalesce(revogada_em, clock_timestamp())
       where tenant_id = $1 and id = $2`,
      [tx.tenantId, id],
    ),
  )
}

function refuseUnknownScopes(scopes: string[]): void {
  const known: readonly string[] = [...SCOPES, ...LEGACY_SCOPES]
  const unknown = scopes.filter((scope) => !known.includes(scope))
  if (scopes.length === 0) throw new OperatorError('A key needs at least one scope.')
  if (unknown.length === 0) return
  throw new OperatorError(`Unknown scope ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
}

function endOfValidity(text: string, timeZone: string): string {
  try {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.Instant.from(text).toString()
    const nextDay = Temporal.PlainDate.from(text).add({ days: 1 })
    return nextDay.toZonedDateTime(timeZone).toInstant().toString()
  } catch {
    throw new OperatorError(
      `${text} is neither a day (2027-12-31) nor an instant (2027-12-31T23:59:59Z).`,
    )
  }
}

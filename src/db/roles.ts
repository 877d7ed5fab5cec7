import type pg from 'pg'
import { OperatorError } from '../errors.ts'
import { sqlState } from './sql-state.ts'

/** No role here can sign in, own anything or pass by row-level security: transactions put them on. */
export const ROLES = [
  'lastro_app',
  'lastro_auth',
  'lastro_care',
  'lastro_operator',
  'lastro_worker',
] as const

/**
 * Makes the roles that are missing. They belong to the whole server, so two databases may be at it at
 * once: whoever comes second finds them made.
 */
export async function ensureRoles(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: string; exists: boolean; user: string }>(
    `select role, r.rolname is not null as exists, current_user as user
     from unnest($1::text[]) as role
     left join pg_roles r on r.rolname = role
     where r.rolname is null or not pg_has_role(current_user, r.oid, 'member')`,
    [ROLES],
  )
  const statements = rows.flatMap(({ role, exists, user }) => [
    ...(exists ? [] : [`create role ${role} nologin`]),
    `grant ${role} to ${client.escapeIdentifier(user)}`,
  ])
  for (const statement of statements) {
    await client.query(statement).catch((error: unknown) => {
      const state = sqlState(error)
      // duplicate_object, unique_violation: another database made it in the meantime.
      if (state === '42710' || state === '23505') return
      if (state !== '42501') throw error
      throw new OperatorError(
        `The database user may not create Lastro's roles. Have someone who may run this once:\n${statements.map((s) => `  ${s};`).join('\n')}`,
      )
    })
  }
}

import { Type } from 'typebox'
import { SCOPES } from '../auth/scopes.ts'
import { isUuid } from '../db/uuid.ts'
import { ApiError } from '../errors.ts'
import type { Api, Slice } from '../http/api.ts'
import { Day, Enum, Exactly, Nullable, Text } from '../http/schemas.ts'
import { createChave, listChaves, revokeChave } from './chaves.ts'

const NovaChave = Exactly({
  nome: Text(1, 200),
  scopes: Type.Array(Enum(SCOPES), { minItems: 1, uniqueItems: true }),
  /** To the end of this day. */
  validade: Type.Optional(Nullable(Day())),
})

/** The keys of a company, in the application: whoever administers it makes and revokes them. */
export function chavesRoutes(api: Api, { db }: Slice): void {
  const admin = { config: { papel: 'admin' as const } }

  api.get('/chaves', admin, async ({ actor }) => ({ items: await listChaves(db, actor.tenantId) }))

  api.post('/chaves', { ...admin, schema: { body: NovaChave } }, async (request, reply) => {
    const { nome, scopes, validade } = request.body
    const made = await createChave(db, {
      empresa: request.actor.tenantId,
      nome,
      scopes,
      expiresAt: validade ?? undefined,
    })
    return reply.code(201).send(made)
  })

  api.post<{ Params: { id: string } }>('/chaves/:id/revogar', admin, async ({ actor, params }) => {
    const own = (await listChaves(db, actor.tenantId)).some(({ id }) => id === params.id)
    if (!isUuid(params.id) || !own) {
      throw new ApiError('not-found', { detail: 'A chave não existe nesta empresa.' })
    }
    await revokeChave(db, params.id)
    return { ok: true }
  })
}

import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'
import type { Api, Slice } from '../http/api.ts'
import { Enum, Exactly, pathId } from '../http/schemas.ts'
import { conviteLink } from './commands.ts'
import { PAPEIS } from './papeis.ts'
import { deleteConvite, listConvites, listMembros } from './queries.ts'
import { Email } from './schema.ts'
import { invite, removeMembro, setPapel } from './usuarios.ts'

const NovoConvite = Exactly({
  email: Email,
  papel: Enum(PAPEIS),
})
const NovoPapel = Exactly({ papel: Enum(PAPEIS) })

interface Options extends Slice {
  config: Pick<Config, 'publicUrl'>
}

/** The people of a company: whoever administers it says who they are. */
export function usuariosRoutes(api: Api, { db, config }: Options): void {
  const admin = { config: { papel: 'admin' as const } }

  api.get('/usuarios', admin, async ({ actor }) => {
    const tx = db.reader(actor.tenantId)
    const [items, convites] = await Promise.all([listMembros(tx), listConvites(tx)])
    return { items, convites }
  })

  api.post('/convites', { ...admin, schema: { body: NovoConvite } }, async (request, reply) => {
    const { email, papel } = request.body
    const token = await db.write(request.actor.tenantId, (tx) => invite(tx, email, papel))
    return reply.code(201).send({ link: conviteLink(config, token) })
  })

  api.delete<{ Params: { id: string } }>('/convites/:id', admin, async ({ actor, params }) => {
    const id = pathId(params)
    if (await db.write(actor.tenantId, (tx) => deleteConvite(tx, id))) return { ok: true }
    throw new ApiError('not-found', { detail: 'O convite não existe.' })
  })

  api.patch<{ Params: { id: string }; Body: { papel: (typeof PAPEIS)[number] } }>(
    '/usuarios/:id',
    { ...admin, schema: { body: NovoPapel } },
    async ({ actor, params, body }) => {
      const id = pathId(params)
      await db.write(actor.tenantId, (tx) => setPapel(tx, id, body.papel))
      return { ok: true }
    },
  )

  api.delete<{ Params: { id: string } }>('/usuarios/:id', admin, async ({ actor, params }) => {
    const id = pathId(params)
    await db.write(actor.tenantId, (tx) => removeMembro(tx, id))
    return { ok: true }
  })
}

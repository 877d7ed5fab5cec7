import { Type } from 'typebox'
import { MODULOS } from '../auth/actor.ts'
import type { Api, Slice } from '../http/api.ts'
import { Enum, Exactly, Text } from '../http/schemas.ts'
import { findEmpresa, updateEmpresa } from './empresas.ts'

const EmpresaPatch = Exactly(
  {
    nome: Type.Optional(Text(1, 200)),
    fuso_horario: Type.Optional(Type.String({ format: 'time-zone' })),
    modulos: Type.Optional(Type.Array(Enum(MODULOS), { uniqueItems: true })),
  },
  { minProperties: 1 },
)

/** The company itself, in the application. */
export function empresaRoutes(api: Api, { db }: Slice): void {
  api.get('/empresa', async ({ actor }) => ({ item: await findEmpresa(db, actor.tenantId) }))

  api.patch(
    '/empresa',
    { config: { papel: 'admin' }, schema: { body: EmpresaPatch } },
    async ({ actor, body }) => ({ item: await updateEmpresa(db, actor.tenantId, body) }),
  )
}

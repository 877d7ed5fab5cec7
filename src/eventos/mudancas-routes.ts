import { Type } from 'typebox'
import { type EventKind, resourceOf } from '../events/catalogue.ts'
import type { Api, Slice } from '../http/api.ts'
import { Exactly } from '../http/schemas.ts'
import { kindsSince } from './queries.ts'
import { Mudancas } from './schema.ts'

const schema = {
  querystring: Exactly({ desde: Type.Optional(Type.Integer({ minimum: 0 })) }),
  response: { 200: Mudancas },
}

/** What an open page asks every moment: whether what it shows has changed elsewhere. */
export function mudancasRoutes(company: Api, { db }: Slice): void {
  company.get('/mudancas', { schema }, async ({ actor, query: { desde } }) => {
    const after = desde && Math.min(desde, Number.MAX_SAFE_INTEGER)
    const { seq, kinds } = await kindsSince(db.reader(actor.tenantId), after)
    const recursos = new Set(kinds.map((kind) => resourceOf(kind as EventKind)))
    return { seq: Number(seq), recursos: [...recursos] }
  })
}

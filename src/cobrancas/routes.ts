import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { todayIn } from '../clock.ts'
import type { WriteTx } from '../db/database.ts'
import { type Api, authorOf, type Slice } from '../http/api.ts'
import { IdempotencyHeaders, unbindKey } from '../http/idempotency.ts'
import { Exactly, IdParams, ItemOf, ListOf, NoQuery, pathId, Ref } from '../http/schemas.ts'
import type { Accounts } from '../provedores/contas.ts'
import { getCobranca, getSettled, intendCobranca, pageOfCobrancas } from './cobrancas.ts'
import type { Issuer } from './issuer.ts'
import type { CobrancaRow } from './queries.ts'
import { Cobranca, CobrancaFilter, NewCobranca } from './schema.ts'

const tags = ['Cobranças']
const modulo = 'cobrancas'
const issued = Exactly({
  item: Ref(Cobranca),
  reaproveitada: Type.Boolean({
    description: 'Se a Idempotency-Key é repetida e a cobrança já existia.',
  }),
})

const list = {
  summary: 'Lista cobranças',
  description: 'Da mais recente à mais antiga.',
  tags,
  querystring: CobrancaFilter,
  response: { 200: ListOf(Ref(Cobranca)) },
}
const create = {
  summary: 'Emite uma cobrança',
  description:
    'Sem Idempotency-Key, cada chamada emite uma cobrança. Repetir a chave responde 200 com a mesma cobrança, e nada novo é emitido.',
  tags,
  headers: IdempotencyHeaders,
  querystring: NoQuery,
  body: NewCobranca,
  response: { 200: issued, 201: issued },
}
const find = {
  summary: 'Busca uma cobrança',
  tags,
  params: IdParams,
  querystring: NoQuery,
  response: { 200: ItemOf(Ref(Cobranca)) },
}

interface CobrancasSlice extends Slice {
  accounts: Accounts
  issuer: Issuer
}

export function cobrancasRoutes(api: Api, slice: CobrancasSlice): void {
  const { db, clock, idempotent, accounts, issuer } = slice
  const today = ({ actor }: FastifyRequest) => todayIn(actor.fusoHorario, clock)
  const show = (item: object, reaproveitada: boolean) => ({ item, reaproveitada })
  api.addSchema(Cobranca)

  api.get('/cobrancas', { config: { scope: 'cobrancas:read', modulo }, schema: list }, (request) =>
    pageOfCobrancas(db.reader(request.actor.tenantId), request.query, today(request)),
  )

  api.post(
    '/cobrancas',
    {
      config: {
        scope: 'cobrancas:write',
        modulo,
        refusals: [
          'payment-account-not-connected',
          'parceiro-sem-documento',
          'provider-refused',
          'provider-unavailable',
        ],
      },
      schema: create,
      preParsing: idempotent.lookUp(
        'cobrancas',
        (tx, id, request) => getSettled(tx, id, today(request)),
        show,
      ),
    },
    (request, reply) => {
      const intend = (tx: WriteTx) => intendCobranca(tx, accounts, request.body, today(request))
      const finish = (row: CobrancaRow) =>
        issuer.issue(request.actor.tenantId, authorOf(request), row, (tx) => unbindKey(tx, request))
      return idempotent.create(request, reply, intend, { finish, show })
    },
  )

  api.get(
    '/cobrancas/:id',
    { config: { scope: 'cobrancas:read', modulo }, schema: find },
    async (request) => ({
      item: await getCobranca(
        db.reader(request.actor.tenantId),
        pathId(request.params),
        today(request),
      ),
    }),
  )
}

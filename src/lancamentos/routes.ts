import { todayIn } from '../clock.ts'
import { type Api, authorOf, type Slice, sendJson } from '../http/api.ts'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import { IdParams, ItemOf, ListOf, NoQuery, pathId, Ref } from '../http/schemas.ts'
import {
  createLancamento,
  deleteLancamento,
  getLancamento,
  lancamentoAsText,
  lancamentosAsText,
  updateLancamento,
} from './lancamentos.ts'
import { Lancamento, LancamentoFilter, LancamentoPatch, NewLancamento } from './schema.ts'

const tags = ['Lançamentos']
const item = ItemOf(Ref(Lancamento))
const one = { tags, params: IdParams, querystring: NoQuery, response: { 200: item } }

const list = {
  summary: 'Lista lançamentos',
  description: 'Do mais recente ao mais antigo, pela data.',
  tags,
  querystring: LancamentoFilter,
  response: { 200: ListOf(Ref(Lancamento)) },
}
const create = {
  summary: 'Cria um lançamento',
  tags,
  headers: IdempotencyHeaders,
  querystring: NoQuery,
  body: NewLancamento,
  response: { 200: item, 201: item },
}
const find = { ...one, summary: 'Busca um lançamento' }
const update = {
  ...one,
  summary: 'Altera um lançamento',
  description: 'Marcar como pago e reverter o pagamento são mudanças de status.',
  body: LancamentoPatch,
}
const remove = {
  ...one,
  summary: 'Exclui um lançamento',
  description: 'Responde com o lançamento como era.',
}

export function lancamentosRoutes(api: Api, { db, clock, idempotent }: Slice): void {
  api.addSchema(Lancamento)

  api.get(
    '/lancamentos',
    { config: { scope: 'lancamentos:read' }, schema: list },
    async (request, reply) => {
      const { tenantId, fusoHorario } = request.actor
      const today = todayIn(fusoHorario, clock)
      const tx = db.reader(tenantId, { planOnce: true })
      return sendJson(reply, await lancamentosAsText(tx, request.query, today))
    },
  )

  api.post(
    '/lancamentos',
    {
      config: { scope: 'lancamentos:write' },
      schema: create,
      preParsing: idempotent.lookUp('lancamentos', getLancamento),
    },
    (request, reply) =>
      idempotent.create(
        request,
        reply,
        (tx) => createLancamento(tx, authorOf(request), request.body),
        { finish: async ({ item }) => item() },
      ),
  )

  api.get(
    '/lancamentos/:id',
    { config: { scope: 'lancamentos:read' }, schema: find },
    async (request, reply) => {
      const tx = db.reader(request.actor.tenantId)
      return sendJson(reply, await lancamentoAsText(tx, pathId(request.params)))
    },
  )

  api.patch(
    '/lancamentos/:id',
    { config: { scope: 'lancamentos:write' }, schema: update },
    async (request) => {
      const { tenantId, fusoHorario } = request.actor
      const id = pathId(request.params)
      const today = todayIn(fusoHorario, clock)
      const item = await db.write(tenantId, (tx) =>
        updateLancamento(tx, authorOf(request), id, request.body, today),
      )
      return { item }
    },
  )

  api.delete(
    '/lancamentos/:id',
    { config: { scope: 'lancamentos:delete' }, schema: remove },
    async (request) => {
      const id = pathId(request.params)
      const item = await db.write(request.actor.tenantId, (tx) =>
        deleteLancamento(tx, authorOf(request), id),
      )
      return { item }
    },
  )
}

import { todayIn } from '../clock.ts'
import { type Api, authorOf, type Slice } from '../http/api.ts'
import { IdParams, ItemOf, ListOf, NoQuery, pathId, Ref } from '../http/schemas.ts'
import {
  createLancamento,
  deleteLancamento,
  getLancamento,
  pageOfLancamentos,
  updateLancamento,
} from './lancamentos.ts'
import { Lancamento, LancamentoFilter, LancamentoPatch, NewLancamento } from './schema.ts'

const tags = ['Lançamentos']
const item = ItemOf(Ref(Lancamento))

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
  querystring: NoQuery,
  body: NewLancamento,
  response: { 201: item },
}
const find = {
  summary: 'Busca um lançamento',
  tags,
  params: IdParams,
  querystring: NoQuery,
  response: { 200: item },
}
const update = {
  summary: 'Altera um lançamento',
  description: 'Marcar como pago e reverter o pagamento são mudanças de status.',
  tags,
  params: IdParams,
  querystring: NoQuery,
  body: LancamentoPatch,
  response: { 200: item },
}
const remove = {
  summary: 'Exclui um lançamento',
  description: 'Responde com o lançamento como era.',
  tags,
  params: IdParams,
  querystring: NoQuery,
  response: { 200: item },
}

export function lancamentosRoutes(api: Api, { db, clock }: Slice): void {
  api.addSchema(Lancamento)

  api.get('/lancamentos', { config: { scope: 'lancamentos:read' }, schema: list }, (request) => {
    const { tenantId, fusoHorario } = request.actor
    return pageOfLancamentos(db.reader(tenantId), request.query, todayIn(fusoHorario, clock))
  })

  api.post(
    '/lancamentos',
    { config: { scope: 'lancamentos:write' }, schema: create },
    async (request, reply) => {
      const item = await db.write(request.actor.tenantId, (tx) =>
        createLancamento(tx, authorOf(request), request.body),
      )
      return reply.code(201).send({ item })
    },
  )

  api.get(
    '/lancamentos/:id',
    { config: { scope: 'lancamentos:read' }, schema: find },
    async (request) => ({
      item: await getLancamento(db.reader(request.actor.tenantId), pathId(request.params)),
    }),
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

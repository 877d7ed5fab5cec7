import { type Api, authorOf, type Slice } from '../http/api.ts'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import { IdParams, ItemOf, ListOf, NoQuery, pathId, Ref } from '../http/schemas.ts'
import {
  createParceiro,
  deleteParceiro,
  getParceiro,
  pageOfParceiros,
  updateParceiro,
} from './parceiros.ts'
import { NewParceiro, Parceiro, ParceiroFilter, ParceiroPatch } from './schema.ts'

const tags = ['Parceiros']
const item = ItemOf(Ref(Parceiro))
const one = { tags, params: IdParams, querystring: NoQuery, response: { 200: item } }

const list = {
  summary: 'Lista parceiros',
  description: 'Em ordem de nome.',
  tags,
  querystring: ParceiroFilter,
  response: { 200: ListOf(Ref(Parceiro)) },
}
const create = {
  summary: 'Cria um parceiro',
  tags,
  headers: IdempotencyHeaders,
  querystring: NoQuery,
  body: NewParceiro,
  response: { 200: item, 201: item },
}
const find = { ...one, summary: 'Busca um parceiro' }
const update = { ...one, summary: 'Altera um parceiro', body: ParceiroPatch }
const remove = {
  ...one,
  summary: 'Exclui um parceiro',
  description: 'Responde com o parceiro como era. Um parceiro em uso não pode ser excluído.',
}

export function parceirosRoutes(api: Api, { db, idempotent }: Slice): void {
  api.addSchema(Parceiro)

  api.get('/parceiros', { config: { scope: 'parceiros:read' }, schema: list }, (request) =>
    pageOfParceiros(db.reader(request.actor.tenantId), request.query),
  )

  api.post(
    '/parceiros',
    {
      config: { scope: 'parceiros:write', refusals: ['duplicate-documento'] },
      schema: create,
      preParsing: idempotent.lookUp('parceiros', getParceiro),
    },
    (request, reply) =>
      idempotent.create(request, reply, (tx) =>
        createParceiro(tx, authorOf(request), request.body),
      ),
  )

  api.get(
    '/parceiros/:id',
    { config: { scope: 'parceiros:read' }, schema: find },
    async (request) => ({
      item: await getParceiro(db.reader(request.actor.tenantId), pathId(request.params)),
    }),
  )

  api.patch(
    '/parceiros/:id',
    { config: { scope: 'parceiros:write', refusals: ['duplicate-documento'] }, schema: update },
    async (request) => {
      const id = pathId(request.params)
      const item = await db.write(request.actor.tenantId, (tx) =>
        updateParceiro(tx, authorOf(request), id, request.body),
      )
      return { item }
    },
  )

  api.delete(
    '/parceiros/:id',
    { config: { scope: 'parceiros:delete', refusals: ['parceiro-in-use'] }, schema: remove },
    async (request) => {
      const id = pathId(request.params)
      const item = await db.write(request.actor.tenantId, (tx) =>
        deleteParceiro(tx, authorOf(request), id),
      )
      return { item }
    },
  )
}

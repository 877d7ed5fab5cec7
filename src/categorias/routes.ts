import { type Api, authorOf, type Slice } from '../http/api.ts'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import { ItemOf, ListOf, NoQuery, Ref } from '../http/schemas.ts'
import { createCategoria, getCategoria, pageOfCategorias } from './categorias.ts'
import { Categoria, CategoriaFilter, NewCategoria } from './schema.ts'

const tags = ['Categorias']
const item = ItemOf(Ref(Categoria))

const list = {
  summary: 'Lista categorias',
  description: 'Cada área seguida das suas subcategorias, em ordem de nome.',
  tags,
  querystring: CategoriaFilter,
  response: { 200: ListOf(Ref(Categoria)) },
}
const create = {
  summary: 'Cria uma área',
  tags,
  headers: IdempotencyHeaders,
  querystring: NoQuery,
  body: NewCategoria,
  response: { 200: item, 201: item },
}

export function categoriasRoutes(api: Api, { db, idempotent }: Slice): void {
  api.addSchema(Categoria)

  api.get('/categorias', { config: { scope: 'categorias:read' }, schema: list }, (request) =>
    pageOfCategorias(db.reader(request.actor.tenantId), request.query),
  )

  api.post(
    '/categorias',
    {
      config: { scope: 'categorias:write', refusals: ['duplicate-name'] },
      schema: create,
      preParsing: idempotent.lookUp('categorias', getCategoria),
    },
    (request, reply) =>
      idempotent.create(request, reply, (tx) =>
        createCategoria(tx, authorOf(request), request.body.nome),
      ),
  )
}

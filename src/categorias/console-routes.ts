import { type Api, authorOf, type Slice } from '../http/api.ts'
import { IdParams, ItemOf, NoQuery, pathId, Ref } from '../http/schemas.ts'
import { createSubcategoria, deleteCategoria, updateCategoria } from './categorias.ts'
import { Categoria, CategoriaPatch, NewSubcategoria } from './schema.ts'

const item = ItemOf(Ref(Categoria))
const one = { params: IdParams, querystring: NoQuery, response: { 200: item } }
const config = { scope: 'categorias:write' } as const

/** What the application does with categories and the API does not. */
export function categoriasConsoleRoutes(api: Api, { db }: Slice): void {
  api.post(
    '/categorias/:id/subcategorias',
    { config, schema: { ...one, body: NewSubcategoria, response: { 201: item } } },
    async (request, reply) => {
      const area = pathId(request.params)
      const made = await db.write(request.actor.tenantId, (tx) =>
        createSubcategoria(tx, authorOf(request), area, request.body.nome),
      )
      return reply.code(201).send({ item: made })
    },
  )

  api.patch(
    '/categorias/:id',
    { config, schema: { ...one, body: CategoriaPatch } },
    async (request) => {
      const id = pathId(request.params)
      const item = await db.write(request.actor.tenantId, (tx) =>
        updateCategoria(tx, authorOf(request), id, request.body),
      )
      return { item }
    },
  )

  api.delete('/categorias/:id', { config, schema: one }, async (request) => {
    const id = pathId(request.params)
    const item = await db.write(request.actor.tenantId, (tx) =>
      deleteCategoria(tx, authorOf(request), id),
    )
    return { item }
  })
}

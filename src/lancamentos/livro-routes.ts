import { todayIn } from '../clock.ts'
import { type Api, authorOf, type Slice } from '../http/api.ts'
import { NoQuery } from '../http/schemas.ts'
import { exportLivro, pageOfLivro } from './livro.ts'
import { Livro, LivroFilter, LivroPage, Lote, LoteFeito } from './livro-schema.ts'
import { runLote } from './lote.ts'

const page = { querystring: LivroPage, response: { 200: Livro } }
const lote = { querystring: NoQuery, body: Lote, response: { 200: LoteFeito } }

/** The entries as people work with them, in the application: searched, summed, exported, several at once. */
export function livroRoutes(company: Api, { db, clock }: Slice): void {
  company.get('/livro', { config: { scope: 'lancamentos:read' }, schema: page }, (request) => {
    const { tenantId, fusoHorario } = request.actor
    return pageOfLivro(db.reader(tenantId), request.query, todayIn(fusoHorario, clock))
  })

  company.get(
    '/livro.csv',
    {
      config: { scope: 'lancamentos:read', link: true },
      schema: { querystring: LivroFilter },
      // Its answer would be read to the end, only to be thrown away.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { tenantId, fusoHorario } = request.actor
      const today = todayIn(fusoHorario, clock)
      const lines = await exportLivro(db.reader(tenantId), request.query, today)
      return reply
        .headers({
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="lancamentos-${today}.csv"`,
          'x-content-type-options': 'nosniff',
        })
        .send(lines)
    },
  )

  company.post(
    '/lancamentos/lote',
    // It can delete, which includes the rest.
    { config: { scope: 'lancamentos:delete' }, schema: lote },
    async (request) => {
      const { tenantId, fusoHorario } = request.actor
      const today = todayIn(fusoHorario, clock)
      const items = await db.write(tenantId, (tx) =>
        runLote(tx, authorOf(request), request.body, today),
      )
      return { items }
    },
  )
}

import { todayIn } from '../clock.ts'
import type { Api, Slice } from '../http/api.ts'
import { NoQuery } from '../http/schemas.ts'
import { listCentros } from '../lancamentos/totais.ts'
import { ResumoFilter } from '../resumo/schema.ts'
import { getPainel } from './painel.ts'
import { CentrosCusto, Painel } from './schema.ts'

/** More than anybody chooses from. */
const MANY = 500

const read = { config: { scope: 'lancamentos:read' as const } }
const show = { querystring: ResumoFilter, response: { 200: Painel } }
const choices = { querystring: NoQuery, response: { 200: CentrosCusto } }

/** The figures of the application's first screen. */
export function painelRoutes(api: Api, { db, clock }: Slice): void {
  api.get('/painel', { ...read, schema: show }, ({ actor, query }) => {
    const { tenantId, fusoHorario } = actor
    const today = todayIn(fusoHorario, clock)
    return db.snapshot(tenantId, (tx) => getPainel(tx, query, today, clock()))
  })

  api.get('/centros-custo', { ...read, schema: choices }, async ({ actor }) => ({
    items: await listCentros(db.reader(actor.tenantId), MANY),
    limit: MANY,
  }))
}

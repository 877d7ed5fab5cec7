import { todayIn } from '../clock.ts'
import type { Api, Slice } from '../http/api.ts'
import { Ref } from '../http/schemas.ts'
import { getResumo } from './resumo.ts'
import { Resumo, ResumoFilter } from './schema.ts'

const show = {
  summary: 'Totais prontos',
  description: 'Realizado, em aberto, vencido e próximos 30 dias, no dia da empresa.',
  tags: ['Resumo'],
  querystring: ResumoFilter,
  response: { 200: Ref(Resumo) },
}

export function resumoRoutes(api: Api, { db, clock }: Slice): void {
  api.addSchema(Resumo)

  api.get('/resumo', { config: { scope: 'lancamentos:read' }, schema: show }, (request) => {
    const { tenantId, fusoHorario } = request.actor
    const tx = db.reader(tenantId, { planOnce: true })
    return getResumo(tx, request.query, todayIn(fusoHorario, clock), clock())
  })
}

import type { Tx } from '../db/database.ts'
import { type Api, type Slice, sendJson } from '../http/api.ts'
import { extentOfEvents, listEvents } from './queries.ts'
import { Eventos, EventosFilter } from './schema.ts'

const list = {
  summary: 'Lista eventos em ordem',
  description:
    'Tudo o que aconteceu na empresa, na ordem em que foi gravado e sem lacunas, para conferir as entregas. Envie em depois_de o último seq visto. Onde eventos antigos foram apagados, a lista começa no primeiro que há.',
  tags: ['Webhooks'],
  querystring: EventosFilter,
  response: { 200: Eventos },
}

export function eventosRoutes(api: Api, { db }: Slice): void {
  api.get(
    '/eventos',
    { config: { scope: 'webhooks:read', modulo: 'integracoes' }, schema: list },
    async (request, reply) => {
      const text = await eventsAsText(db.reader(request.actor.tenantId), request.query)
      return sendJson(reply, text)
    },
  )
}

/** `data` is kept as the text that is delivered, and is put in as it is: nothing is parsed again. */
async function eventsAsText(tx: Tx, { depois_de = 0, limit = 100 }: EventosFilter) {
  const after = Math.min(depois_de, Number.MAX_SAFE_INTEGER)
  const rows = await listEvents(tx, after, limit)
  // Read last: what is dropped meanwhile is not promised.
  const { dropped, last, completo_desde } = await extentOfEvents(tx)
  const items = rows.map(
    ({ seq, kind, recorded_at, data }) =>
      `{"seq":${seq},"event":"${kind}","criado_em":"${recorded_at}","data":${data}}`,
  )
  const next = rows.at(-1)?.seq ?? after
  const total = Math.max(0, Number(last) - Math.max(after, Number(dropped)))
  const since = JSON.stringify(completo_desde)
  return `{"items":[${items.join(',')}],"total":${total},"limit":${limit},"depois_de":${next},"completo_desde":${since}}`
}

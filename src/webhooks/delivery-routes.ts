import type { Api, Slice } from '../http/api.ts'
import { bodyMayBeAbsent } from '../http/json-body.ts'
import { Exactly, IdParams, ItemOf, NoQuery, pathId, Ref } from '../http/schemas.ts'
import {
  countRedelivery,
  createRedelivery,
  getDelivery,
  getRedelivery,
  pageOfDeliveries,
  redeliver,
} from './deliveries.ts'
import {
  Attempt,
  Counted,
  Deliveries,
  Delivery,
  DeliveryDetail,
  DeliveryFilter,
  DeliveryParams,
  NewRedelivery,
  Redelivery,
  RedeliveryParams,
} from './delivery-schema.ts'

const tags = ['Webhooks']
const reading = { scope: 'webhooks:read', modulo: 'integracoes' } as const
const acting = { scope: 'webhooks:write', modulo: 'integracoes' } as const

const list = {
  summary: 'Lista as entregas de uma assinatura',
  description: 'Da mais recente à mais antiga. Também de uma assinatura que foi removida.',
  tags,
  params: IdParams,
  querystring: DeliveryFilter,
  response: { 200: Deliveries },
}
const find = {
  summary: 'Busca uma entrega, com cada tentativa',
  tags,
  params: DeliveryParams,
  querystring: NoQuery,
  response: { 200: DeliveryDetail },
}
const again = {
  summary: 'Reenvia uma entrega',
  description:
    'Com o mesmo webhook-id e novo timestamp, desde a primeira tentativa. Uma que está em andamento não é dobrada.',
  tags,
  params: DeliveryParams,
  querystring: NoQuery,
  body: Exactly({}, { examples: [{}] }),
  response: { 200: ItemOf(Ref(Delivery)) },
}
const range = {
  summary: 'Reenvia as entregas de um período',
  description:
    'O reenvio é feito em segundo plano e continua depois de qualquer interrupção; acompanhe-o pelo id. Com simular, somente conta.',
  tags,
  params: IdParams,
  querystring: NoQuery,
  body: NewRedelivery,
  response: { 200: ItemOf(Counted), 201: ItemOf(Ref(Redelivery)) },
}
const progress = {
  summary: 'Busca um reenvio, com seu andamento',
  tags,
  params: RedeliveryParams,
  querystring: NoQuery,
  response: { 200: ItemOf(Ref(Redelivery)) },
}

/** What happened to each delivery, and how to have it happen again. */
export function deliveriesRoutes(api: Api, { db, clock }: Slice): void {
  for (const schema of [Delivery, Attempt, Redelivery]) api.addSchema(schema)

  api.get('/webhooks/:id/deliveries', { config: reading, schema: list }, (request) =>
    pageOfDeliveries(db.reader(request.actor.tenantId), pathId(request.params), request.query),
  )

  api.get(
    '/webhooks/:id/deliveries/:delivery_id',
    { config: reading, schema: find },
    async ({ actor, params }) => {
      const id = pathId({ id: params.delivery_id })
      return { item: await getDelivery(db.reader(actor.tenantId), pathId(params), id) }
    },
  )

  api.post(
    '/webhooks/:id/deliveries/:delivery_id/redeliver',
    { config: acting, schema: again, preValidation: bodyMayBeAbsent },
    async ({ actor, params }) => {
      const [webhook, id] = [pathId(params), pathId({ id: params.delivery_id })]
      return { item: await db.write(actor.tenantId, (tx) => redeliver(tx, webhook, id)) }
    },
  )

  api.post(
    '/webhooks/:id/redeliver',
    { config: acting, schema: range },
    async ({ actor, params, body: { simular, ...body } }, reply) => {
      const id = pathId(params)
      if (simular) {
        const total = await countRedelivery(db.reader(actor.tenantId), id, body, clock())
        return { item: { simular, total } }
      }
      const item = await db.write(actor.tenantId, (tx) => createRedelivery(tx, id, body, clock()))
      return reply.code(201).send({ item })
    },
  )

  api.get(
    '/webhooks/:id/redeliver/:redelivery_id',
    { config: reading, schema: progress },
    async ({ actor, params }) => {
      const id = pathId({ id: params.redelivery_id })
      return { item: await getRedelivery(db.reader(actor.tenantId), pathId(params), id) }
    },
  )
}

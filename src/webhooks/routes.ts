import type { AddressGuard } from '../delivery/address-guard.ts'
import { Sender } from '../delivery/sender.ts'
import type { Api, Slice } from '../http/api.ts'
import { bodyMayBeAbsent } from '../http/json-body.ts'
import { exampleData, type Schemas } from '../http/openapi-webhooks.ts'
import { IdParams, ItemOf, ListOf, NoQuery, pathId, Ref } from '../http/schemas.ts'
import type { SecretBox } from '../secret-box.ts'
import { deliveriesRoutes } from './delivery-routes.ts'
import { Attempt } from './delivery-schema.ts'
import {
  CreatedWebhook,
  NewWebhook,
  RotatedWebhook,
  Rotation,
  TestOf,
  Webhook,
  WebhookFilter,
  WebhookPatch,
} from './schema.ts'
import {
  createWebhook,
  deleteWebhook,
  pageOfWebhooks,
  refuseTarget,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from './webhooks.ts'

const tags = ['Webhooks']
const modulo = 'integracoes'
const one = { tags, params: IdParams, querystring: NoQuery }

const list = {
  summary: 'Lista assinaturas de webhook',
  tags,
  querystring: WebhookFilter,
  response: { 200: ListOf(Ref(Webhook)) },
}
const create = {
  summary: 'Cria uma assinatura de webhook',
  description: 'O segredo é mostrado somente nesta resposta. No máximo 10 assinaturas por empresa.',
  tags,
  querystring: NoQuery,
  body: NewWebhook,
  response: { 201: CreatedWebhook },
}
const update = {
  ...one,
  summary: 'Altera uma assinatura de webhook',
  description:
    'Com ativo false as entregas esperam, sem gastar tentativas, e saem em ordem quando volta a true.',
  body: WebhookPatch,
  response: { 200: ItemOf(Ref(Webhook)) },
}
const remove = {
  ...one,
  summary: 'Remove uma assinatura de webhook',
  description: 'As entregas pendentes são encerradas; o histórico continua legível.',
  response: { 200: ItemOf(Ref(Webhook)) },
}
const rotate = {
  ...one,
  summary: 'Troca o segredo de uma assinatura',
  description:
    'O novo segredo é mostrado somente nesta resposta e assina X-SVC-Signature desde já. Por horas, o anterior assina também: webhook-signature leva as duas assinaturas.',
  body: Rotation,
  response: { 200: RotatedWebhook },
}
const tryOut = {
  ...one,
  summary: 'Envia um exemplo assinado, agora',
  description: 'Responde com o que o servidor respondeu. O exemplo leva X-SVC-Sequence 0.',
  body: TestOf,
  response: { 200: ItemOf(Ref(Attempt)) },
}

interface WebhooksSlice extends Slice {
  guard: AddressGuard
  secrets: SecretBox
}

export function webhooksRoutes(api: Api, slice: WebhooksSlice): void {
  const { db, clock, guard, secrets } = slice
  const sender = new Sender(guard)
  api.addHook('onClose', () => sender.close())
  api.addSchema(Webhook)
  deliveriesRoutes(api, slice)

  api.get('/webhooks', { config: { scope: 'webhooks:read', modulo }, schema: list }, (request) =>
    pageOfWebhooks(db.reader(request.actor.tenantId), request.query),
  )

  api.post(
    '/webhooks',
    {
      config: {
        scope: 'webhooks:write',
        modulo,
        refusals: ['webhook-url-refused', 'webhook-limit-reached'],
      },
      schema: create,
    },
    async (request, reply) => {
      await refuseTarget(guard, request.body.url)
      const created = await db.write(request.actor.tenantId, (tx) =>
        createWebhook(tx, secrets, request.body),
      )
      return reply.code(201).send(created)
    },
  )

  api.patch(
    '/webhooks/:id',
    {
      config: { scope: 'webhooks:write', modulo, refusals: ['webhook-url-refused'] },
      schema: update,
    },
    async (request) => {
      const id = pathId(request.params)
      if (request.body.url !== undefined) await refuseTarget(guard, request.body.url)
      const item = await db.write(request.actor.tenantId, (tx) =>
        updateWebhook(tx, id, request.body),
      )
      return { item }
    },
  )

  api.delete(
    '/webhooks/:id',
    { config: { scope: 'webhooks:delete', modulo }, schema: remove },
    async (request) => {
      const id = pathId(request.params)
      const item = await db.write(request.actor.tenantId, (tx) => deleteWebhook(tx, id))
      return { item }
    },
  )

  api.post(
    '/webhooks/:id/rotate-secret',
    {
      config: { scope: 'webhooks:write', modulo },
      schema: rotate,
      preValidation: bodyMayBeAbsent,
    },
    (request) => {
      const id = pathId(request.params)
      const hours = request.body.horas ?? 24
      return db.write(request.actor.tenantId, (tx) => rotateSecret(tx, secrets, id, hours))
    },
  )

  api.post(
    '/webhooks/:id/test',
    { config: { scope: 'webhooks:write', modulo }, schema: tryOut },
    async (request) => {
      const tx = db.reader(request.actor.tenantId)
      const { event } = request.body
      const data = exampleData(event, api.getSchemas() as Schemas)
      const how = { sender, secrets, now: clock() }
      return { item: await testWebhook(tx, how, pathId(request.params), { kind: event, data }) }
    },
  )
}

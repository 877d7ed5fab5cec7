import type { AddressGuard } from '../delivery/address-guard.ts'
import type { Api, Slice } from '../http/api.ts'
import { IdParams, ItemOf, ListOf, NoQuery, pathId, Ref } from '../http/schemas.ts'
import type { SecretBox } from '../secret-box.ts'
import { CreatedWebhook, NewWebhook, Webhook, WebhookFilter } from './schema.ts'
import { createWebhook, deleteWebhook, pageOfWebhooks, refuseTarget } from './webhooks.ts'

const tags = ['Webhooks']
const modulo = 'integracoes'

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
const remove = {
  summary: 'Remove uma assinatura de webhook',
  description: 'As entregas pendentes são encerradas; o histórico continua legível.',
  tags,
  params: IdParams,
  querystring: NoQuery,
  response: { 200: ItemOf(Ref(Webhook)) },
}

interface WebhooksSlice extends Slice {
  guard: AddressGuard
  secrets: SecretBox
}

export function webhooksRoutes(api: Api, { db, guard, secrets }: WebhooksSlice): void {
  api.addSchema(Webhook)

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

  api.delete(
    '/webhooks/:id',
    { config: { scope: 'webhooks:delete', modulo }, schema: remove },
    async (request) => {
      const id = pathId(request.params)
      const item = await db.write(request.actor.tenantId, (tx) => deleteWebhook(tx, id))
      return { item }
    },
  )
}

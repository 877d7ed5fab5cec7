import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Tx, WriteTx } from '../db/database.ts'
import { type AddressGuard, AddressRefused } from '../delivery/address-guard.ts'
import { ApiError } from '../errors.ts'
import { pageOf } from '../http/schemas.ts'
import type { SecretBox } from '../secret-box.ts'
import {
  countWebhooks,
  endPendingDeliveries,
  insertWebhook,
  listWebhooks,
  removeWebhook,
} from './queries.ts'
import type { NewWebhook, Webhook, WebhookFilter } from './schema.ts'

const MAX_WEBHOOKS = 10

export async function pageOfWebhooks(tx: Tx, filter: WebhookFilter) {
  const page = pageOf(filter)
  const [items, total] = await Promise.all([listWebhooks(tx, page), countWebhooks(tx)])
  return { items, total, ...page }
}

/** Before the transaction: a name may take its time to be resolved. */
export async function refuseTarget(guard: AddressGuard, url: string): Promise<void> {
  try {
    await guard.checkSubscription(url)
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error
    throw new ApiError('webhook-url-refused', {
      detail: `url: ${error.reason}`,
      errors: [{ field: 'url', message: error.reason }],
    })
  }
}

export async function createWebhook(tx: WriteTx, secrets: SecretBox, body: NewWebhook) {
  if ((await countWebhooks(tx)) >= MAX_WEBHOOKS) throw new ApiError('webhook-limit-reached')
  const id = randomUUIDv7()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const item = await insertWebhook(tx, {
    id,
    url: body.url,
    events: body.events,
    name: body.name ?? null,
    secret: secrets.seal(secret, tx.tenantId, id),
  })
  return { item: { ...item, secret }, secret }
}

export async function deleteWebhook(tx: WriteTx, id: string): Promise<Webhook> {
  const removed = await removeWebhook(tx, id)
  if (!removed)
    throw new ApiError('not-found', { detail: 'A assinatura não existe nesta empresa.' })
  await endPendingDeliveries(tx, id)
  return removed
}

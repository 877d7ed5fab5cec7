import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Tx, WriteTx } from '../db/database.ts'
import { type AddressGuard, AddressRefused } from '../delivery/address-guard.ts'
import { keptOf } from '../delivery/kept.ts'
import { compose, sentAt } from '../delivery/message.ts'
import type { Sender } from '../delivery/sender.ts'
import { ApiError, invalid } from '../errors.ts'
import type { EventKind } from '../events/catalogue.ts'
import { readOnlyFaults } from '../http/read-only.ts'
import { pageOf } from '../http/schemas.ts'
import type { SecretBox } from '../secret-box.ts'
import { noWebhook, presentAttempt } from './deliveries.ts'
import type { Attempt } from './delivery-schema.ts'
import {
  announceWaiting,
  countWebhooks,
  endPendingDeliveries,
  endRedeliveries,
  findSecrets,
  findWebhook,
  insertWebhook,
  listWebhooks,
  removeWebhook,
  replaceSecret,
  replaceWebhook,
  type WebhookRow,
} from './queries.ts'
import type { NewWebhook, Webhook, WebhookFilter, WebhookPatch } from './schema.ts'

const MAX_WEBHOOKS = 10

export async function pageOfWebhooks(tx: Tx, filter: WebhookFilter) {
  const page = pageOf(filter)
  const [rows, total] = await Promise.all([listWebhooks(tx, page), countWebhooks(tx)])
  return { items: rows.map(present), total, ...page }
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
  const secret = newSecret()
  const row = await insertWebhook(tx, {
    id,
    url: body.url,
    events: body.events,
    name: body.name ?? null,
    secret: secrets.seal(secret, tx.tenantId, id),
  })
  return { item: { ...present(row), secret }, secret }
}

export async function updateWebhook(
  tx: WriteTx,
  id: string,
  patch: WebhookPatch,
): Promise<Webhook> {
  const before = (await findWebhook(tx, id)) ?? noWebhook()
  const faults = readOnlyFaults(patch, present(before), READ_ONLY)
  if (faults.length > 0) throw invalid('invalid-body', faults)
  const {
    url = before.url,
    events = before.events,
    name = before.name,
    ativo = before.ativo,
  } = patch
  const after = { id, url, events, name, ativo }
  const same = (Object.keys(after) as (keyof typeof after)[]).every(
    (field) => JSON.stringify(before[field]) === JSON.stringify(after[field]),
  )
  if (same) return present(before)
  const row = await replaceWebhook(tx, after)
  if (ativo && !before.ativo) announceWaiting(tx, id)
  return present(row)
}

const READ_ONLY = [
  'id',
  'inativo_desde',
  'inativo_motivo',
  'segredo_anterior_ate',
  'criado_em',
  'atualizado_em',
] as const

/** A new secret, shown once. The one it replaces signs too for so many hours. */
export async function rotateSecret(tx: WriteTx, secrets: SecretBox, id: string, hours: number) {
  const secret = newSecret()
  const row = await replaceSecret(tx, id, secrets.seal(secret, tx.tenantId, id), hours)
  return { item: present(row ?? noWebhook()), secret }
}

interface Example {
  kind: EventKind
  data: Record<string, unknown>
}

/** Sends an example, signed like the real thing, and tells what came back. Nothing of it is kept. */
export async function testWebhook(
  tx: Tx,
  { sender, secrets, now }: { sender: Sender; secrets: SecretBox; now: number },
  id: string,
  { kind, data }: Example,
): Promise<Attempt> {
  const { url } = (await findWebhook(tx, id)) ?? noWebhook()
  const opened = (await findSecrets(tx, id)).map((sealed) => secrets.open(sealed, tx.tenantId, id))
  const delivered = { id: randomUUIDv7(), kind, seq: 0, data: JSON.stringify(data) }
  const message = { url, ...compose(delivered, opened, now) }
  const begun = performance.now()
  const outcome = await sender.send(message)
  return presentAttempt({
    ...keptOf(outcome, opened, message.headers),
    url,
    started_at: new Date(now).toISOString(),
    duration_ms: Math.round(performance.now() - begun),
    request: sentAt(delivered, now),
  })
}

export async function deleteWebhook(tx: WriteTx, id: string): Promise<Webhook> {
  const removed = (await removeWebhook(tx, id)) ?? noWebhook()
  await endRedeliveries(tx, id)
  await endPendingDeliveries(tx, id)
  return present(removed)
}

const REASONS: Record<string, (row: WebhookRow) => string> = {
  paused: () => 'Pausada.',
  gone: () => 'O servidor respondeu 410: não quer mais entregas.',
  failing: ({ falhando_desde }) => `Todas as entregas falharam desde ${falhando_desde}.`,
}

function present(row: WebhookRow): Webhook {
  const { falhando_desde, inativo_motivo, ...shown } = row
  return {
    ...shown,
    events: row.events as Webhook['events'],
    inativo_motivo: inativo_motivo && REASONS[inativo_motivo]!(row),
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

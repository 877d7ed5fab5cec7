import { randomUUIDv7 } from 'node:crypto'
import type { Tx, WriteTx } from '../db/database.ts'
import { diagnose } from '../delivery/diagnosis.ts'
import { sentAt } from '../delivery/message.ts'
import { ApiError, invalid } from '../errors.ts'
import { pageOf } from '../http/schemas.ts'
import type {
  Attempt,
  Delivery,
  DeliveryFilter,
  NewRedelivery,
  Redelivery,
} from './delivery-schema.ts'
import {
  type AttemptRow,
  announceWaiting,
  countRange,
  type DeliveryRow,
  findDelivery,
  findEventData,
  findRedelivery,
  findWebhook,
  insertRedelivery,
  listAttempts,
  listDeliveries,
  type RedeliveryRow,
  requeueDelivery,
} from './queries.ts'

/** Of a subscription that was removed the history stays readable; one that never was is not found. */
export async function pageOfDeliveries(tx: Tx, webhookId: string, filter: DeliveryFilter) {
  const page = pageOf(filter)
  const { rows, total, completo_desde } = await listDeliveries(tx, webhookId, filter, page)
  if (total === 0 && !(await everExisted(tx, webhookId))) noWebhook()
  return { items: rows.map(present), total, ...page, completo_desde }
}

async function everExisted(tx: Tx, webhookId: string): Promise<boolean> {
  if (await findWebhook(tx, webhookId)) return true
  const { total } = await listDeliveries(tx, webhookId, {}, { limit: 1, offset: 0 })
  return total > 0
}

export async function getDelivery(tx: Tx, webhookId: string, id: string) {
  const row = (await findDelivery(tx, webhookId, id)) ?? noDelivery()
  const [attempts, data] = await Promise.all([
    listAttempts(tx, id),
    findEventData(tx, row.event_id),
  ])
  const delivered = { id, kind: row.event_kind, seq: row.event_seq, data: data ?? noEvent() }
  const history = attempts.map((attempt) => {
    const request = sentAt(delivered, Date.parse(attempt.started_at))
    return presentAttempt({ ...attempt, request })
  })
  return { ...present(row), history }
}

/** The same delivery once more: the same `webhook-id`, from the first attempt on. */
export async function redeliver(tx: WriteTx, webhookId: string, id: string): Promise<Delivery> {
  if (!(await findWebhook(tx, webhookId))) noWebhook()
  const row = (await findDelivery(tx, webhookId, id)) ?? noDelivery()
  if ((await findEventData(tx, row.event_id)) === undefined) noEvent()
  await requeueDelivery(tx, webhookId, id)
  announceWaiting(tx, webhookId)
  return present((await findDelivery(tx, webhookId, id))!)
}

type RangeBody = Omit<NewRedelivery, 'simular'>

/** How many a range holds. */
export async function countRedelivery(tx: Tx, webhookId: string, body: RangeBody, now: number) {
  return countRange(tx, await rangeOf(tx, webhookId, body, now))
}

/** Writes down that a range is to be delivered again; whoever carries deliveries out takes it up. */
export async function createRedelivery(
  tx: WriteTx,
  webhookId: string,
  body: RangeBody,
  now: number,
): Promise<Redelivery> {
  const range = await rangeOf(tx, webhookId, body, now)
  const total = await countRange(tx, range)
  return presentRedelivery(await insertRedelivery(tx, randomUUIDv7(), range, total))
}

export async function getRedelivery(tx: Tx, webhookId: string, id: string): Promise<Redelivery> {
  const row = await findRedelivery(tx, webhookId, id)
  if (row) return presentRedelivery(row)
  throw new ApiError('not-found', { detail: 'O reenvio não existe nesta assinatura.' })
}

async function rangeOf(tx: Tx, webhookId: string, body: RangeBody, now: number) {
  const desde = sinceEpoch(Date.parse(body.desde))
  const ate = sinceEpoch(body.ate ? Date.parse(body.ate) : now)
  if (desde > ate) {
    throw invalid('invalid-body', [{ field: 'desde', message: 'não pode vir depois de ate' }])
  }
  if (!(await findWebhook(tx, webhookId))) noWebhook()
  const { status, events } = body
  return { subscription_id: webhookId, desde, ate, status: status ?? 'dead', events: events ?? [] }
}

/** There were no deliveries before; an id cannot hold an earlier moment. */
function sinceEpoch(ms: number): string {
  return new Date(Math.max(60_000, ms)).toISOString()
}

function present(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhook_id: row.subscription_id,
    event: row.event_kind as Delivery['event'],
    sequence: Number(row.event_seq),
    status: row.state,
    attempts: Number(row.attempts),
    next_attempt: row.next_attempt,
    reason: row.reason,
    criado_em: row.criado_em,
    atualizado_em: row.atualizado_em,
  }
}

/** Numbers as the database gives them, or as they were just measured. */
type Shown = {
  [Field in keyof AttemptRow]:
    | AttemptRow[Field]
    | (bigint extends AttemptRow[Field] ? number : never)
} & {
  request: { headers: Record<string, string>; body: string }
}

/** An attempt for the person who runs the receiver. */
export function presentAttempt(row: Shown): Attempt {
  const headers: [string, string][] = JSON.parse(row.response_headers ?? '[]')
  const status = row.status === null ? null : Number(row.status)
  const ms = (value: bigint | number | null) => (value === null ? null : Number(value))
  return {
    started_at: row.started_at,
    duration_ms: Number(row.duration_ms),
    timings: {
      dns: ms(row.dns_ms),
      connect: ms(row.connect_ms),
      tls: ms(row.tls_ms),
      first_byte: ms(row.first_byte_ms),
    },
    address: row.address,
    request: { url: row.url, ...row.request },
    response:
      status === null
        ? null
        : {
            status,
            headers: headers.map(([name, value]) => ({ name, value })),
            body: row.response ?? '',
          },
    error: row.error,
    diagnosis: diagnose({
      url: row.url ?? '',
      status,
      error: row.error,
      errorDetail: row.error_detail,
      responseHeaders: headers,
    }),
  }
}

function presentRedelivery({ subscription_id, total, reenviadas, ...row }: RedeliveryRow) {
  return {
    ...row,
    webhook_id: subscription_id,
    events: row.events as Redelivery['events'],
    total: Number(total),
    reenviadas: Number(reenviadas),
  }
}

function noDelivery(): never {
  throw new ApiError('not-found', { detail: 'A entrega não existe nesta assinatura.' })
}

/** Its delivery, made a moment after it, may be of the month that is the first to be kept. */
function noEvent(): never {
  throw new ApiError('not-found', {
    detail:
      'O evento desta entrega é antigo e já foi apagado; completo_desde, na lista de entregas, diz desde quando há histórico.',
  })
}

export function noWebhook(): never {
  throw new ApiError('not-found', { detail: 'A assinatura não existe nesta empresa.' })
}

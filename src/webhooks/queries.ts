import type { Param } from '../db/batch.ts'
import type { Database, Tx, WriteTx } from '../db/database.ts'
import type { Page } from '../http/schemas.ts'
import type { DeliveryFilter } from './delivery-schema.ts'

export interface WebhookRow {
  id: string
  url: string
  events: string[]
  name: string | null
  ativo: boolean
  inativo_desde: string | null
  inativo_motivo: string | null
  falhando_desde: string | null
  segredo_anterior_ate: string | null
  criado_em: string
  atualizado_em: string
}

const COLUMNS = `id, url, events, name, ativo, inativo_desde, inativo_motivo, falhando_desde,
  case when anterior_ate > clock_timestamp() then anterior_ate end as segredo_anterior_ate,
  criado_em, atualizado_em`

interface NewRow {
  id: string
  url: string
  events: string[]
  name: string | null
  /** Sealed. */
  secret: string
}

export async function insertWebhook(tx: Tx, row: NewRow): Promise<WebhookRow> {
  const [inserted] = await tx.query<WebhookRow>(
    `insert into webhooks (tenant_id, id, url, events, name, secret) values ($1, $2, $3, $4, $5, $6)
     returning ${COLUMNS}`,
    [tx.tenantId, row.id, row.url, row.events, row.name, row.secret],
  )
  return inserted!
}

export function listWebhooks(tx: Tx, { limit, offset }: Page): Promise<WebhookRow[]> {
  return tx.query<WebhookRow>(
    `select ${COLUMNS} from webhooks where tenant_id = $1 order by criado_em, id limit $2 offset $3`,
    [tx.tenantId, limit, offset],
  )
}

export async function countWebhooks(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ total: bigint }>(
    'select count(*) as total from webhooks where tenant_id = $1',
    [tx.tenantId],
  )
  return Number(row!.total)
}

export async function findWebhook(tx: Tx, id: string): Promise<WebhookRow | undefined> {
  const [row] = await tx.query<WebhookRow>(
    `select ${COLUMNS} from webhooks where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  )
  return row
}

/** Who is made active again has a clean record; who is paused is so from now on. */
export async function replaceWebhook(
  tx: Tx,
  { id, url, events, name, ativo }: Pick<WebhookRow, 'id' | 'url' | 'events' | 'name' | 'ativo'>,
): Promise<WebhookRow> {
  const [updated] = await tx.query<WebhookRow>(
    `update webhooks set url = $3, events = $4, name = $5, ativo = $6,
       inativo_desde = case when $6 then null when ativo then clock_timestamp() else inativo_desde end,
       inativo_motivo = case when $6 then null when ativo then 'paused' else inativo_motivo end,
       falhando_desde = case when $6 and not ativo then null else falhando_desde end,
       atualizado_em = clock_timestamp()
     where tenant_id = $1 and id = $2
     returning ${COLUMNS}`,
    [tx.tenantId, id, url, events, name, ativo],
  )
  return updated!
}

export async function replaceSecret(
  tx: Tx,
  id: string,
  secret: string,
  hours: number,
): Promise<WebhookRow | undefined> {
  const [updated] = await tx.query<WebhookRow>(
    `update webhooks set secret = $3, secret_anterior = case when $4 > 0 then secret end,
       anterior_ate = case when $4 > 0 then clock_timestamp() + make_interval(hours => $4::int) end,
       atualizado_em = clock_timestamp()
     where tenant_id = $1 and id = $2
     returning ${COLUMNS}`,
    [tx.tenantId, id, secret, hours],
  )
  return updated
}

/** What signs a delivery now, sealed, the newest first. */
export async function findSecrets(tx: Tx, id: string): Promise<string[]> {
  const [row] = await tx.query<{ secrets: string[] }>(
    `select array_remove(array[secret,
       case when anterior_ate > clock_timestamp() then secret_anterior end], null) as secrets
     from webhooks where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  )
  return row?.secrets ?? []
}

export async function removeWebhook(tx: Tx, id: string): Promise<WebhookRow | undefined> {
  const [removed] = await tx.query<WebhookRow>(
    `delete from webhooks where tenant_id = $1 and id = $2 returning ${COLUMNS}`,
    [tx.tenantId, id],
  )
  return removed
}

/** An attempt that is under way finds its token gone, and its result is dropped. */
export async function endPendingDeliveries(tx: Tx, subscriptionId: string): Promise<void> {
  await tx.query(
    `with gone as (
       delete from webhook_queue where tenant_id = $1 and subscription_id = $2
       returning delivery_id)
     update webhook_deliveries
     set state = 'dead', reason = 'subscription-removed', atualizado_em = clock_timestamp()
     from gone where tenant_id = $1 and id = delivery_id`,
    [tx.tenantId, subscriptionId],
  )
}

/** A range that is still being taken up ends where it is. */
export async function endRedeliveries(tx: Tx, subscriptionId: string): Promise<void> {
  await tx.query(
    `update webhook_redeliveries set concluido_em = clock_timestamp()
     where tenant_id = $1 and subscription_id = $2 and concluido_em is null`,
    [tx.tenantId, subscriptionId],
  )
}

/** Something of this subscription can go out: whoever delivers is told so. */
export function announceWaiting(tx: WriteTx, subscriptionId: string): void {
  tx.defer(
    'select delivery_id from webhook_queue where tenant_id = $1 and subscription_id = $2 limit 1',
    [tx.tenantId, subscriptionId],
    'deliveries',
  )
}

export interface DeliveryRow {
  id: string
  subscription_id: string
  event_id: string
  event_kind: string
  event_seq: bigint
  state: 'pending' | 'delivered' | 'dead'
  attempts: bigint
  next_attempt: string | null
  reason: string | null
  criado_em: string
  atualizado_em: string
}

const DELIVERY = `d.id, d.subscription_id, d.event_id, d.event_kind, d.event_seq, d.state, d.attempts,
  case when q.token is null then date_trunc('milliseconds', q.due) end as next_attempt, d.reason,
  d.criado_em, d.atualizado_em`

const WITH_QUEUE = `webhook_deliveries d
  left join webhook_queue q on q.tenant_id = d.tenant_id and q.delivery_id = d.id`

export async function listDeliveries(
  tx: Tx,
  subscriptionId: string,
  { status, event }: DeliveryFilter,
  { limit, offset }: Page,
): Promise<{ rows: DeliveryRow[]; total: number; completo_desde: string | null }> {
  const values: Param[] = [tx.tenantId, subscriptionId]
  const where = ['d.tenant_id = $1', 'd.subscription_id = $2']
  if (status) where.push(`d.state = $${values.push(status)}`)
  if (event) where.push(`d.event_kind = $${values.push(event)}`)
  const conditions = where.join(' and ')
  const [rows, [counted]] = await Promise.all([
    tx.query<DeliveryRow>(
      `select ${DELIVERY} from ${WITH_QUEUE} where ${conditions}
       order by d.id desc limit $${values.length + 1} offset $${values.length + 2}`,
      [...values, limit, offset],
    ),
    tx.query<{ total: bigint; completo_desde: string | null }>(
      `select count(*) as total, (select complete_since from retention) as completo_desde
       from webhook_deliveries d where ${conditions}`,
      values,
    ),
  ])
  return { rows, ...counted!, total: Number(counted!.total) }
}

export async function findDelivery(
  tx: Tx,
  subscriptionId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await tx.query<DeliveryRow>(
    `select ${DELIVERY} from ${WITH_QUEUE}
     where d.tenant_id = $1 and d.subscription_id = $2 and d.id = $3`,
    [tx.tenantId, subscriptionId, id],
  )
  return row
}

export interface AttemptRow {
  started_at: string
  duration_ms: bigint
  url: string | null
  address: string | null
  status: bigint | null
  error: string | null
  error_detail: string | null
  response: string | null
  response_headers: string | null
  dns_ms: bigint | null
  connect_ms: bigint | null
  tls_ms: bigint | null
  first_byte_ms: bigint | null
}

export function listAttempts(tx: Tx, deliveryId: string): Promise<AttemptRow[]> {
  return tx.query<AttemptRow>(
    `select started_at, duration_ms, url, address, status, error, error_detail, response,
       response_headers, dns_ms, connect_ms, tls_ms, first_byte_ms
     from webhook_attempts where tenant_id = $1 and delivery_id = $2 order by id`,
    [tx.tenantId, deliveryId],
  )
}

/** The event's data, as the text that is delivered; nothing where it was dropped. */
export async function findEventData(tx: Tx, eventId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ data: string }>(
    'select data from events where tenant_id = $1 and id = $2',
    [tx.tenantId, eventId],
  )
  return row?.data
}

/** Back into the queue, from the first attempt on; one that is there already is due now. */
const REQUEUE = `
  queued as (
    insert into webhook_queue (tenant_id, delivery_id, subscription_id, event_id, due)
    select $1, id, $2, event_id, clock_timestamp() from chosen
    on conflict (tenant_id, delivery_id) do update
      set due = least(webhook_queue.due, excluded.due) where webhook_queue.token is null
  ), pending as (
    update webhook_deliveries d
    set state = 'pending', reason = null, atualizado_em = clock_timestamp()
    from chosen c where d.tenant_id = $1 and d.id = c.id and d.state <> 'pending'
  )`

export async function requeueDelivery(tx: Tx, subscriptionId: string, id: string): Promise<void> {
  await tx.query(
    `with chosen as (
       select id, event_id from webhook_deliveries
       where tenant_id = $1 and subscription_id = $2 and id = $3
     ), ${REQUEUE}
     select id from chosen`,
    [tx.tenantId, subscriptionId, id],
  )
}

export interface RedeliveryRow {
  id: string
  subscription_id: string
  desde: string
  ate: string
  status: 'dead' | 'delivered'
  events: string[]
  total: bigint
  reenviadas: bigint
  criado_em: string
  concluido_em: string | null
}

type Range = Pick<RedeliveryRow, 'subscription_id' | 'desde' | 'ate' | 'status' | 'events'>

const REDELIVERY = `id, subscription_id, desde, ate, status, events, total, reenviadas, criado_em,
  concluido_em`

/** A delivery's id holds the moment it was made, but for a little: the index need not be read further. */
const IN_RANGE = `tenant_id = $1 and subscription_id = $2 and state = $3
  and (cardinality($4::text[]) = 0 or event_kind = any ($4))
  and criado_em >= $5 and criado_em < $6
  and id >= uuid_v7_floor($5::timestamptz - interval '1 minute')
  and id < uuid_v7_floor($6::timestamptz + interval '1 minute')`

function rangeValues(tx: Tx, { subscription_id, status, events, desde, ate }: Range): Param[] {
  return [tx.tenantId, subscription_id, status, events, desde, ate]
}

export async function countRange(tx: Tx, range: Range): Promise<number> {
  const [row] = await tx.query<{ total: bigint }>(
    `select count(*) as total from webhook_deliveries where ${IN_RANGE}`,
    rangeValues(tx, range),
  )
  return Number(row!.total)
}

export async function insertRedelivery(
  tx: Tx,
  id: string,
  range: Range,
  total: number,
): Promise<RedeliveryRow> {
  const [inserted] = await tx.query<RedeliveryRow>(
    `insert into webhook_redeliveries
       (tenant_id, subscription_id, status, events, desde, ate, id, total)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${REDELIVERY}`,
    [...rangeValues(tx, range), id, total],
  )
  return inserted!
}

export async function findRedelivery(
  tx: Tx,
  subscriptionId: string,
  id: string,
): Promise<RedeliveryRow | undefined> {
  const [row] = await tx.query<RedeliveryRow>(
    `select ${REDELIVERY} from webhook_redeliveries
     where tenant_id = $1 and subscription_id = $2 and id = $3`,
    [tx.tenantId, subscriptionId, id],
  )
  return row
}

/** Takes up the next of a range, at most so many; returns how many there were. */
export async function requeueNext(tx: WriteTx, job: RedeliveryRow, limit: number): Promise<number> {
  const taken = await tx.query<{ id: string }>(
    `with chosen as (
       select id, event_id from webhook_deliveries d
       where ${IN_RANGE} and id > (
         select coalesce(cursor, '00000000-0000-0000-0000-000000000000') from webhook_redeliveries
         where tenant_id = $1 and id = $7)
         -- What was dropped cannot be sent.
         and exists (select from events e where e.tenant_id = $1 and e.id = d.event_id)
       order by id limit $8
     ), ${REQUEUE}
     select id from chosen order by id`,
    [...rangeValues(tx, job), job.id, limit],
  )
  tx.defer(
    `update webhook_redeliveries set reenviadas = reenviadas + $3, cursor = coalesce($4, cursor),
       concluido_em = case when $3 < $5 then clock_timestamp() end
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, job.id, taken.length, taken.at(-1)?.id ?? null, limit],
    'deliveries',
  )
  return taken.length
}

export async function openRedelivery(tx: Tx, id: string): Promise<RedeliveryRow | undefined> {
  const [row] = await tx.query<RedeliveryRow>(
    `select ${REDELIVERY} from webhook_redeliveries
     where tenant_id = $1 and id = $2 and concluido_em is null`,
    [tx.tenantId, id],
  )
  return row
}

export function listOpenRedeliveries(db: Database) {
  return db
    .system('lastro_worker')
    .query<{ tenant_id: string; id: string }>(
      'select tenant_id, id from webhook_redeliveries where concluido_em is null order by id',
    )
}

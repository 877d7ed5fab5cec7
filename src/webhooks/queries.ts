import type { Tx } from '../db/database.ts'
import type { Page } from '../http/schemas.ts'
import type { Webhook } from './schema.ts'

const COLUMNS = 'id, url, events, name, ativo, criado_em, atualizado_em'

interface NewRow {
  id: string
  url: string
  events: string[]
  name: string | null
  /** Sealed. */
  secret: string
}

export async function insertWebhook(tx: Tx, row: NewRow): Promise<Webhook> {
  const [inserted] = await tx.query<Webhook>(
    `insert into webhooks (tenant_id, id, url, events, name, secret) values ($1, $2, $3, $4, $5, $6)
     returning ${COLUMNS}`,
    [tx.tenantId, row.id, row.url, row.events, row.name, row.secret],
  )
  return inserted!
}

export function listWebhooks(tx: Tx, { limit, offset }: Page): Promise<Webhook[]> {
  return tx.query<Webhook>(
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

export async function removeWebhook(tx: Tx, id: string): Promise<Webhook | undefined> {
  const [removed] = await tx.query<Webhook>(
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

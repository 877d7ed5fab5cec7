import type { Database } from '../db/database.ts'

/** A delivery that this worker, and no other, may attempt until its lease runs out. */
export interface Claim {
  tenant_id: string
  id: string
  token: string
  subscription_id: string
  attempts: bigint
  event_kind: string
  event_seq: bigint
  /** The event's data, as the text that is delivered. */
  data: string
  url: string
  secret: string
  request_id: string | null
}

/** What came of an attempt, and what becomes of its delivery. */
export interface AttemptResult {
  tenant_id: string
  id: string
  token: string
  state: 'pending' | 'delivered' | 'dead'
  /** Seconds to the next attempt, of one that is pending. */
  wait: number | null
  reason: string | null
  started_at: string
  duration_ms: number
  status: number | null
  error: string | null
  response: string | null
  address: string | null
}

export interface Bounds {
  /** Attempts in flight, across all workers. */
  perSubscription: number
  perCompany: number
}

/** Longer than any attempt can take; a worker that dies leaves its claims for so long. */
const LEASE = "interval '20 seconds'"
const CLAIM_LOCK = 7_305_808_869_231_650_001n

/** The subscriptions of companies in which something has just happened. */
const OF_COMPANIES = `
  candidates as (
    select tenant_id, id as subscription_id from webhooks where tenant_id = any ($4) and ativo
  )`

/** Every subscription that has something pending, found by leaping through the index from one to the next. */
const OF_ALL = `
  pending as (
    (select tenant_id, subscription_id from webhook_deliveries where state = 'pending'
     order by tenant_id, subscription_id limit 1)
    union all
    select n.tenant_id, n.subscription_id from pending p cross join lateral (
      select d.tenant_id, d.subscription_id from webhook_deliveries d
      where d.state = 'pending'
        and (d.tenant_id, d.subscription_id) > (p.tenant_id, p.subscription_id)
      order by d.tenant_id, d.subscription_id limit 1) as n
  ), candidates as (
    select p.tenant_id, p.subscription_id from pending p
    join webhooks w on w.tenant_id = p.tenant_id and w.id = p.subscription_id and w.ativo
  )`

/**
 * Claims what is due, in the order of its due time and companies in turn, of just as many as a subscription
 * and a company may have in flight. Claims wait for each other, so the bounds hold across workers.
 */
export function claimDeliveries(
  db: Database,
  limit: number,
  { perSubscription, perCompany }: Bounds,
  companies: readonly string[] | undefined,
): Promise<Claim[]> {
  const values = [perSubscription, perCompany, limit, ...(companies ? [companies] : [])]
  return db.system('lastro_worker').batch<Claim>([
    { text: 'select pg_advisory_xact_lock($1)', values: [CLAIM_LOCK] },
    {
      text: `with recursive ${companies ? OF_COMPANIES : OF_ALL},
        in_flight as (
          select c.tenant_id, c.subscription_id, count(d.id) as subscription_busy,
            sum(count(d.id)) over (partition by c.tenant_id) as company_busy
          from candidates c left join webhook_deliveries d
            on d.tenant_id = c.tenant_id and d.subscription_id = c.subscription_id
            and d.token is not null and d.due > statement_timestamp()
          group by c.tenant_id, c.subscription_id
        ), due as (
          select d.tenant_id, d.id, d.due, f.company_busy,
            row_number() over (partition by d.tenant_id order by d.due, d.id) as turn
          from in_flight f cross join lateral (
            select tenant_id, id, due from webhook_deliveries
            where tenant_id = f.tenant_id and subscription_id = f.subscription_id
              and state = 'pending' and due <= statement_timestamp()
            order by due limit greatest(0, $1::bigint - f.subscription_busy)) as d
        ), chosen as (
          select tenant_id, id from due where turn <= $2::bigint - company_busy
          order by turn, due limit $3::bigint
        ), claimed as (
          update webhook_deliveries d
          set token = gen_random_uuid(), due = statement_timestamp() + ${LEASE}
          from chosen c where d.tenant_id = c.tenant_id and d.id = c.id
          returning d.tenant_id, d.id, d.token, d.subscription_id, d.attempts, d.event_id,
            d.event_seq, d.event_kind
        )
        select d.tenant_id, d.id, d.token, d.subscription_id, d.attempts, d.event_kind, d.event_seq,
          e.data, e.request_id, w.url, w.secret
        from claimed d
        join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
        join webhooks w on w.tenant_id = d.tenant_id and w.id = d.subscription_id
        order by d.event_seq`,
      values,
    },
  ])
}

/** Writes results down. One whose lease has gone to another, or whose subscription was removed, is dropped. */
export async function recordAttempts(db: Database, results: readonly AttemptResult[]) {
  await db.system('lastro_worker').query(
    `with results as (
       select * from jsonb_to_recordset($1::jsonb) as r (tenant_id uuid, id uuid, token uuid,
         state text, wait double precision, reason text, started_at timestamptz, duration_ms bigint,
         status bigint, error text, response text, address text)
     ), recorded as (
       update webhook_deliveries d
       set state = r.state, attempts = d.attempts + 1, token = null, reason = r.reason,
         due = case when r.state = 'pending'
           then statement_timestamp() + make_interval(secs => r.wait) end,
         atualizado_em = clock_timestamp()
       from results r where d.tenant_id = r.tenant_id and d.id = r.id and d.token = r.token
       returning d.tenant_id, d.id
     )
     insert into webhook_attempts (tenant_id, id, delivery_id, started_at, duration_ms, status, error,
       response, address)
     select r.tenant_id, uuid_v7(), r.id, r.started_at, r.duration_ms, r.status, r.error, r.response,
       r.address
     from results r join recorded d on d.tenant_id = r.tenant_id and d.id = r.id`,
    [JSON.stringify(results)],
  )
}

/** Gives claims back at once, unattempted: their worker stops. */
export async function releaseClaims(db: Database, claims: readonly Claim[]): Promise<void> {
  await db.system('lastro_worker').query(
    `update webhook_deliveries d set token = null, due = statement_timestamp()
     from jsonb_to_recordset($1::jsonb) as r (tenant_id uuid, id uuid, token uuid)
     where d.tenant_id = r.tenant_id and d.id = r.id and d.token = r.token`,
    [JSON.stringify(claims.map(({ tenant_id, id, token }) => ({ tenant_id, id, token })))],
  )
}

/** The daily floor: whatever is pending falls due within a day, for whatever reason it would not. */
export async function sweepDeliveries(db: Database): Promise<void> {
  await db.system('lastro_worker').query(
    `update webhook_deliveries set due = statement_timestamp()
     where state = 'pending' and due > statement_timestamp() + interval '1 day'`,
  )
}

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
  /** Sealed; the one before it where that is still in force. */
  secret: string
  previous_secret: string | null
  request_id: string | null
  /** More of its company is due than may be in flight. */
  more: boolean
}

/** What came of an attempt, and what becomes of its delivery. */
export interface AttemptResult {
  tenant_id: string
  id: string
  subscription_id: string
  url: string
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
  error_detail: string | null
  dns_ms: number | null
  connect_ms: number | null
  tls_ms: number | null
  first_byte_ms: number | null
  /** Pairs of name and value, as JSON. */
  response_headers: string | null
}

export interface Bounds {
  /** Attempts in flight, across all workers. */
  perSubscription: number
  perCompany: number
}

/** Longer than any attempt can take; a worker that dies leaves its claims for so long. */
const LEASE = "interval '20 seconds'"
const CLAIM_LOCK = 7_305_808_869_231_650_001n

/**
 * The worker does not wait for the disk: should the machine itself fail, what it did in the last moment is
 * done again, and receivers know a repeated delivery by its `webhook-id`. Nor are its statements, the same
 * all day, planned anew each time: for a few rows that would cost more than running them.
 */
const WITHOUT_WAITING = {
  text: `select set_config('synchronous_commit', 'off', true),
    set_config('plan_cache_mode', 'force_generic_plan', true)`,
  values: [],
}

/** The subscriptions of companies in which something has just happened. */
const OF_COMPANIES = `
  candidates as (
    select tenant_id, id as subscription_id from webhooks where tenant_id = any ($4) and ativo
  )`

/** Every subscription that has something pending, found by leaping through the index from one to the next. */
const OF_ALL = `
  pending as (
    (select tenant_id, subscription_id from webhook_queue
     order by tenant_id, subscription_id limit 1)
    union all
    select n.tenant_id, n.subscription_id from pending p cross join lateral (
      select q.tenant_id, q.subscription_id from webhook_queue q
      where (q.tenant_id, q.subscription_id) > (p.tenant_id, p.subscription_id)
      order by q.tenant_id, q.subscription_id limit 1) as n
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
    WITHOUT_WAITING,
    { text: 'select pg_advisory_xact_lock($1)', values: [CLAIM_LOCK] },
    {
      text: `with recursive ${companies ? OF_COMPANIES : OF_ALL},
        in_flight as (
          select c.tenant_id, c.subscription_id,
            sum(busy.count) over (partition by c.tenant_id) as company_busy,
            -- Of many that wait, each gets its share: no more is read than can be claimed.
            least(ceil($3::numeric / count(*) over ()), greatest(0, $1::bigint - busy.count))
              as allowed
          from candidates c cross join lateral (
            select count(*) from webhook_queue q
            where q.tenant_id = c.tenant_id and q.subscription_id = c.subscription_id
              and q.token is not null and q.due > statement_timestamp()) as busy
        ), due as (
          select q.tenant_id, q.delivery_id, q.due, q.place <= f.allowed as fits, f.company_busy,
            row_number() over (
              partition by q.tenant_id order by q.place > f.allowed, q.due, q.delivery_id) as turn
          from in_flight f cross join lateral (
            select tenant_id, delivery_id, due, row_number() over (order by due) as place
            from webhook_queue
            where tenant_id = f.tenant_id and subscription_id = f.subscription_id
              and due <= statement_timestamp()
            order by due limit f.allowed + 1) as q
        ), chosen as (
          select tenant_id, delivery_id from due where fits and turn <= $2::bigint - company_busy
          order by turn, due limit $3::bigint
        ), left_over as (
          select tenant_id from due except all select tenant_id from chosen
        ), claimed as (
          update webhook_queue q
          set token = gen_random_uuid(), due = statement_timestamp() + ${LEASE}
          from chosen c where q.tenant_id = c.tenant_id and q.delivery_id = c.delivery_id
          returning q.tenant_id, q.delivery_id as id, q.token, q.subscription_id, q.attempts,
            q.event_id
        )
        select q.tenant_id, q.id, q.token, q.subscription_id, q.attempts, e.kind as event_kind,
          e.seq as event_seq, e.data, e.request_id, w.url, w.secret,
          case when w.anterior_ate > statement_timestamp() then w.secret_anterior end
            as previous_secret,
          q.tenant_id in (select tenant_id from left_over) as more
        from claimed q
        join events e on e.tenant_id = q.tenant_id and e.id = q.event_id
        join webhooks w on w.tenant_id = q.tenant_id and w.id = q.subscription_id
        order by e.seq`,
      values,
    },
  ])
}

/** For so long nothing has reached a receiver: it is not tried any more until somebody says so. */
const FAILING = "coalesce(w.falhando_desde < statement_timestamp() - interval '5 days', false)"

/**
 * Writes results down, and how their receivers do: one that has answered 410 or failed for too long is set
 * inactive. A result whose lease has gone to another, or whose subscription was removed, is dropped.
 */
export async function recordAttempts(db: Database, results: readonly AttemptResult[]) {
  const text = `with results as (
       select * from jsonb_to_recordset($1::jsonb) as r (tenant_id uuid, id uuid,
         subscription_id uuid, url text, token uuid, state text, wait double precision, reason text,
         started_at timestamptz, duration_ms bigint, status bigint, error text, response text, address text, error_detail text, dns_ms bigint,
         connect_ms bigint, tls_ms bigint, first_byte_ms bigint, response_headers text)
     ), ended as (
       delete from webhook_queue q using results r
       where q.tenant_id = r.tenant_id and q.delivery_id = r.id and q.token = r.token
         and r.state <> 'pending'
       returning q.tenant_id, q.delivery_id as id
     ), postponed as (
       update webhook_queue q
       set token = null, attempts = q.attempts + 1,
         due = statement_timestamp() + make_interval(secs => r.wait)
       from results r
       where q.tenant_id = r.tenant_id and q.delivery_id = r.id and q.token = r.token
         and r.state = 'pending'
       returning q.tenant_id, q.delivery_id as id
     ), valid as (
       select r.* from results r
       join (select * from ended union all select * from postponed) as v
         on v.tenant_id = r.tenant_id and v.id = r.id
     ), recorded as (
       update webhook_deliveries d
       set state = v.state, attempts = d.attempts + 1, reason = v.reason,
         atualizado_em = clock_timestamp()
       -- The bounds name the few partitions in which the ids can be.
       from valid v where d.tenant_id = v.tenant_id and d.id = v.id and d.id between $2 and $3
     ), health as (
       select tenant_id, subscription_id, bool_or(status < 400) is true as well,
         bool_or(status = 410) is true as gone
       from valid group by tenant_id, subscription_id
     ), noted as (
       update webhooks w
       set falhando_desde = case when h.well then null
           else coalesce(w.falhando_desde, statement_timestamp()) end,
         ativo = not h.gone and (h.well or not ${FAILING}),
         inativo_desde = case when h.gone or not h.well and ${FAILING}
           then statement_timestamp() end,
         atualizado_em = case when h.gone or not h.well and ${FAILING}
           then statement_timestamp() else w.atualizado_em end,
         inativo_motivo = case when h.gone then 'gone' when not h.well and ${FAILING}
           then 'failing' end
       from health h
       where w.tenant_id = h.tenant_id and w.id = h.subscription_id and w.ativo
         and (h.gone or h.well = (w.falhando_desde is not null) or not h.well and ${FAILING})
     )
     insert into webhook_attempts (tenant_id, id, delivery_id, url, started_at, duration_ms, status,
       error, response, address, error_detail, dns_ms, connect_ms, tls_ms, first_byte_ms, response_headers)
     select tenant_id, uuid_v7(), id, url, started_at, duration_ms, status, error, response, address,
       error_detail, dns_ms, connect_ms, tls_ms, first_byte_ms, response_headers
     from valid`
  const values = [JSON.stringify(results), ...boundsOf(results)]
  await db.system('lastro_worker').batch([WITHOUT_WAITING, { text, values }])
}

function boundsOf(results: readonly { id: string }[]): string[] {
  const ids = results.map(({ id }) => id).sort()
  return [ids[0]!, ids.at(-1)!]
}

/** Gives claims back at once, unattempted: their worker stops. */
export async function releaseClaims(db: Database, claims: readonly Claim[]): Promise<void> {
  await db.system('lastro_worker').query(
    `update webhook_queue q set token = null, due = statement_timestamp()
     from jsonb_to_recordset($1::jsonb) as r (tenant_id uuid, id uuid, token uuid)
     where q.tenant_id = r.tenant_id and q.delivery_id = r.id and q.token = r.token`,
    [JSON.stringify(claims.map(({ tenant_id, id, token }) => ({ tenant_id, id, token })))],
  )
}

/** The daily floor: whatever is pending falls due within a day, for whatever reason it would not. */
export async function sweepDeliveries(db: Database): Promise<void> {
  await db.system('lastro_worker').query(
    `update webhook_queue set due = statement_timestamp()
     where due > statement_timestamp() + interval '1 day'`,
  )
}

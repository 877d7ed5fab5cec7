import assert from 'node:assert/strict'
import { diagnose } from '../../src/delivery/diagnosis.ts'
import { Sender } from '../../src/delivery/sender.ts'
import { Worker } from '../../src/delivery/worker.ts'
import { whenDone } from './cleanup.ts'
import type { Caller, TestService } from './service.ts'

interface Options {
  delays?: number[]
  maxAttempts?: number
  timeoutMs?: number
}

/** A worker on the service's database, woken by its commits. */
export function startWorker(service: TestService, options: Options = {}) {
  const { delays = [60, 300, 1800, 7200], maxAttempts = 4, timeoutMs } = options
  const sender = new Sender(service.guard, timeoutMs)
  const worker = new Worker({
    db: service.db,
    secrets: service.secrets,
    sender: {
      // Whatever is sent to anybody is what the document says of its kind.
      send: (message) => {
        service.contract.checkEvent(JSON.parse(message.body))
        return sender.send(message)
      },
      stop: () => sender.stop(),
      close: () => sender.close(),
    },
    policy: { delays, maxAttempts },
    clock: () => service.clock.now(),
    logger: service.logger,
    onAttempt: (attempt) => service.metrics.countAttempt(attempt),
  })
  const wake = (company: string) => worker.wake(company)
  service.db.committed.on('deliveries', wake)
  worker.start()
  let stopped: Promise<void> | undefined
  const stop = () => {
    service.db.committed.off('deliveries', wake)
    stopped ??= worker.stop()
    return stopped
  }
  whenDone(stop)
  return { worker, stop }
}

export async function subscribe(caller: Caller, url: string, events = ['lancamento.created']) {
  const { status, body } = await caller.post('/webhooks', { url, events })
  assert.equal(status, 201, JSON.stringify(body))
  return body.item as { id: string; secret: string }
}

export interface DeliveryRow {
  id: string
  subscription_id: string
  event_seq: bigint
  event_kind: string
  state: string
  attempts: bigint
  reason: string | null
  wait: number | null
  leased: boolean
}

type WithDatabase = Pick<TestService, 'db'>
type Company = Pick<Caller, 'empresa'>

export function deliveriesOf(service: WithDatabase, { empresa }: Company): Promise<DeliveryRow[]> {
  return service.db.reader(empresa).query<DeliveryRow>(
    `select d.id, d.subscription_id, d.event_seq, d.event_kind, d.state, d.attempts, d.reason,
       q.token is not null as leased, extract(epoch from q.due - clock_timestamp())::float8 as wait
     from webhook_deliveries d
     left join webhook_queue q on q.tenant_id = d.tenant_id and q.delivery_id = d.id
     where d.tenant_id = $1 order by d.event_seq, d.id`,
    [empresa],
  )
}

export interface AttemptRow {
  delivery_id: string
  status: bigint | null
  error: string | null
  response: string | null
  address: string | null
  error_detail: string | null
  dns_ms: bigint | null
  connect_ms: bigint | null
  tls_ms: bigint | null
  first_byte_ms: bigint | null
  response_headers: string | null
}

export function attemptsOf(service: WithDatabase, { empresa }: Company): Promise<AttemptRow[]> {
  return service.db.reader(empresa).query<AttemptRow>(
    `select delivery_id, status, error, response, address, error_detail, dns_ms, connect_ms, tls_ms,
       first_byte_ms, response_headers
     from webhook_attempts where tenant_id = $1 order by id`,
    [empresa],
  )
}

/** What is said of a recorded attempt, which was sent to this URL. */
export function diagnosisOf(url: string, attempt: AttemptRow): string | null {
  const { status, error, error_detail: errorDetail, response_headers: headers } = attempt
  return diagnose({
    ...{ url, error, errorDetail },
    status: status === null ? null : Number(status),
    responseHeaders: headers === null ? null : JSON.parse(headers),
  })
}

/** Which steps of an attempt have a time. */
export function stepsOf(attempt: AttemptRow): string[] {
  const { dns_ms: dns, connect_ms: connect, tls_ms: tls, first_byte_ms: firstByte } = attempt
  const steps = Object.entries({ dns, connect, tls, firstByte })
  for (const [, time] of steps) assert.ok(time === null || time >= 0n)
  return steps.filter(([, time]) => time !== null).map(([step]) => step)
}

/** Asks again until the answer will do; a bound on the count, not a time that is asserted. */
export async function eventually<T>(
  ask: () => Promise<T>,
  enough: (value: T) => boolean,
  tries = 600,
): Promise<T> {
  for (let n = 0; n < tries; n++) {
    const value = await ask()
    if (enough(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(
    `It never came: ${JSON.stringify(await ask(), (_, v) => (typeof v === 'bigint' ? String(v) : v))}`,
  )
}

/** Makes whatever waits for its next attempt due now: time passes for the queue alone. */
export async function passTime(service: WithDatabase, { empresa }: Company): Promise<void> {
  await service.db.write(empresa, (tx) =>
    tx.query(
      `update webhook_queue set due = clock_timestamp() where tenant_id = $1 and token is null`,
      [empresa],
    ),
  )
}

/** As if whatever waits had been put off by days, for whatever reason. */
export async function putOff(service: WithDatabase, { empresa }: Company): Promise<void> {
  await service.db.write(empresa, (tx) =>
    tx.query(
      `update webhook_queue set due = clock_timestamp() + interval '3 days' where tenant_id = $1`,
      [empresa],
    ),
  )
}

/** As if the lease of everything that is claimed had run out: its worker is gone, or too slow. */
export async function expireLeases(service: WithDatabase, { empresa }: Company): Promise<void> {
  await service.db.write(empresa, (tx) =>
    tx.query(
      `update webhook_queue set due = clock_timestamp() - interval '1 millisecond'
       where tenant_id = $1 and token is not null`,
      [empresa],
    ),
  )
}

/** More deliveries of the company's last event to each of its subscriptions; nobody is told of them. */
export async function queueDeliveries(
  service: WithDatabase,
  { empresa }: Company,
  count: number,
): Promise<void> {
  await service.db.write(empresa, (tx) =>
    tx.query(
      `with event as (
         select id, seq, kind from events where tenant_id = $1 order by seq desc limit 1
       ), delivery as (
         insert into webhook_deliveries
           (tenant_id, id, subscription_id, event_id, event_seq, event_kind, state)
         select $1, uuid_v7(), w.id, e.id, e.seq, e.kind, 'pending'
         from event e join webhooks w on w.tenant_id = $1 and e.kind = any (w.events)
         cross join generate_series(1, $2::bigint)
         returning id, subscription_id, event_id
       )
       insert into webhook_queue (tenant_id, delivery_id, subscription_id, event_id, due)
       select $1, id, subscription_id, event_id, clock_timestamp() from delivery`,
      [empresa, count],
    ),
  )
}

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Sender } from '../../src/delivery/sender.ts'
import { Worker } from '../../src/delivery/worker.ts'
import type { Caller, TestService } from './service.ts'

interface Options {
  delays?: number[]
  maxAttempts?: number
  timeoutMs?: number
}

/** A worker on the service's database, woken by its commits. */
export function startWorker(service: TestService, options: Options = {}) {
  const { delays = [60, 300, 1800, 7200], maxAttempts = 4, timeoutMs } = options
  const worker = new Worker({
    db: service.db,
    secrets: service.secrets,
    sender: new Sender(service.guard, timeoutMs),
    policy: { delays, maxAttempts },
    clock: () => service.clock.now(),
    logger: service.logger,
  })
  service.db.committed.on('deliveries', (company) => worker.wake(company))
  worker.start()
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= worker.stop()
    return stopped
  }
  after(stop)
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

export function deliveriesOf(service: TestService, { empresa }: Caller): Promise<DeliveryRow[]> {
  return service.db.reader(empresa).query<DeliveryRow>(
    `select id, subscription_id, event_seq, event_kind, state, attempts, reason,
       token is not null as leased, extract(epoch from due - clock_timestamp())::float8 as wait
     from webhook_deliveries where tenant_id = $1 order by event_seq, id`,
    [empresa],
  )
}

export interface AttemptRow {
  delivery_id: string
  status: bigint | null
  error: string | null
  response: string | null
  address: string | null
}

export function attemptsOf(service: TestService, { empresa }: Caller): Promise<AttemptRow[]> {
  return service.db.reader(empresa).query<AttemptRow>(
    `select delivery_id, status, error, response, address from webhook_attempts
     where tenant_id = $1 order by id`,
    [empresa],
  )
}

/** Asks again until the answer will do; a bound on the count, not a time that is asserted. */
export async function eventually<T>(
  ask: () => Promise<T>,
  enough: (value: T) => boolean,
): Promise<T> {
  for (let n = 0; n < 600; n++) {
    const value = await ask()
    if (enough(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(
    `It never came: ${JSON.stringify(await ask(), (_, v) => (typeof v === 'bigint' ? String(v) : v))}`,
  )
}

/** Makes whatever waits for its next attempt due now: time passes for the queue alone. */
export async function passTime(service: TestService, { empresa }: Caller): Promise<void> {
  await service.db.write(empresa, (tx) =>
    tx.query(
      `update webhook_deliveries set due = clock_timestamp()
       where tenant_id = $1 and state = 'pending' and token is null`,
      [empresa],
    ),
  )
}

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  attemptsOf,
  type DeliveryRow,
  deliveriesOf,
  eventually,
  expireLeases,
  queueDeliveries,
  startWorker,
  subscribe,
} from '../../test/support/delivery.ts'
import { createLancamento } from '../../test/support/lancamento.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { type Caller, startService, type TestService } from '../../test/support/service.ts'
import { claimDeliveries } from './queue.ts'

const BOUNDS = { perSubscription: 16, perCompany: 48 }
const MEBIBYTE = 2 ** 20

type Options = Parameters<typeof startWorker>[1]
type Started = ReturnType<typeof startWorker>

/** Has workers work until the end of this, whatever that is: nothing of theirs reaches the next test. */
async function withWorkers(
  service: TestService,
  count: number,
  work: (workers: Started[]) => Promise<void>,
  options?: Options,
): Promise<void> {
  const workers = Array.from({ length: count }, () => startWorker(service, options))
  try {
    await work(workers)
  } finally {
    await Promise.all(workers.map(({ stop }) => stop()))
  }
}

/** A company with an event that is delivered already, so that more of it can be queued. */
async function companyWith(service: TestService, urls: string[]): Promise<Caller> {
  const caller = await service.caller()
  await createLancamento(caller)
  for (const url of urls) await subscribe(caller, url)
  return caller
}

const untilAll = (service: TestService, caller: Caller, enough: (row: DeliveryRow) => boolean) =>
  eventually(
    () => deliveriesOf(service, caller),
    (rows) => rows.length > 0 && rows.every(enough),
  )
const isDelivered = ({ state }: DeliveryRow) => state === 'delivered'
const summary = ({ state, attempts, leased }: DeliveryRow) => [state, attempts, leased]
const idsOf = (received: { headers: Record<string, unknown> }[]) =>
  received.map(({ headers }) => headers['webhook-id'])

/** How many requests are being answered at once, and how many there ever were. */
function crowd() {
  const seen = { now: 0, most: 0 }
  const enter = (response: ServerResponse) => {
    seen.now++
    seen.most = Math.max(seen.most, seen.now)
    response.on('close', () => seen.now--)
  }
  return { seen, enter }
}

describe('two workers at once', { timeout: 120_000 }, () => {
  test('deliver 500 of five companies, each exactly once', async () => {
    const service = await startService()
    const receiver = await startReceiver()
    const callers: Caller[] = []
    for (let n = 0; n < 5; n++) callers.push(await companyWith(service, [receiver.url]))
    await withWorkers(service, 2, async (workers) => {
      await Promise.all(
        callers.map(async (caller) => {
          for (let n = 0; n < 10; n++) {
            await queueDeliveries(service, caller, 10)
            for (const { worker } of workers) worker.wake(n % 2 ? caller.empresa : undefined)
          }
        }),
      )
      for (const caller of callers) {
        const rows = await untilAll(service, caller, isDelivered)
        assert.equal(rows.length, 100)
        assert.ok(rows.every(({ attempts }) => attempts === 1n))
        assert.equal((await attemptsOf(service, caller)).length, 100)
      }
    })
    assert.equal(receiver.received.length, 500)
    assert.equal(new Set(idsOf(receiver.received)).size, 500)
  })

  test('never have more than 16 attempts of a subscription in flight', async () => {
    const service = await startService()
    const { seen, enter } = crowd()
    const receiver = await startReceiver({
      answer: async (response) => {
        enter(response)
        await sleep(20)
        response.end()
      },
    })
    const caller = await companyWith(service, [receiver.url])
    await queueDeliveries(service, caller, 200)
    await withWorkers(service, 2, async (workers) => {
      await eventually(
        async () => {
          for (const { worker } of workers) worker.wake(caller.empresa)
          return receiver.received.length
        },
        (count) => count >= 200,
      )
      await untilAll(service, caller, isDelivered)
    })
    assert.ok(seen.most <= 16, String(seen.most))
    assert.equal(new Set(idsOf(receiver.received)).size, 200)
    assert.equal(receiver.received.length, 200)
  })

  test('never have more than 48 of a company in flight, of all its subscriptions', async () => {
    const service = await startService()
    const { seen, enter } = crowd()
    const receivers = await Promise.all(
      Array.from({ length: 4 }, () =>
        startReceiver({
          answer: async (response) => {
            enter(response)
            await sleep(20)
            response.end()
          },
        }),
      ),
    )
    const caller = await companyWith(
      service,
      receivers.map(({ url }) => url),
    )
    await queueDeliveries(service, caller, 60)
    const count = () => receivers.reduce((sum, { received }) => sum + received.length, 0)
    await withWorkers(service, 2, async (workers) => {
      await eventually(
        async () => {
          for (const { worker } of workers) worker.wake(caller.empresa)
          return count()
        },
        (all) => all >= 240,
      )
      await untilAll(service, caller, isDelivered)
    })
    // A slow machine may never have so many at once; more it must not.
    assert.ok(seen.most <= 48, String(seen.most))
    assert.equal(count(), 240)
  })
})

describe('a worker', { timeout: 120_000 }, () => {
  test('that fills what a company may have in flight goes on as soon as there is room', async (t) => {
    const service = await startService()
    const receivers = await Promise.all(Array.from({ length: 4 }, () => startReceiver()))
    const caller = await companyWith(
      service,
      receivers.map(({ url }) => url),
    )
    await queueDeliveries(service, caller, 60)
    // The clock of this process stands still: nothing is found by looking again after a while.
    t.mock.timers.enable({ apis: ['setInterval'] })
    await withWorkers(service, 1, async () => {
      await untilAll(service, caller, isDelivered)
    })
  })

  test('that dies leaves its deliveries to another, when their lease has run out', async () => {
    const service = await startService()
    const receiver = await startReceiver()
    const caller = await companyWith(service, [receiver.url])
    await queueDeliveries(service, caller, 5)
    const claims = await claimDeliveries(service.db, 100, BOUNDS, [caller.empresa])
    assert.equal(claims.length, 5)
    assert.deepEqual(await claimDeliveries(service.db, 100, BOUNDS, undefined), [])
    await withWorkers(service, 1, async ([other]) => {
      // Another company's delivery shows that the other has looked, and has left these alone.
      const bystander = await companyWith(service, [receiver.url])
      await createLancamento(bystander)
      await untilAll(service, bystander, isDelivered)
      assert.equal(receiver.received.length, 1)
      const held = await deliveriesOf(service, caller)
      assert.ok(held.every(({ wait }) => wait! > 0 && wait! <= 20))
      await expireLeases(service, caller)
      other!.worker.wake()
      const rows = await untilAll(service, caller, isDelivered)
      assert.ok(rows.every(({ attempts }) => attempts === 1n))
    })
    assert.equal(receiver.received.length, 6)
    assert.equal((await attemptsOf(service, caller)).length, 5)
  })

  test('whose lease ran out while it waited for the answer has no say any more', async () => {
    const service = await startService()
    const gate = Promise.withResolvers<void>()
    const receiver = await startReceiver()
    receiver.answer = async (response) => {
      if (receiver.received.length > 1) return response.writeHead(500).end('the second')
      await gate.promise
      response.end('the first')
    }
    const caller = await companyWith(service, [receiver.url])
    await withWorkers(service, 1, async ([slow]) => {
      await createLancamento(caller)
      await receiver.until(1)
      await expireLeases(service, caller)
      await withWorkers(service, 1, async ([other]) => {
        other!.worker.wake()
        await untilAll(service, caller, ({ attempts }) => attempts === 1n)
      })
      gate.resolve()
      await slow!.stop()
    })
    const [first, second] = idsOf(receiver.received)
    assert.equal(first, second)
    assert.deepEqual((await deliveriesOf(service, caller)).map(summary), [['pending', 1n, false]])
    const attempts = await attemptsOf(service, caller)
    assert.deepEqual(
      attempts.map(({ status, response }) => [status, response]),
      [[500n, 'the second']],
    )
  })

  test('whose answer comes while another waits for its own has no say either', async () => {
    const service = await startService()
    const gate = Promise.withResolvers<void>()
    const receiver = await startReceiver({
      answer: async (response) => {
        await gate.promise
        response.writeHead(500).end()
      },
    })
    const caller = await companyWith(service, [receiver.url])
    await withWorkers(service, 1, async ([slow]) => {
      await createLancamento(caller)
      await receiver.until(1)
      // Expired and claimed by another in one step, so that the slow one cannot be that other.
      await service.db.write(caller.empresa, (tx) =>
        tx.query(
          `update webhook_queue set token = gen_random_uuid(),
             due = clock_timestamp() + interval '20 seconds'
           where tenant_id = $1 and token is not null`,
          [caller.empresa],
        ),
      )
      gate.resolve()
      await slow!.stop()
    })
    assert.deepEqual((await deliveriesOf(service, caller)).map(summary), [['pending', 0n, true]])
    assert.deepEqual(await attemptsOf(service, caller), [])
    receiver.answer = (response) => response.end()
    await expireLeases(service, caller)
    await withWorkers(service, 1, async () => {
      const [row] = await untilAll(service, caller, isDelivered)
      assert.equal(row!.attempts, 1n)
    })
    const attempts = await attemptsOf(service, caller)
    assert.deepEqual(
      attempts.map(({ status }) => status),
      [200n],
    )
  })

  test('that is stopped gives back what it has not finished, unattempted', async () => {
    const service = await startService()
    const receiver = await startReceiver({ answer: () => {} })
    const caller = await companyWith(service, [receiver.url])
    await queueDeliveries(service, caller, 20)
    await withWorkers(service, 1, async () => {
      await receiver.until(16)
    })
    const rows = await deliveriesOf(service, caller)
    assert.deepEqual(
      rows.map(summary),
      Array.from({ length: 20 }, () => ['pending', 0n, false]),
    )
    assert.ok(rows.every(({ wait }) => wait! <= 0))
    assert.deepEqual(await attemptsOf(service, caller), [])
    receiver.answer = (response) => response.end()
    await withWorkers(service, 1, async () => {
      const all = await untilAll(service, caller, isDelivered)
      assert.ok(all.every(({ attempts }) => attempts === 1n))
    })
  })

  test('that is stopped records what is answered meanwhile', async () => {
    const service = await startService()
    const gate = Promise.withResolvers<void>()
    const receiver = await startReceiver({
      answer: async (response) => {
        await gate.promise
        response.end()
      },
    })
    const caller = await companyWith(service, [receiver.url])
    await queueDeliveries(service, caller, 10)
    await withWorkers(service, 1, async ([worker]) => {
      await receiver.until(10)
      const stopping = worker!.stop()
      gate.resolve()
      await stopping
    })
    const rows = await deliveriesOf(service, caller)
    assert.deepEqual(
      rows.map(summary),
      Array.from({ length: 10 }, () => ['delivered', 1n, false]),
    )
  })

  test('that is stopped while much waits leaves nothing claimed, and begins nothing new', async () => {
    const service = await startService()
    const receiver = await startReceiver({
      answer: async (response) => {
        await sleep(5 * Math.random())
        response.end()
      },
    })
    const caller = await companyWith(service, [receiver.url])
    await queueDeliveries(service, caller, 2_000)
    for (let round = 1; round <= 10; round++) {
      const { worker, stop } = startWorker(service)
      worker.wake(caller.empresa)
      const before = receiver.received.length
      await receiver.until(before + 20)
      await stop()
      const rows = await deliveriesOf(service, caller)
      assert.equal(rows.filter(({ leased }) => leased).length, 0, `claimed, in round ${round}`)
      const attempted = rows.filter(({ attempts }) => attempts > 0n)
      assert.equal((await attemptsOf(service, caller)).length, attempted.length)
    }
  })

  test('finds by itself what nobody announced', async () => {
    const service = await startService()
    const receiver = await startReceiver()
    const caller = await companyWith(service, [receiver.url])
    await withWorkers(service, 1, async () => {
      // It has looked once when it started: this delivery is a later one.
      await createLancamento(caller)
      await untilAll(service, caller, isDelivered)
      await queueDeliveries(service, caller, 3)
      const rows = await untilAll(service, caller, isDelivered)
      assert.equal(rows.length, 4)
    })
    assert.equal(receiver.received.length, 4)
  })

  test('sends the backlog of a paused subscription when that is active again', async () => {
    const service = await startService()
    const receiver = await startReceiver()
    const caller = await companyWith(service, [receiver.url])
    const setActive = (ativo: boolean) =>
      service.db.write(caller.empresa, (tx) =>
        tx.query('update webhooks set ativo = $2 where tenant_id = $1', [caller.empresa, ativo]),
      )
    await setActive(false)
    await withWorkers(service, 1, async ([worker]) => {
      await queueDeliveries(service, caller, 40)
      const bystander = await companyWith(service, [receiver.url])
      await createLancamento(bystander)
      worker!.worker.wake()
      await untilAll(service, bystander, isDelivered)
      assert.equal(receiver.received.length, 1)
      const waiting = await deliveriesOf(service, caller)
      assert.deepEqual(
        waiting.map(summary),
        Array.from({ length: 40 }, () => ['pending', 0n, false]),
      )
      await setActive(true)
      const rows = await untilAll(service, caller, isDelivered)
      assert.ok(rows.every(({ attempts }) => attempts === 1n))
    })
    assert.equal(receiver.received.length, 41)
  })
})

describe('10,000 deliveries to a receiver that hangs', { timeout: 120_000 }, () => {
  test('delay nobody else, and cost no memory', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const memory = () => {
      collect()
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    const service = await startService()
    const { seen, enter } = crowd()
    const hanging = await startReceiver({ answer: enter })
    const healthy = await startReceiver()
    const dead = await companyWith(service, [hanging.url])
    const other = await companyWith(service, [healthy.url])
    const pending = async () => {
      const [row] = await service.db
        .reader(dead.empresa)
        .query<{ count: bigint }>(
          "select count(*) from webhook_deliveries where tenant_id = $1 and state = 'pending'",
          [dead.empresa],
        )
      return row!.count
    }
    await queueDeliveries(service, dead, 10_000)
    await withWorkers(
      service,
      2,
      async ([worker]) => {
        await hanging.until(16)
        const before = memory()
        for (let n = 1; n <= 5; n++) {
          await createLancamento(other)
          await healthy.until(n)
          worker!.worker.wake()
          // Each round some of the dead one's time out, and others take their place.
          await hanging.until(16 * (n + 1))
        }
        await untilAll(service, other, isDelivered)
        assert.ok((await deliveriesOf(service, other)).every(({ attempts }) => attempts === 1n))
        assert.equal(await pending(), 10_000n)
        assert.ok(seen.most <= 32, `${seen.most} at once`)
        const grown = memory() - before
        assert.ok(grown < 16 * MEBIBYTE, `${grown} bytes more`)
      },
      { timeoutMs: 300 },
    )
  })

  test('that all wait for their next attempt do not hold up a backlog that is due', async () => {
    const service = await startService()
    const receiver = await startReceiver()
    const dead = await Promise.all(
      Array.from({ length: 30 }, () =>
        companyWith(
          service,
          Array.from({ length: 10 }, () => receiver.url),
        ),
      ),
    )
    for (const caller of dead) await queueDeliveries(service, caller, 33)
    for (const { empresa } of dead) {
      await service.db.write(empresa, (tx) =>
        tx.query("update webhook_queue set due = due + interval '1 hour' where tenant_id = $1", [
          empresa,
        ]),
      )
    }
    const alive = await companyWith(service, [receiver.url])
    await queueDeliveries(service, alive, 64)
    await withWorkers(service, 1, async () => {
      await untilAll(service, alive, isDelivered)
    })
    assert.equal(receiver.received.length, 64)
  })
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  deliveriesOf,
  eventually,
  passTime,
  startWorker,
  subscribe,
} from '../../test/support/delivery.ts'
import { createLancamento, UNKNOWN_ID } from '../../test/support/lancamento.ts'
import { createParceiro } from '../../test/support/parceiro.ts'
import { isGenuine, startReceiver } from '../../test/support/receiver.ts'
import { refusalsOf } from '../../test/support/refusal.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import type { Database } from '../db/database.ts'
import type { Delivery, Redelivery } from './delivery-schema.ts'
import { Redeliverer } from './redeliverer.ts'

const service = await startService()
const { worker } = startWorker(service, { delays: [60], maxAttempts: 2 })

async function list(caller: Caller, webhook: string): Promise<Delivery[]> {
  const { status, body } = await caller.get(`/webhooks/${webhook}/deliveries?limit=1000`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.items
}

/** Waits until the one delivery of a subscription is as it should be. */
const once = (caller: Caller, webhook: string, enough: (delivery: Delivery) => boolean) =>
  eventually(
    async () => (await list(caller, webhook))[0]!,
    (delivery) => enough(delivery),
  )

/** A delivery whose receiver answers as it is told to. */
async function delivered(statuses: number[]) {
  const caller = await service.caller()
  const receiver = await startReceiver({
    answer: (response) => response.writeHead(statuses[receiver.received.length - 1] ?? 200).end(),
  })
  const webhook = await subscribe(caller, receiver.url)
  await createLancamento(caller)
  const attempts = (count: number) =>
    once(caller, webhook.id, ({ attempts, next_attempt, status }) => {
      return attempts === count && (status !== 'pending' || next_attempt !== null)
    })
  const delivery = await attempts(1)
  const again = () => caller.post(`/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`)
  return { caller, receiver, webhook, delivery, attempts, again }
}

describe('a delivery that is sent again', () => {
  test('has the same webhook-id and data, and a timestamp of its own', async () => {
    const { receiver, webhook, delivery, attempts, again } = await delivered([])
    assert.equal(delivery.status, 'delivered')
    const { now } = service.clock
    try {
      const later = now() + 7_200_000
      service.clock.now = () => later
      const { status, body } = await again()
      assert.equal(status, 200)
      assert.deepEqual([body.item.id, body.item.status], [delivery.id, 'pending'])
      const [first, second] = await receiver.until(2)
      assert.ok(isGenuine(second!, webhook.secret, later))
      assert.ok(!isGenuine(first!, webhook.secret, later))
      assert.equal(second!.headers['webhook-id'], delivery.id)
      assert.equal(second!.headers['x-svc-sequence'], first!.headers['x-svc-sequence'])
      assert.deepEqual(second!.body.data, first!.body.data)
      assert.notEqual(second!.body.timestamp, first!.body.timestamp)
    } finally {
      service.clock.now = now
    }
    const after = await attempts(2)
    assert.deepEqual([after.status, after.attempts], ['delivered', 2])
  })

  test('though it was delivered is tried as often as any, and counted on', async () => {
    const { caller, receiver, webhook, attempts, again } = await delivered([200, 500, 500])
    await again()
    const failed = await attempts(2)
    assert.equal(failed.status, 'pending')
    await passTime(service, caller)
    worker.wake()
    assert.equal((await attempts(3)).status, 'dead')
    assert.equal(receiver.received.length, 3)
    const [{ id }] = (await list(caller, webhook.id)) as [Delivery]
    const { body } = await caller.get(`/webhooks/${webhook.id}/deliveries/${id}`)
    assert.deepEqual(
      body.item.history.map(({ response }: { response: { status: number } }) => response.status),
      [200, 500, 500],
    )
  })

  test('though it was dead is delivered', async () => {
    const { caller, receiver, attempts, again } = await delivered([500, 500, 503])
    await passTime(service, caller)
    worker.wake()
    assert.equal((await attempts(2)).status, 'dead')
    await again()
    assert.equal((await attempts(3)).status, 'pending')
    await again()
    assert.equal((await attempts(4)).status, 'delivered')
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  })

  test('though it waits for its next attempt has it now', async () => {
    const { receiver, attempts, again } = await delivered([500])
    await again()
    await receiver.until(2)
    assert.deepEqual((await attempts(2)).status, 'delivered')
  })

  test('is answered as due', async () => {
    const { caller, webhook, delivery } = await delivered([])
    // Paused, so that it is still so when it is looked at.
    await caller.patch(`/webhooks/${webhook.id}`, { ativo: false })
    const path = `/webhooks/${webhook.id}/deliveries/${delivery.id}`
    const { body } = await caller.post(`${path}/redeliver`)
    const { history, ...shown } = (await caller.get(path)).body.item
    assert.ok(shown.next_attempt)
    assert.equal(history.length, 1)
    assert.deepEqual(body.item, shown)
  })

  test('while it is under way is not sent twice', async () => {
    const caller = await service.caller()
    const gate = Promise.withResolvers<void>()
    const receiver = await startReceiver({
      answer: (response) => void gate.promise.then(() => response.end()),
    })
    const webhook = await subscribe(caller, receiver.url)
    await createLancamento(caller)
    await receiver.until(1)
    const [{ id }] = (await list(caller, webhook.id)) as [Delivery]
    const calls = [1, 2, 3].map(() =>
      caller.post(`/webhooks/${webhook.id}/deliveries/${id}/redeliver`),
    )
    for (const { status } of await Promise.all(calls)) assert.equal(status, 200)
    gate.resolve()
    const after = await once(caller, webhook.id, ({ status }) => status === 'delivered')
    assert.deepEqual([after.attempts, after.next_attempt], [1, null])
    assert.equal(receiver.received.length, 1)
  })

  test('by many at once is sent once', async () => {
    const { caller, receiver, webhook, delivery, again } = await delivered([500])
    await caller.patch(`/webhooks/${webhook.id}`, { ativo: false })
    await Promise.all([1, 2, 3, 4].map(again))
    await caller.patch(`/webhooks/${webhook.id}`, { ativo: true })
    await once(caller, webhook.id, ({ status }) => status === 'delivered')
    assert.equal(receiver.received.length, 2)
    assert.deepEqual((await deliveriesOf(service, caller)).length, 1)
    assert.equal(delivery.attempts, 1)
  })

  test('is 404 of another company or subscription, of nothing, and of one that was removed', async () => {
    const { caller, webhook, delivery, receiver } = await delivered([])
    const stranger = await service.caller()
    const [own, theirs] = [
      await subscribe(caller, receiver.url),
      await subscribe(stranger, receiver.url),
    ]
    const refused = async (who: Caller, of: string, id: string) => {
      const { status, body } = await who.post(`/webhooks/${of}/deliveries/${id}/redeliver`)
      assert.deepEqual([status, body.code], [404, 'not-found'], `${of} ${id}`)
    }
    await refused(stranger, webhook.id, delivery.id)
    await refused(stranger, theirs.id, delivery.id)
    await refused(caller, own.id, delivery.id)
    for (const id of [UNKNOWN_ID, 'x']) {
      await refused(caller, webhook.id, id)
      await refused(caller, id, delivery.id)
    }
    await caller.delete(`/webhooks/${webhook.id}`)
    await refused(caller, webhook.id, delivery.id)
    assert.deepEqual(
      (await deliveriesOf(service, caller)).map(({ state }) => state),
      ['delivered'],
    )
    assert.equal(receiver.received.length, 1)
  })
})

/** Tomorrow: nothing else is made then. */
const BASE = Math.floor(Date.now() / 1000) * 1000 + 86_400_000
const at = (ms: number) => new Date(BASE + ms).toISOString()

interface Made {
  /** Milliseconds since the base. */
  at: number
  state?: string
}

/** Deliveries of the company's last event that have ended, made when they are said to be. */
async function make(caller: Caller, webhook: string, made: Made[]): Promise<string[]> {
  const rows = made.map(({ at, state = 'dead' }) => {
    const time = (BASE + at).toString(16).padStart(12, '0')
    const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${randomBytes(6).toString('hex')}`
    return { id, state, criado_em: new Date(BASE + at).toISOString() }
  })
  await service.db.write(caller.empresa, (tx) =>
    tx.query(
      `insert into webhook_deliveries
         (tenant_id, id, subscription_id, event_id, event_seq, event_kind, state, attempts, criado_em)
       select $1, r.id, $2, e.id, e.seq, e.kind, r.state, 4, r.criado_em
       from (select * from events where tenant_id = $1 order by seq desc limit 1) as e,
         jsonb_to_recordset($3::jsonb) as r (id uuid, state text, criado_em timestamptz)`,
      [caller.empresa, webhook, JSON.stringify(rows)],
    ),
  )
  return rows.map(({ id }) => id)
}

/** A subscription that is paused, so that what is taken up waits to be looked at. */
async function paused(events = ['lancamento.updated']) {
  const caller = await service.caller()
  const { id } = await subscribe(caller, 'https://receiver.example/', events)
  await caller.patch(`/webhooks/${id}`, { ativo: false })
  await createLancamento(caller)
  return { caller, id }
}

async function range(caller: Caller, webhook: string, body: object): Promise<Redelivery> {
  const answer = await caller.post(`/webhooks/${webhook}/redeliver`, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.item
}

async function progress(caller: Caller, { webhook_id, id }: Redelivery): Promise<Redelivery> {
  const { status, body } = await caller.get(`/webhooks/${webhook_id}/redeliver/${id}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.item
}

/** Those who take ranges up, at work until this one is done. */
async function carryOut(caller: Caller, job: Redelivery, count = 1): Promise<Redelivery> {
  const all = Array.from({ length: count }, () => new Redeliverer(service.db, service.logger))
  for (const redeliverer of all) redeliverer.start()
  try {
    return await eventually(
      () => progress(caller, job),
      ({ concluido_em }) => concluido_em !== null,
    )
  } finally {
    await Promise.all(all.map((redeliverer) => redeliverer.stop()))
  }
}

const pendingOf = async (caller: Caller, webhook: string) =>
  (await deliveriesOf(service, caller))
    .filter((row) => row.subscription_id === webhook && row.state === 'pending')
    .map(({ id }) => id)
    .sort()

describe('a range that is sent again', () => {
  test('is counted alone where it is only tried', async () => {
    const { caller, id } = await paused()
    await make(caller, id, [{ at: 0 }, { at: 1 }, { at: 2, state: 'delivered' }])
    const { status, body } = await caller.post(`/webhooks/${id}/redeliver`, {
      ...{ desde: at(0), ate: at(10), simular: true },
    })
    assert.deepEqual([status, body], [200, { item: { simular: true, total: 2 } }])
    const redeliverer = new Redeliverer(service.db, service.logger)
    redeliverer.start()
    await redeliverer.stop()
    assert.deepEqual(await pendingOf(caller, id), [])
    const jobs = await service.db
      .reader(caller.empresa)
      .query('select id from webhook_redeliveries where tenant_id = $1', [caller.empresa])
    assert.deepEqual(jobs, [])
  })

  test('is written down as it was asked for, and its progress can be read', async () => {
    const { caller, id } = await paused()
    const made = await make(caller, id, [{ at: 0 }, { at: 1 }])
    const job = await range(caller, id, { desde: at(0), ate: at(10), events: null, status: null })
    const { id: _, criado_em: __, ...rest } = job
    assert.deepEqual(rest, {
      ...{ webhook_id: id, desde: at(0), ate: at(10), status: 'dead', events: [] },
      ...{ total: 2, reenviadas: 0, concluido_em: null },
    })
    assert.deepEqual(await progress(caller, job), job)
    const done = await carryOut(caller, job)
    assert.deepEqual({ ...done, concluido_em: null }, { ...job, reenviadas: 2 })
    assert.deepEqual(await pendingOf(caller, id), made.sort())
  })

  test('holds what was made at its start, and not at its end', async () => {
    const { caller, id } = await paused()
    const made = await make(caller, id, [{ at: -1 }, { at: 0 }, { at: 4 }, { at: 5 }, { at: 6 }])
    const job = await range(caller, id, { desde: at(0), ate: at(5) })
    assert.equal(job.total, 2)
    assert.equal((await carryOut(caller, job)).reenviadas, 2)
    assert.deepEqual(await pendingOf(caller, id), made.slice(1, 3))
  })

  test('may be given in another offset', async () => {
    const { caller, id } = await paused()
    await make(caller, id, [{ at: 0 }, { at: 5 }])
    const here = (ms: number) => at(ms - 3 * 3_600_000).replace('Z', '-03:00')
    const job = await range(caller, id, { desde: here(0), ate: here(5) })
    assert.deepEqual([job.desde, job.ate, job.total], [at(0), at(5), 1])
  })

  test('from before there were computers holds everything', async () => {
    const { caller, id } = await paused()
    await make(caller, id, [{ at: 0 }])
    const job = await range(caller, id, { desde: '1900-01-01T00:00:00Z', ate: at(1) })
    assert.equal(job.total, 1)
  })

  test('that is empty is done, with nothing', async () => {
    const { caller, id } = await paused()
    await make(caller, id, [{ at: 0 }])
    const job = await range(caller, id, { desde: at(0), ate: at(0) })
    assert.equal(job.total, 0)
    assert.equal((await carryOut(caller, job)).reenviadas, 0)
    assert.deepEqual(await pendingOf(caller, id), [])
  })

  test('ends now unless told otherwise', async () => {
    const { caller, id } = await paused()
    await make(caller, id, [{ at: 0 }])
    const job = await range(caller, id, { desde: '2020-01-01T00:00:00Z' })
    assert.ok(job.ate <= new Date().toISOString())
    assert.equal(job.total, 0)
  })

  for (const [status, taken] of [
    ['dead', 0],
    ['delivered', 1],
  ] as const) {
    test(`of those that are ${status} holds no others`, async () => {
      const { caller, id } = await paused()
      const made = await make(caller, id, [{ at: 0 }, { at: 1, state: 'delivered' }])
      const job = await range(caller, id, { desde: at(0), ate: at(9), status })
      assert.deepEqual([job.status, job.total], [status, 1])
      await carryOut(caller, job)
      assert.deepEqual(await pendingOf(caller, id), [made[taken]])
    })
  }

  test('of some kinds of event holds no others', async () => {
    const { caller, id } = await paused()
    const ofEntries = await make(caller, id, [{ at: 0 }, { at: 3 }])
    await createParceiro(caller)
    const ofPartners = await make(caller, id, [{ at: 1 }])
    const count = async (events: string[]) => {
      const body = { desde: at(0), ate: at(9), events, simular: true }
      return (await caller.post(`/webhooks/${id}/redeliver`, body)).body.item.total
    }
    assert.equal(await count(['lancamento.created', 'parceiro.created']), 3)
    assert.equal(await count(['nfse.emitida']), 0)
    const events = ['parceiro.created', 'nfse.emitida']
    const job = await range(caller, id, { desde: at(0), ate: at(9), events })
    assert.deepEqual([job.events, job.total], [events, 1])
    await carryOut(caller, job)
    assert.deepEqual(await pendingOf(caller, id), ofPartners)
    assert.equal(ofEntries.length, 2)
  })

  test('is of one subscription, and of one company', async () => {
    const { caller, id } = await paused()
    const other = await subscribe(caller, 'https://receiver.example/', ['lancamento.updated'])
    const stranger = await paused()
    await make(caller, other.id, [{ at: 0 }])
    await make(stranger.caller, stranger.id, [{ at: 0 }])
    const made = await make(caller, id, [{ at: 0 }])
    const job = await range(caller, id, { desde: at(0), ate: at(9) })
    assert.equal(job.total, 1)
    assert.equal((await carryOut(caller, job)).reenviadas, 1)
    assert.deepEqual(await pendingOf(caller, id), made)
    assert.deepEqual(await pendingOf(caller, other.id), [])
    assert.deepEqual(await pendingOf(stranger.caller, stranger.id), [])
  })

  const MANY: Made[] = Array.from({ length: 1_100 }, (_, n) => ({ at: n, state: 'delivered' }))

  test('goes on where it was when whoever carried it out stopped', async () => {
    const { caller, id } = await paused()
    await make(caller, id, MANY)
    const job = await range(caller, id, { desde: at(0), ate: at(9_999), status: 'delivered' })
    let before = 0
    for (const _ of [1, 2]) {
      const stopped = new Redeliverer(service.db, service.logger)
      stopped.start()
      await stopped.stop()
      const { reenviadas, concluido_em } = await progress(caller, job)
      assert.ok(reenviadas > before && reenviadas < 1_100)
      assert.equal(concluido_em, null)
      assert.equal((await pendingOf(caller, id)).length, reenviadas - before)
      before = reenviadas
      // What was sent again has been delivered again meanwhile: it is not taken up once more.
      await service.db.write(caller.empresa, async (tx) => {
        await tx.query('delete from webhook_queue where tenant_id = $1', [caller.empresa])
        await tx.query("update webhook_deliveries set state = 'delivered' where tenant_id = $1", [
          caller.empresa,
        ])
      })
    }
    assert.equal((await carryOut(caller, job)).reenviadas, 1_100)
    assert.equal((await pendingOf(caller, id)).length, 1_100 - before)
  })

  test('loses and doubles nothing when whoever carried it out died amid it', async () => {
    const { caller, id } = await paused()
    await make(caller, id, [{ at: 0 }, { at: 1 }])
    const job = await range(caller, id, { desde: at(0), ate: at(9) })
    const { promise: died, resolve } = Promise.withResolvers<void>()
    const dying = {
      system: (role: 'lastro_worker') => service.db.system(role),
      write: (tenant: string, work: Parameters<Database['write']>[1]) =>
        service.db.write(tenant, async (tx) => {
          await work(tx)
          resolve()
          throw new Error('died')
        }),
    } as unknown as Database
    const first = new Redeliverer(dying, service.logger)
    first.start()
    await died
    await first.stop()
    assert.deepEqual(await progress(caller, job), job)
    assert.deepEqual(await pendingOf(caller, id), [])
    assert.equal((await carryOut(caller, job)).reenviadas, 2)
    assert.equal((await pendingOf(caller, id)).length, 2)
  })

  test('is taken up once by two who carry out such at once', async () => {
    const { caller, id } = await paused()
    await make(caller, id, MANY)
    const job = await range(caller, id, { desde: at(0), ate: at(9_999), status: 'delivered' })
    assert.equal((await carryOut(caller, job, 2)).reenviadas, 1_100)
    assert.equal((await pendingOf(caller, id)).length, 1_100)
  })

  test('reaches its receiver once each, with the same webhook-id', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    const { id } = await subscribe(caller, receiver.url)
    for (let n = 0; n < 5; n++) await createLancamento(caller)
    await eventually(
      () => deliveriesOf(service, caller),
      (rows) => rows.every(({ state }) => state === 'delivered'),
    )
    const ate = new Date(Date.now() + 60_000).toISOString()
    const job = await range(caller, id, { desde: at(-2 * 86_400_000), ate, status: 'delivered' })
    assert.equal(job.total, 5)
    await carryOut(caller, job, 2)
    const rows = await eventually(
      () => deliveriesOf(service, caller),
      (all) => all.every(({ state }) => state === 'delivered'),
    )
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-id']).sort(),
      rows.flatMap(({ id }) => [id, id]).sort(),
    )
    assert.deepEqual(
      rows.map(({ attempts }) => attempts),
      Array(5).fill(2n),
    )
  })

  test('holds nothing that is still to be delivered', async () => {
    const { caller, id } = await paused()
    await make(caller, id, [{ at: 0 }])
    const body = { desde: at(0), ate: at(9) }
    await carryOut(caller, await range(caller, id, body))
    const job = await range(caller, id, body)
    assert.equal(job.total, 0)
    assert.equal((await carryOut(caller, job)).reenviadas, 0)
  })

  test('ends when its subscription is removed: nothing waits for ever', async () => {
    const { caller, id } = await paused()
    await make(caller, id, [{ at: 0 }, { at: 1 }])
    const job = await range(caller, id, { desde: at(0), ate: at(9) })
    await caller.delete(`/webhooks/${id}`)
    await carryOut(caller, job)
    const states = (await list(caller, id)).map(({ status }) => status)
    assert.deepEqual(states, ['dead', 'dead'])
    assert.deepEqual(await pendingOf(caller, id), [])
  })
})

describe('what is asked of a range', () => {
  const RANGE = { desde: at(0), ate: at(9) }

  test('of a subscription that is not there, or not theirs, or removed, is 404', async () => {
    const { caller, id } = await paused()
    await make(caller, id, [{ at: 0 }])
    const job = await range(caller, id, RANGE)
    const stranger = await paused()
    const posts = async (who: Caller, of: string) => {
      for (const body of [RANGE, { ...RANGE, simular: true }]) {
        const answer = await who.post(`/webhooks/${of}/redeliver`, body)
        assert.deepEqual([answer.status, answer.body.code], [404, 'not-found'], of)
      }
    }
    await posts(stranger.caller, id)
    for (const none of [UNKNOWN_ID, 'x']) await posts(caller, none)
    const { id: other } = await subscribe(caller, 'https://receiver.example/')
    for (const [who, path] of [
      [stranger.caller, `${id}/redeliver/${job.id}`],
      [stranger.caller, `${stranger.id}/redeliver/${job.id}`],
      [caller, `${other}/redeliver/${job.id}`],
      [caller, `${id}/redeliver/${UNKNOWN_ID}`],
      [caller, `${id}/redeliver/x`],
      [caller, `x/redeliver/${job.id}`],
    ] as const) {
      const answer = await who.get(`/webhooks/${path}`)
      assert.deepEqual([answer.status, answer.body.code], [404, 'not-found'], path)
    }
    await caller.delete(`/webhooks/${id}`)
    await posts(caller, id)
    assert.equal((await progress(caller, job)).id, job.id)
  })

  const faulty: Record<string, { body: unknown; fields: string[] }> = {
    'without a start': { body: {}, fields: ['desde'] },
    'with null for its start': { body: { desde: null }, fields: ['desde'] },
    'that ends before it starts': { body: { desde: at(1), ate: at(0) }, fields: ['desde'] },
    'that starts in the future and ends now': { body: { desde: at(0) }, fields: ['desde'] },
    'with a day for a moment': {
      body: { desde: '2026-06-22', ate: '2026-06-23' },
      fields: ['desde', 'ate'],
    },
    'without an offset': { body: { desde: '2026-06-22T00:00:00' }, fields: ['desde'] },
    'with a moment that never was': {
      body: { desde: '2026-02-30T00:00:00Z', ate: '2026-06-22T24:00:01Z' },
      fields: ['desde', 'ate'],
    },
    'with a leap second': { body: { desde: '2016-12-31T23:59:60Z' }, fields: ['desde'] },
    'with a number for a moment': { body: { desde: 1, ate: 2 }, fields: ['desde', 'ate'] },
    'of those that are pending': { body: { ...RANGE, status: 'pending' }, fields: ['status'] },
    'with an unknown status': { body: { ...RANGE, status: 'DEAD' }, fields: ['status'] },
    'with no kind in the list': { body: { ...RANGE, events: [] }, fields: ['events'] },
    'with an unknown kind': {
      body: { ...RANGE, events: ['lancamento.created', 'x'] },
      fields: ['events[1]'],
    },
    'with a kind twice': {
      body: { ...RANGE, events: ['nfse.emitida', 'nfse.emitida'] },
      fields: ['events'],
    },
    'with kinds that are no list': { body: { ...RANGE, events: 'x' }, fields: ['events'] },
    'with a text for simular': { body: { ...RANGE, simular: 'true' }, fields: ['simular'] },
    'with fields that are not known': {
      body: { ...RANGE, since: 1, event: 'x' },
      fields: ['since', 'event'],
    },
    'with several faults': {
      body: { ate: 'x', status: 'x', simular: 1 },
      fields: ['desde', 'ate', 'status', 'simular'],
    },
    'that is a list': { body: [RANGE], fields: ['corpo'] },
  }
  for (const [name, { body, fields }] of Object.entries(faulty)) {
    test(`${name} is refused, naming ${fields.join(', ')}`, async () => {
      const { caller, id } = await paused()
      const isRefused = refusalsOf(service, caller, '/webhooks')
      await isRefused(() => caller.post(`/webhooks/${id}/redeliver`, body), { fields })
      const jobs = await service.db
        .reader(caller.empresa)
        .query('select id from webhook_redeliveries where tenant_id = $1', [caller.empresa])
      assert.deepEqual(jobs, [])
    })
  }

  test('is judged before its subscription is looked for', async () => {
    const caller = await service.caller()
    const answer = await caller.post(`/webhooks/${UNKNOWN_ID}/redeliver`, {
      ...{ desde: at(1), ate: at(0) },
    })
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid-body'])
  })
})

import assert from 'node:assert/strict'
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
import { startReceiver } from '../../test/support/receiver.ts'
import { refusalsOf } from '../../test/support/refusal.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import type { Webhook } from './schema.ts'

const service = await startService()
const { worker } = startWorker(service)

async function patch(caller: Caller, id: string, fields: object): Promise<Webhook> {
  const { status, body } = await caller.patch(`/webhooks/${id}`, fields)
  assert.equal(status, 200, JSON.stringify(body))
  return body.item
}

async function shown(caller: Caller, id: string): Promise<Webhook> {
  const { items } = (await caller.get('/webhooks')).body as { items: Webhook[] }
  return items.find((item) => item.id === id)!
}

const states = async (caller: Caller) =>
  (await deliveriesOf(service, caller)).map(({ state, attempts }) => `${state} ${attempts}`)

const settled = (caller: Caller, state: string) =>
  eventually(
    () => deliveriesOf(service, caller),
    (rows) => rows.length > 0 && rows.every((row) => row.state === state),
  )

/** Another company's delivery shows that the worker has looked meanwhile, at everybody's. */
async function lookMeanwhile() {
  const caller = await service.caller()
  const { url, until } = await startReceiver()
  await subscribe(caller, url)
  worker.wake()
  await createLancamento(caller)
  await until(1)
  await settled(caller, 'delivered')
}

const A_WEBHOOK = { url: 'https://receiver.example/hook', events: ['lancamento.created'] }

async function create(caller: Caller, fields: object = {}): Promise<Webhook> {
  const { status, body } = await caller.post('/webhooks', { ...A_WEBHOOK, ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  const { secret: _, ...item } = body.item
  return item
}

describe('a change', () => {
  for (const [field, value] of Object.entries({
    url: 'https://elsewhere.example/?a=b',
    events: ['parceiro.created', 'lancamento.created'],
    name: 'ERP',
    ativo: false,
  })) {
    test(`of ${field} alone leaves the rest as it was`, async () => {
      const caller = await service.caller()
      const before = await create(caller)
      const after = await patch(caller, before.id, { [field]: value })
      const { atualizado_em, inativo_desde, inativo_motivo, ...rest } = after
      const { atualizado_em: earlier, inativo_desde: _, inativo_motivo: __, ...others } = before
      assert.deepEqual(rest, { ...others, [field]: value })
      assert.ok(atualizado_em >= earlier)
      assert.deepEqual(await shown(caller, before.id), after)
      assert.deepEqual(
        [inativo_desde !== null, inativo_motivo],
        field === 'ativo' ? [true, 'Pausada.'] : [false, null],
      )
    })
  }

  test('of several fields at once is one change, and null takes the name away', async () => {
    const caller = await service.caller()
    const { id } = await create(caller, { name: 'ERP' })
    const fields = { url: 'https://elsewhere.example/', events: ['nfse.emitida'], name: null }
    const { url, events, name } = await patch(caller, id, fields)
    assert.deepEqual({ url, events, name }, fields)
  })

  test('of one subscription leaves another as it was', async () => {
    const caller = await service.caller()
    const [one, other] = [await create(caller), await create(caller)]
    await patch(caller, one.id, { ativo: false, name: 'x' })
    assert.deepEqual(await shown(caller, other.id), other)
  })

  test('that changes nothing leaves it as it was, its time too', async () => {
    const caller = await service.caller()
    const before = await create(caller, { name: 'ERP' })
    const { url, events, name, ativo } = before
    for (const same of [{ url }, { events }, { name }, { ativo }, { url, events, name, ativo }]) {
      assert.deepEqual(await patch(caller, before.id, same), before)
    }
    const pausedOne = await patch(caller, before.id, { ativo: false })
    assert.deepEqual(await patch(caller, before.id, { ativo: false }), pausedOne)
  })

  test('may carry what is only read, where it is as it is shown', async () => {
    const caller = await service.caller()
    const before = await patch(caller, (await create(caller)).id, { ativo: false })
    const after = await patch(caller, before.id, { ...before, name: 'outro' })
    assert.deepEqual(after, { ...before, name: 'outro', atualizado_em: after.atualizado_em })
    const active = await patch(caller, before.id, { ...after, ativo: true })
    assert.deepEqual(
      [active.ativo, active.inativo_desde, active.inativo_motivo],
      [true, null, null],
    )
  })

  const different = {
    id: UNKNOWN_ID,
    inativo_desde: '2026-06-22T00:00:00.000Z',
    inativo_motivo: 'Pausada.',
    segredo_anterior_ate: '2026-06-22T00:00:00.000Z',
    criado_em: '2026-06-22T00:00:00.000Z',
    atualizado_em: '2026-06-22T00:00:00.000Z',
  }
  for (const [field, value] of Object.entries(different)) {
    test(`of ${field}, which is only read, is refused, and nothing of it is done`, async () => {
      const caller = await service.caller()
      const { id } = await create(caller)
      const isRefused = refusalsOf(service, caller, '/webhooks')
      const body = { name: 'outro', [field]: value }
      await isRefused(() => caller.patch(`/webhooks/${id}`, body), { fields: [field] })
    })
  }

  const faulty: Record<string, { body: unknown; fields: string[] }> = {
    'without a field': { body: {}, fields: ['corpo'] },
    'that is a list': { body: [{ ativo: false }], fields: ['corpo'] },
    'with a text for ativo': { body: { ativo: 'false' }, fields: ['ativo'] },
    'with a number for ativo': { body: { ativo: 0 }, fields: ['ativo'] },
    'with null for what cannot be null': {
      body: { url: null, events: null, ativo: null },
      fields: ['url', 'events', 'ativo'],
    },
    'with no kind in the list': { body: { events: [] }, fields: ['events'] },
    'with an unknown kind': { body: { events: ['x'] }, fields: ['events[0]'] },
    'with a kind twice': { body: { events: ['nfse.emitida', 'nfse.emitida'] }, fields: ['events'] },
    'with an empty name': { body: { name: '' }, fields: ['name'] },
    'with a name that is too long': { body: { name: 'x'.repeat(201) }, fields: ['name'] },
    'with an empty address': { body: { url: '' }, fields: ['url'] },
    'with a space in the address': { body: { url: ' https://a.example/' }, fields: ['url'] },
    'with a secret': { body: { secret: 'whsec_x' }, fields: ['secret'] },
    'with fields that are not known': {
      body: { name: 'x', nome: 'x', active: true },
      fields: ['nome', 'active'],
    },
  }
  for (const [name, { body, fields }] of Object.entries(faulty)) {
    test(`${name} is refused, naming ${fields.join(', ')}`, async () => {
      const caller = await service.caller()
      const { id } = await create(caller)
      const isRefused = refusalsOf(service, caller, '/webhooks')
      await isRefused(() => caller.patch(`/webhooks/${id}`, body), { fields })
    })
  }

  for (const url of ['http://receiver.example/', 'https://10.0.0.1/', 'https://intranet/', 'x']) {
    test(`of the address to ${url} is refused`, async () => {
      const caller = await service.caller()
      const { id } = await create(caller)
      const isRefused = refusalsOf(service, caller, '/webhooks')
      const refusal = { code: 'webhook-url-refused', fields: ['url'] }
      await isRefused(() => caller.patch(`/webhooks/${id}`, { url, name: 'outro' }), refusal)
    })
  }

  test('of what is not there, or not theirs, is 404', async () => {
    const [owner, stranger] = [await service.caller(), await service.caller()]
    const item = await create(owner)
    for (const id of [item.id, UNKNOWN_ID, 'x']) {
      const { status, body } = await stranger.patch(`/webhooks/${id}`, { ativo: false })
      assert.deepEqual([status, body.code], [404, 'not-found'])
    }
    assert.deepEqual(await shown(owner, item.id), item)
  })

  test('of the kinds is of events that come after it', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    const { id } = await create(caller, { url: receiver.url })
    await patch(caller, id, { ativo: false })
    await createLancamento(caller)
    await createParceiro(caller)
    await patch(caller, id, { events: ['parceiro.created'], ativo: true })
    await createLancamento(caller)
    await createParceiro(caller)
    await receiver.until(2)
    await settled(caller, 'delivered')
    assert.deepEqual(receiver.received.map(({ headers }) => headers['x-svc-sequence']).sort(), [
      '1',
      '4',
    ])
  })

  test('of the address is of what waits too', async () => {
    const caller = await service.caller()
    const [before, after] = [await startReceiver(), await startReceiver()]
    const { id } = await create(caller, { url: before.url })
    await patch(caller, id, { ativo: false })
    await createLancamento(caller)
    await patch(caller, id, { url: after.url, ativo: true })
    await settled(caller, 'delivered')
    assert.deepEqual([before.received.length, after.received.length], [0, 1])
  })
})

describe('while a subscription is paused', () => {
  test('its deliveries wait, and go out in their order when it goes on', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    const { id } = await create(caller, { url: receiver.url })
    await patch(caller, id, { ativo: false })
    for (let n = 0; n < 40; n++) await createLancamento(caller)
    await lookMeanwhile()
    assert.deepEqual(await states(caller), Array(40).fill('pending 0'))
    assert.equal(receiver.received.length, 0)
    await patch(caller, id, { ativo: true })
    await settled(caller, 'delivered')
    const rows = await service.db.reader(caller.empresa).query<{ event_seq: bigint }>(
      `select d.event_seq from webhook_attempts a
       join webhook_deliveries d on d.tenant_id = a.tenant_id and d.id = a.delivery_id
       where a.tenant_id = $1 order by a.started_at, d.event_seq`,
      [caller.empresa],
    )
    // They are under way together, so they may arrive in another order than they went out.
    assert.deepEqual(
      rows.map(({ event_seq }) => Number(event_seq)),
      Array.from({ length: 40 }, (_, n) => n + 1),
    )
    assert.equal(receiver.received.length, 40)
  })

  test('whoever delivers is told when it goes on, where something waits', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    const told: string[] = []
    service.db.committed.on('deliveries', (company: string) => void told.push(company))
    const goesOn = async () => {
      await patch(caller, id, { ativo: false })
      await patch(caller, id, { ativo: true })
      return told.filter((company) => company === caller.empresa).length
    }
    assert.equal(await goesOn(), 0)
    await patch(caller, id, { ativo: false })
    await createLancamento(caller)
    assert.equal(await goesOn(), 2)
  })

  test('one that has failed keeps its attempts, though it falls due', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver({
      answer: (response) => response.writeHead(receiver.received.length > 1 ? 200 : 500).end(),
    })
    const { id } = await create(caller, { url: receiver.url })
    await createLancamento(caller)
    await eventually(
      () => states(caller),
      ([first]) => first === 'pending 1',
    )
    await patch(caller, id, { ativo: false })
    await passTime(service, caller)
    await lookMeanwhile()
    assert.deepEqual(await states(caller), ['pending 1'])
    await patch(caller, id, { ativo: true })
    await settled(caller, 'delivered')
    assert.deepEqual(await states(caller), ['delivered 2'])
    assert.equal(receiver.received.length, 2)
  })

  test('what was under way is ended, and recorded', async () => {
    const caller = await service.caller()
    const gate = Promise.withResolvers<void>()
    const receiver = await startReceiver({
      answer: (response) => void gate.promise.then(() => response.end()),
    })
    const { id } = await create(caller, { url: receiver.url })
    await createLancamento(caller)
    await receiver.until(1)
    await patch(caller, id, { ativo: false })
    gate.resolve()
    await settled(caller, 'delivered')
    assert.equal((await shown(caller, id)).ativo, false)
  })

  test('others of its company get theirs', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    const { id } = await create(caller, { url: receiver.url })
    await create(caller, { url: receiver.url })
    await patch(caller, id, { ativo: false })
    await createLancamento(caller)
    await receiver.until(1)
    await eventually(
      () => states(caller),
      (all) => all.toSorted().join() === 'delivered 1,pending 0',
    )
  })

  test('it can be removed, and what waited is dead', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    await patch(caller, id, { ativo: false })
    await createLancamento(caller)
    assert.equal((await caller.delete(`/webhooks/${id}`)).status, 200)
    assert.deepEqual(await states(caller), ['dead 0'])
  })
})

describe('a receiver that answers 410', () => {
  async function gone() {
    const caller = await service.caller()
    const receiver = await startReceiver({ answer: (response) => response.writeHead(410).end() })
    const { id } = await create(caller, { url: receiver.url })
    await createLancamento(caller)
    const webhook = await eventually(
      () => shown(caller, id),
      ({ ativo }) => !ativo,
    )
    return { caller, receiver, id, webhook }
  }

  test('is set inactive, with the reason and since when', async () => {
    const { webhook } = await gone()
    assert.match(webhook.inativo_motivo!, /410/)
    assert.ok(webhook.inativo_desde! >= webhook.criado_em)
  })

  test('gets nothing more until it is set active, and then all of it', async () => {
    const { caller, receiver, id } = await gone()
    await createLancamento(caller)
    await passTime(service, caller)
    await lookMeanwhile()
    assert.deepEqual(await states(caller), ['pending 1', 'pending 0'])
    assert.equal(receiver.received.length, 1)
    receiver.answer = (response) => response.end()
    const active = await patch(caller, id, { ativo: true })
    assert.deepEqual([active.inativo_desde, active.inativo_motivo], [null, null])
    await settled(caller, 'delivered')
    assert.deepEqual(await states(caller), ['delivered 2', 'delivered 1'])
  })

  test('is one subscription, not its company', async () => {
    const { caller } = await gone()
    const healthy = await startReceiver()
    const { id } = await create(caller, { url: healthy.url })
    await createLancamento(caller)
    await healthy.until(1)
    assert.equal((await shown(caller, id)).ativo, true)
  })
})

describe('a receiver that fails', () => {
  interface Health {
    falhando_desde: string | null
    inativo_desde: string | null
    inativo_motivo: string | null
    ativo: boolean
  }
  const health = async ({ empresa }: Caller) => {
    const [row] = await service.db
      .reader(empresa)
      .query<Health>(
        'select falhando_desde, inativo_desde, inativo_motivo, ativo from webhooks where tenant_id = $1',
        [empresa],
      )
    return row!
  }

  /** As if it had failed since so long ago. */
  const failingFor = async ({ empresa }: Caller, time: string) => {
    const [row] = await service.db.write(empresa, (tx) =>
      tx.query<{ since: string }>(
        `update webhooks set falhando_desde = clock_timestamp() - $2::interval
         where tenant_id = $1 returning falhando_desde as since`,
        [empresa, time],
      ),
    )
    return row!.since
  }

  /** One that has failed once already. */
  async function failing() {
    const caller = await service.caller()
    const receiver = await startReceiver({
      answer: (response) => response.writeHead(500).end(),
    })
    const { id } = await create(caller, { url: receiver.url })
    const next = async () => {
      const count = (await deliveriesOf(service, caller)).length
      await createLancamento(caller)
      await eventually(
        () => deliveriesOf(service, caller),
        (rows) => rows.length > count && rows.every(({ attempts }) => attempts > 0n),
      )
    }
    await next()
    return { caller, receiver, id, next }
  }

  test('for five days is set inactive, with the reason and since when', async () => {
    const { caller, id, next } = await failing()
    const since = await failingFor(caller, '5 days 1 minute')
    await next()
    const webhook = await shown(caller, id)
    assert.equal(webhook.ativo, false)
    assert.equal(webhook.inativo_motivo, `Todas as entregas falharam desde ${since}.`)
    assert.ok(webhook.inativo_desde! > webhook.criado_em)
    await createLancamento(caller)
    await passTime(service, caller)
    await lookMeanwhile()
    assert.deepEqual(await states(caller), ['pending 1', 'pending 1', 'pending 0'])
  })

  test('for less is not', async () => {
    const { caller, id, next } = await failing()
    const since = await failingFor(caller, '4 days 23 hours')
    await next()
    assert.equal((await shown(caller, id)).ativo, true)
    assert.equal((await health(caller)).falhando_desde, since)
  })

  test('without any answer is set inactive too', async () => {
    const caller = await service.caller()
    service.dns['lost.example'] = ['127.0.0.1']
    const { id } = await create(caller, { url: 'https://lost.example/' })
    delete service.dns['lost.example']
    await createLancamento(caller)
    await eventually(
      () => states(caller),
      ([first]) => first === 'pending 1',
    )
    await failingFor(caller, '6 days')
    await passTime(service, caller)
    worker.wake()
    const webhook = await eventually(
      () => shown(caller, id),
      ({ ativo }) => !ativo,
    )
    assert.match(webhook.inativo_motivo!, /falharam desde/)
  })

  test('by several deliveries at once is set inactive once', async () => {
    const caller = await service.caller()
    const gates: (() => void)[] = []
    const receiver = await startReceiver({
      answer: (response) => void gates.push(() => response.writeHead(500).end()),
    })
    const { id } = await create(caller, { url: receiver.url })
    for (let n = 0; n < 3; n++) await createLancamento(caller)
    await eventually(
      async () => gates.length,
      (count) => count === 3,
    )
    await failingFor(caller, '6 days')
    gates.shift()!()
    const first = await eventually(
      () => shown(caller, id),
      ({ ativo }) => !ativo,
    )
    for (const open of gates) open()
    await eventually(
      () => states(caller),
      (all) => all.every((state) => state === 'pending 1'),
    )
    assert.deepEqual(await shown(caller, id), first)
  })

  test('and then succeeds has not failed all the time', async () => {
    const { caller, receiver, id, next } = await failing()
    assert.ok((await health(caller)).falhando_desde)
    await failingFor(caller, '6 days')
    receiver.answer = (response) => response.end()
    await next()
    const none = { falhando_desde: null, inativo_desde: null, inativo_motivo: null, ativo: true }
    assert.deepEqual(await health(caller), none)
    receiver.answer = (response) => response.writeHead(500).end()
    await next()
    assert.equal((await shown(caller, id)).ativo, true)
    assert.ok((await health(caller)).falhando_desde! > (await shown(caller, id)).criado_em)
  })

  test('starts anew when it is set active again', async () => {
    const { caller, id, next } = await failing()
    await failingFor(caller, '6 days')
    await next()
    assert.equal((await shown(caller, id)).ativo, false)
    await patch(caller, id, { ativo: true })
    const none = { falhando_desde: null, inativo_desde: null, inativo_motivo: null, ativo: true }
    assert.deepEqual(await health(caller), none)
    await next()
    assert.equal((await shown(caller, id)).ativo, true)
  })
})

import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { createChave, revokeChave } from '../../src/chaves/chaves.ts'
import {
  attemptsOf,
  deliveriesOf,
  eventually,
  passTime,
  startWorker,
  subscribe,
} from '../support/delivery.ts'
import { eventsOf } from '../support/events.ts'
import { aLancamento, createLancamento } from '../support/lancamento.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Caller, startService } from '../support/service.ts'

const service = await startService()
const caller = await service.caller()
const { worker } = startWorker(service)

const STATES = ['em_aberto', 'pago', 'cancelado']

/** The kinds of event that some work leaves behind. */
async function kindsOf<T>(work: () => Promise<T>): Promise<{ result: T; kinds: string[] }> {
  const before = await eventsOf(service, caller.empresa)
  const result = await work()
  const after = await eventsOf(service, caller.empresa)
  return { result, kinds: after.slice(before.length).map(({ kind }) => kind) }
}

function setClock(t: TestContext, instant: string): void {
  service.clock.now = () => Date.parse(instant)
  t.after(() => {
    service.clock.now = Date.now
  })
}

describe('3.1 lançamento status', () => {
  for (const status of STATES) {
    test(`3.1 (none) → ${status}: creation with the status of the body; lancamento.created`, async () => {
      const { result, kinds } = await kindsOf(() => createLancamento(caller, { status }))
      assert.equal(result.status, status)
      assert.deepEqual(kinds, ['lancamento.created'])
    })
  }

  test('3.1 (none) → em_aberto: creation without a status', async () => {
    assert.equal((await createLancamento(caller, { status: undefined })).status, 'em_aberto')
    assert.equal((await createLancamento(caller, { status: null })).status, 'em_aberto')
  })

  test('3.1 (none): an invalid body creates nothing, and no event', async () => {
    const { total } = (await caller.get('/lancamentos')).body
    const { result, kinds } = await kindsOf(() =>
      caller.post('/lancamentos', { ...aLancamento, valor: -1 }),
    )
    assert.equal(result.status, 400)
    assert.deepEqual(kinds, [])
    assert.equal((await caller.get('/lancamentos')).body.total, total)
  })

  for (const before of ['em_aberto', 'cancelado']) {
    test(`3.1 not paid (${before}) → pago: marked as paid; lancamento.paid`, async () => {
      const { id } = await createLancamento(caller, { status: before })
      const { result, kinds } = await kindsOf(() =>
        caller.patch(`/lancamentos/${id}`, { status: 'pago' }),
      )
      assert.equal(result.status, 200)
      assert.equal(result.body.item.status, 'pago')
      assert.equal(result.body.item.valor_pago, aLancamento.valor)
      assert.deepEqual(kinds, ['lancamento.paid'])
    })
  }

  test("3.1 not paid → pago: the day of payment is the company's today unless given", async (t) => {
    setClock(t, '2026-07-01T02:30:00Z')
    const { id } = await createLancamento(caller)
    const paid = await caller.patch(`/lancamentos/${id}`, { status: 'pago' })
    assert.equal(paid.body.item.data_pagamento, '2026-06-30')
    const other = await createLancamento(caller)
    const given = { status: 'pago', data_pagamento: '2026-06-25' }
    const paidThen = await caller.patch(`/lancamentos/${other.id}`, given)
    assert.equal(paidThen.body.item.data_pagamento, '2026-06-25')
  })

  for (const after of ['em_aberto', 'cancelado']) {
    test(`3.1 pago → ${after}: payment reverted; lancamento.unpaid`, async () => {
      const { id } = await createLancamento(caller, { status: 'pago' })
      const { result, kinds } = await kindsOf(() =>
        caller.patch(`/lancamentos/${id}`, { status: after }),
      )
      assert.equal(result.status, 200)
      const { status, data_pagamento, valor_pago } = result.body.item
      assert.deepEqual([status, data_pagamento, valor_pago], [after, null, null])
      assert.deepEqual(kinds, ['lancamento.unpaid'])
    })
  }

  test('3.1 em_aberto ↔ cancelado: neither paid nor unpaid; lancamento.updated', async () => {
    const { id } = await createLancamento(caller)
    for (const status of ['cancelado', 'em_aberto']) {
      const { result, kinds } = await kindsOf(() => caller.patch(`/lancamentos/${id}`, { status }))
      assert.equal(result.body.item.status, status)
      assert.deepEqual(kinds, ['lancamento.updated'])
    }
  })

  test('3.1 a status that stays is no transition: no event', async () => {
    for (const status of STATES) {
      const item = await createLancamento(caller, { status })
      const { result, kinds } = await kindsOf(() =>
        caller.patch(`/lancamentos/${item.id}`, { status }),
      )
      assert.equal(result.status, 200)
      assert.deepEqual(result.body.item, item)
      assert.deepEqual(kinds, [])
    }
  })
})

describe('3.3 webhook delivery', () => {
  /** The company's only delivery, after so many attempts. */
  async function afterAttempts(own: Caller, attempts: number) {
    const [row] = await eventually(
      () => deliveriesOf(service, own),
      ([first]) => first!.attempts === BigInt(attempts),
    )
    return row!
  }

  const retry = async (own: Caller) => {
    await passTime(service, own)
    worker.wake()
  }

  /** A company whose subscriber answers with this status. */
  async function companyWith(status: number) {
    const own = await service.caller()
    const receiver = await startReceiver({ answer: (response) => response.writeHead(status).end() })
    await subscribe(own, receiver.url)
    return { own, receiver }
  }

  for (const status of [400, 404, 410, 429, 500, 503]) {
    test(`3.3 (new event) → pending: the first attempt is answered with ${status}`, async () => {
      const { own } = await companyWith(status)
      await createLancamento(own)
      assert.equal((await afterAttempts(own, 1)).state, 'pending')
      assert.equal((await attemptsOf(service, own))[0]!.status, BigInt(status))
    })
  }

  test('3.3 (new event) → pending: the first attempt takes too long', async () => {
    const impatient = await startService()
    startWorker(impatient, { timeoutMs: 100 })
    const own = await impatient.caller()
    const receiver = await startReceiver({ answer: () => {} })
    await subscribe(own, receiver.url)
    await createLancamento(own)
    const [row] = await eventually(
      () => deliveriesOf(impatient, own),
      ([first]) => first!.attempts === 1n,
    )
    assert.equal(row!.state, 'pending')
    const [attempt] = await attemptsOf(impatient, own)
    assert.deepEqual([attempt!.status, attempt!.error], [null, 'timeout'])
  })

  test('3.3 (new event) → pending: the name of the address cannot be resolved', async () => {
    const own = await service.caller()
    await subscribe(own, 'https://gone.example/hook')
    await createLancamento(own)
    assert.equal((await afterAttempts(own, 1)).state, 'pending')
    assert.equal((await attemptsOf(service, own))[0]!.error, 'dns')
  })

  test('3.3 pending → pending: another failure; the next backoff step applies', async () => {
    const { own } = await companyWith(500)
    await createLancamento(own)
    const first = await afterAttempts(own, 1)
    await retry(own)
    const second = await afterAttempts(own, 2)
    assert.deepEqual([first.state, second.state], ['pending', 'pending'])
    assert.ok(second.wait! > first.wait!)
  })

  test('3.3 pending → dead: 4 attempts, still failing; no further retries', async () => {
    const { own, receiver } = await companyWith(500)
    await createLancamento(own)
    for (const attempts of [1, 2, 3]) {
      assert.equal((await afterAttempts(own, attempts)).state, 'pending')
      await retry(own)
    }
    const dead = await afterAttempts(own, 4)
    assert.deepEqual([dead.state, dead.wait], ['dead', null])
    // The next event comes, so the worker has looked; the dead one is not sent with it.
    receiver.answer = (response) => response.end()
    await retry(own)
    await createLancamento(own)
    await receiver.until(5)
    const [still] = await eventually(
      () => deliveriesOf(service, own),
      (rows) => rows.at(-1)!.state === 'delivered',
    )
    assert.deepEqual([still!.state, still!.attempts], ['dead', 4n])
    assert.equal(receiver.received.length, 5)
  })

  for (const status of [200, 201, 204]) {
    test(`3.3 (new event) → delivered: the first attempt is answered with ${status}`, async () => {
      const { own } = await companyWith(status)
      await createLancamento(own)
      assert.equal((await afterAttempts(own, 1)).state, 'delivered')
    })
  }

  test('3.3 pending → delivered: a retry succeeds, the last one included', async () => {
    const { own, receiver } = await companyWith(500)
    await createLancamento(own)
    for (const attempts of [1, 2, 3]) {
      await afterAttempts(own, attempts)
      if (attempts === 3) receiver.answer = (response) => response.end()
      await retry(own)
    }
    assert.equal((await afterAttempts(own, 4)).state, 'delivered')
  })

  test('3.3 (new event) → delivered: a redirect is below 400, and is not followed', async () => {
    const elsewhere = await startReceiver()
    const { own, receiver } = await companyWith(200)
    receiver.answer = (response) => response.writeHead(307, { location: elsewhere.url }).end()
    await createLancamento(own)
    const row = await afterAttempts(own, 1)
    assert.deepEqual([row.state, row.reason], ['delivered', 'redirect-not-followed'])
    assert.equal(elsewhere.received.length, 0)
  })

  test('3.3 pending → dead: the subscription is removed', async () => {
    const own = await service.caller()
    const receiver = await startReceiver({ answer: (response) => response.writeHead(500).end() })
    const { id } = await subscribe(own, receiver.url)
    await createLancamento(own)
    await afterAttempts(own, 1)
    await own.delete(`/webhooks/${id}`)
    const [row] = await deliveriesOf(service, own)
    assert.deepEqual([row!.state, row!.reason], ['dead', 'subscription-removed'])
  })
})

describe('3.4 API key', () => {
  const END = '2030-05-10T12:00:00.000Z'

  test('3.4 active: while its validity has not passed, the key is served', async (t) => {
    const limited = await service.caller({ expiresAt: END })
    setClock(t, '2030-05-10T11:59:59.999Z')
    assert.equal((await limited.get('/lancamentos')).status, 200)
  })

  test('3.4 active → expired: the validity end passes; calls answer 401 expired-api-key', async (t) => {
    const limited = await service.caller({ expiresAt: END })
    assert.equal((await limited.get('/lancamentos')).status, 200)
    setClock(t, '2030-05-10T12:00:00.001Z')
    const { status, body } = await limited.get('/lancamentos')
    assert.equal(status, 401)
    assert.equal(body.code, 'expired-api-key')
  })

  test("3.4 active → expired: a day of validity lasts to its end in the company's zone", async (t) => {
    const options = { expiresAt: '2030-05-10', fusoHorario: 'America/Manaus' }
    const limited = await service.caller(options)
    setClock(t, '2030-05-11T03:59:59.999Z')
    assert.equal((await limited.get('/lancamentos')).status, 200)
    setClock(t, '2030-05-11T04:00:00.001Z')
    assert.equal((await limited.get('/lancamentos')).body.code, 'expired-api-key')
  })

  test('3.4 a key created without an expiry does not expire', async (t) => {
    setClock(t, '2190-01-01T00:00:00Z')
    assert.equal((await caller.get('/lancamentos')).status, 200)
  })

  test('3.4 a revoked key is refused with 401', async () => {
    const { empresa } = caller
    const { id, key } = await createChave(service.db, { empresa, scopes: ['lancamentos:read'] })
    await revokeChave(service.db, id)
    const answer = await service.call('GET', '/lancamentos', { headers: { 'x-api-key': key } })
    assert.equal(answer.status, 401)
    assert.equal(answer.body.code, 'revoked-api-key')
  })
})

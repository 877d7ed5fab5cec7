import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { insertEntries } from '../support/bulk.ts'
import { deliveriesOf, eventually, passTime, startWorker, subscribe } from '../support/delivery.ts'
import { aLancamento, createLancamento, UNKNOWN_ID } from '../support/lancamento.ts'
import { isGenuine, startReceiver } from '../support/receiver.ts'
import { type Caller, startService } from '../support/service.ts'

const service = await startService({ RATE_LIMIT_PER_MINUTE: '60' })
const unlimited = await startService()

/** The statuses of so many calls of a key. */
async function statusesOf(caller: Caller, calls: number): Promise<number[]> {
  const answers = Array.from({ length: calls }, () => caller.get('/lancamentos'))
  return (await Promise.all(answers)).map(({ status }) => status).sort()
}

const SIXTY = Array.from({ length: 60 }, () => 200)

describe('8 request rate', () => {
  test('8 60 requests per minute, unless the operator sets another limit', () => {
    assert.equal(readConfig({}).rateLimitPerMinute, 60)
  })

  test('8 60 requests of a key are served, and the excess gets 429 with Retry-After', async () => {
    const caller = await service.caller()
    assert.deepEqual(await statusesOf(caller, 60), SIXTY)
    const { status, headers, body } = await caller.get('/lancamentos')
    assert.equal(status, 429)
    assert.equal(body.code, 'rate-limited')
    const seconds = headers.get('retry-after')!
    assert.match(seconds, /^[1-9]\d*$/)
    assert.ok(Number(seconds) <= 60)
  })

  test('8 of many requests at once, just 60 are served', async () => {
    const statuses = await statusesOf(await service.caller(), 75)
    assert.deepEqual(statuses, [...SIXTY, ...Array.from({ length: 15 }, () => 429)])
  })

  test('8 several keys of a company give separate capacity', async () => {
    const one = await service.caller()
    const other = await service.caller({ empresa: one.empresa })
    assert.equal((await statusesOf(one, 61)).at(-1), 429)
    assert.deepEqual(await statusesOf(other, 60), SIXTY)
    assert.equal((await one.get('/lancamentos')).status, 429)
  })

  test('8 one key has one capacity, whichever header carries it', async () => {
    const caller = await service.caller()
    await statusesOf(caller, 60)
    const headers = { 'x-api-key': caller.key }
    assert.equal((await service.call('GET', '/lancamentos', { headers })).status, 429)
  })

  test('8 applies to all calls: each kind counts, refused ones too', async () => {
    const caller = await service.caller({ scopes: ['lancamentos:write'] })
    const item = await createLancamento(caller)
    const path = `/lancamentos/${item.id}`
    const answers = [
      await caller.get('/lancamentos'),
      await caller.get(path),
      await caller.patch(path, { valor: 1 }),
      await caller.delete(path),
      await caller.post('/lancamentos', {}),
      await caller.post('/lancamentos', '{'),
      await caller.get(`/lancamentos/${UNKNOWN_ID}`),
      await caller.get('/nowhere'),
      await caller.call('PUT', '/lancamentos'),
    ]
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(statuses, [200, 200, 200, 403, 400, 400, 404, 404, 405])
    const remaining = answers.map(({ headers }) => Number(headers.get('ratelimit-remaining')))
    assert.deepEqual(remaining, [58, 57, 56, 55, 54, 53, 52, 51, 50])
  })

  test('8 applies to all calls: above the limit each kind gets 429', async () => {
    const caller = await service.caller({ scopes: ['lancamentos:read'] })
    await statusesOf(caller, 60)
    const path = `/lancamentos/${UNKNOWN_ID}`
    const answers = [
      await caller.get(path),
      // The rate is judged before the scope, the body and the path.
      await caller.post('/lancamentos', aLancamento),
      await caller.patch(path, {}),
      await caller.delete(path),
      await caller.get('/nowhere'),
    ]
    for (const { status, headers } of answers) {
      assert.equal(status, 429)
      assert.match(headers.get('retry-after')!, /^[1-9]\d*$/)
    }
  })

  test('8 what is refused for its rate changes nothing', async () => {
    const caller = await service.caller()
    await statusesOf(caller, 60)
    assert.equal((await caller.post('/lancamentos', aLancamento)).status, 429)
    const sibling = await service.caller({ empresa: caller.empresa })
    assert.equal((await sibling.get('/lancamentos')).body.total, 0)
  })

  test('8 responses carry RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset', async () => {
    const caller = await service.caller()
    for (const remaining of ['59', '58']) {
      const { headers } = await caller.get('/lancamentos')
      assert.equal(headers.get('ratelimit-limit'), '60')
      assert.equal(headers.get('ratelimit-remaining'), remaining)
      assert.match(headers.get('ratelimit-reset')!, /^([1-9]|[1-5]\d|60)$/)
    }
  })
})

describe('8 summary size', () => {
  test('8 above 20000 entries in the filtered set the response has truncado: true', async () => {
    const caller = await unlimited.caller()
    const centro_custo = "'Obra'"
    await insertEntries(unlimited, caller.empresa, 20_000, { centro_custo, status: "'pago'" })
    const totals = async (query = '') => {
      const { total_lancamentos, truncado, realizado } = (await caller.get(`/resumo${query}`)).body
      return [total_lancamentos, truncado, realizado.recebido]
    }
    assert.deepEqual(await totals(), [20_000, false, 20_000])
    await createLancamento(caller, { valor: 0.07, status: 'pago', centro_custo: null })
    // Nothing is left out of the sum all the same.
    assert.deepEqual(await totals(), [20_001, true, 20_000.07])
    assert.deepEqual(await totals('?centro_custo=Obra'), [20_000, false, 20_000])
  })
})

describe('8 webhook subscriptions', () => {
  const A_WEBHOOK = { url: 'https://receiver.example/hook', events: ['lancamento.created'] }
  const TEN = Array.from({ length: 10 })

  test('8 10 per company, however many are asked for at once', async () => {
    const caller = await unlimited.caller()
    const calls = [...TEN, ...TEN].map(() => caller.post('/webhooks', A_WEBHOOK))
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort()
    assert.deepEqual(statuses, [...TEN.map(() => 201), ...TEN.map(() => 409)])
    assert.equal((await caller.get('/webhooks')).body.total, 10)
  })

  test('8 10 per company: one that is removed makes room for another', async () => {
    const caller = await unlimited.caller()
    for (const _ of TEN) await caller.post('/webhooks', A_WEBHOOK)
    const [first] = (await caller.get('/webhooks')).body.items
    await caller.delete(`/webhooks/${first.id}`)
    assert.equal((await caller.post('/webhooks', A_WEBHOOK)).status, 201)
    assert.equal((await caller.post('/webhooks', A_WEBHOOK)).status, 409)
  })
})

describe('8 webhook deliveries', () => {
  const { worker } = startWorker(unlimited)

  /** A company with one event, whose subscriber fails until it is told otherwise. */
  async function failing() {
    const caller = await unlimited.caller()
    const receiver = await startReceiver({ answer: (response) => response.writeHead(500).end() })
    const { secret } = await subscribe(caller, receiver.url)
    await createLancamento(caller)
    const after = async (attempts: number) => {
      const [row] = await eventually(
        () => deliveriesOf(unlimited, caller),
        ([first]) => first!.attempts === BigInt(attempts),
      )
      return row!
    }
    const retry = async () => {
      await passTime(unlimited, caller)
      worker.wake()
    }
    return { receiver, secret, after, retry }
  }

  test('8 signature age: 300 seconds tolerance at the receiver', async () => {
    const { receiver, secret } = await failing()
    const [delivery] = await receiver.until(1)
    const sent = Number(delivery!.headers['x-svc-timestamp']) * 1000
    for (const seconds of [-299, 0, 299]) {
      assert.ok(isGenuine(delivery!, secret, sent + seconds * 1000), String(seconds))
    }
    for (const seconds of [-300, 300, 7200]) {
      assert.ok(!isGenuine(delivery!, secret, sent + seconds * 1000), String(seconds))
    }
  })

  test('8 signature age: a retry, however late, is signed for its own moment', async (t) => {
    const { receiver, secret, after, retry } = await failing()
    await after(1)
    const later = Date.now() + 7_200_000
    unlimited.clock.now = () => later
    t.after(() => {
      unlimited.clock.now = Date.now
    })
    await retry()
    const [first, second] = await receiver.until(2)
    assert.ok(isGenuine(second!, secret, later))
    assert.ok(!isGenuine(first!, secret, later))
  })

  test('8 delivery attempts: 4 before dead', async () => {
    assert.equal(readConfig({}).webhookMaxAttempts, 4)
    const { receiver, after, retry } = await failing()
    for (const attempts of [1, 2, 3]) {
      assert.equal((await after(attempts)).state, 'pending')
      await retry()
    }
    assert.equal((await after(4)).state, 'dead')
    assert.equal(receiver.received.length, 4)
  })
})

describe('8 page size and body size', () => {
  test('8 default limit: 100', async () => {
    const caller = await unlimited.caller()
    await Promise.all(Array.from({ length: 101 }, () => createLancamento(caller)))
    const { items, total, limit } = (await caller.get('/lancamentos')).body
    assert.deepEqual([items.length, total, limit], [100, 101, 100])
    assert.equal((await caller.get('/lancamentos?limit=1000')).body.items.length, 101)
  })

  test('8 limit from 1 to 1000, offset from 0: outside, 400', async () => {
    const caller = await unlimited.caller()
    for (const query of ['limit=1', 'limit=1000', 'offset=0', 'offset=1000000']) {
      assert.equal((await caller.get(`/lancamentos?${query}`)).status, 200, query)
    }
    for (const query of ['limit=0', 'limit=1001', 'limit=-1', 'offset=-1']) {
      const { status, body } = await caller.get(`/lancamentos?${query}`)
      assert.equal(status, 400, query)
      assert.equal(body.code, 'invalid-query')
    }
  })

  test('8 body size: up to 1 MiB is read, above is 413', async () => {
    const caller = await unlimited.caller()
    const text = JSON.stringify(aLancamento)
    const full = text + ' '.repeat(1024 * 1024 - text.length)
    assert.equal((await caller.post('/lancamentos', full)).status, 201)
    assert.equal((await caller.post('/lancamentos', `${full} `)).status, 413)
  })
})

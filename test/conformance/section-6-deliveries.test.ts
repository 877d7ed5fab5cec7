import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { sweepDeliveries } from '../../src/delivery/queue.ts'
import { createArea } from '../support/categoria.ts'
import {
  attemptsOf,
  deliveriesOf,
  eventually,
  passTime,
  putOff,
  startWorker,
  subscribe,
} from '../support/delivery.ts'
import { createLancamento } from '../support/lancamento.ts'
import { createParceiro } from '../support/parceiro.ts'
import { isGenuine, type Received, startReceiver } from '../support/receiver.ts'
import { type Caller, startService } from '../support/service.ts'

const service = await startService()
const { worker } = startWorker(service)
const generous = await startService()
const ofGenerous = startWorker(generous, { maxAttempts: 5 })

const KINDS = {
  'lancamento.created': 'entry created',
  'lancamento.updated': 'entry edited',
  'lancamento.deleted': 'entry deleted',
  'lancamento.paid': 'entry marked paid',
  'lancamento.unpaid': 'payment reverted',
  'parceiro.created': 'partner created',
  'parceiro.updated': 'partner edited',
  'parceiro.deleted': 'partner deleted',
  'categoria.created': 'category created',
  'categoria.updated': 'category edited',
  'categoria.deleted': 'category deleted',
  'conta_bancaria.created': 'bank account created',
  'conta_bancaria.updated': 'bank account edited',
  'conta_bancaria.deleted': 'bank account deleted',
  'nfse.emitida': 'service invoice issued',
  'nfse.cancelada': 'service invoice cancelled',
  'cobranca.criada': 'charge created',
  'cobranca.paga': 'charge paid',
  'cobranca.cancelada': 'charge cancelled',
  'orcamento.criado': 'quote created',
  'orcamento.atualizado': 'quote updated',
  'anexo.adicionado': 'attachment added',
}

/** A company with a subscriber to these kinds of event. */
async function subscribed(events = ['lancamento.created'], status = 200) {
  const caller = await service.caller()
  const receiver = await startReceiver({ answer: (response) => response.writeHead(status).end() })
  const { id, secret } = await subscribe(caller, receiver.url, events)
  return { caller, receiver, id, secret }
}

/** The company's only delivery, after so many attempts. */
async function afterAttempts(caller: Caller, attempts: number, of = service) {
  const [row] = await eventually(
    () => deliveriesOf(of, caller),
    ([first]) => first!.attempts === BigInt(attempts),
  )
  return row!
}

const retry = async (caller: Caller) => {
  await passTime(service, caller)
  worker.wake()
}

/** What was received, in the order of its events: deliveries may overtake each other. */
const inOrder = (received: Received[]) =>
  received.toSorted(
    (one, other) => Number(one.headers['x-svc-sequence']) - Number(other.headers['x-svc-sequence']),
  )

describe('6.1 a subscription chooses which kinds it receives', () => {
  for (const [kind, meaning] of Object.entries(KINDS)) {
    test(`6.1 ${kind} (${meaning}) can be chosen`, async () => {
      const caller = await service.caller()
      const body = { url: 'https://receiver.example/hook', events: [kind] }
      const { status, body: answer } = await caller.post('/webhooks', body)
      assert.equal(status, 201)
      assert.deepEqual(answer.item.events, [kind])
    })
  }

  test('6.1 no other kind can be chosen', async () => {
    const caller = await service.caller()
    for (const kind of ['lancamento', 'lancamento.*', '*', 'webhook.created', 'Nfse.Emitida', '']) {
      const body = { url: 'https://receiver.example/hook', events: [kind] }
      assert.equal((await caller.post('/webhooks', body)).status, 400, kind)
    }
  })

  test('6.1 each kind that the API emits is delivered to who chose it', async () => {
    const { caller, receiver } = await subscribed(Object.keys(KINDS))
    const { id } = await createLancamento(caller)
    const path = `/lancamentos/${id}`
    await caller.patch(path, { descricao: 'Outra' })
    await caller.patch(path, { status: 'pago' })
    await caller.patch(path, { status: 'em_aberto' })
    await caller.delete(path)
    const parceiro = await createParceiro(caller)
    await caller.patch(`/parceiros/${parceiro.id}`, { nome: 'Outro' })
    await caller.delete(`/parceiros/${parceiro.id}`)
    await createArea(caller, 'Marketing')
    const received = inOrder(await receiver.until(9))
    assert.deepEqual(
      received.map(({ body }) => body.event),
      [
        'lancamento.created',
        'lancamento.updated',
        'lancamento.paid',
        'lancamento.unpaid',
        'lancamento.deleted',
        'parceiro.created',
        'parceiro.updated',
        'parceiro.deleted',
        'categoria.created',
      ],
    )
  })

  test('6.1 what a subscription did not choose is not delivered to it', async () => {
    const { caller, receiver } = await subscribed(['lancamento.deleted'])
    const { id } = await createLancamento(caller)
    await createParceiro(caller)
    await caller.delete(`/lancamentos/${id}`)
    const [received] = await receiver.until(1)
    assert.equal(received!.body.event, 'lancamento.deleted')
    assert.equal((await deliveriesOf(service, caller)).length, 1)
  })

  test('6.1 an event goes to the subscriptions that existed at that moment', async () => {
    const { caller, receiver } = await subscribed()
    await createLancamento(caller)
    await receiver.until(1)
    const late = await startReceiver()
    await subscribe(caller, late.url)
    await createLancamento(caller)
    await late.until(1)
    assert.equal(late.received[0]!.headers['x-svc-sequence'], '2')
    const sequences = (await receiver.until(2)).map(({ headers }) => headers['x-svc-sequence'])
    assert.deepEqual(sequences, ['1', '2'])
  })

  test('6.1 an event of one company goes to no subscription of another', async () => {
    const [one, other] = [await subscribed(), await subscribed()]
    const item = await createLancamento(one.caller)
    const [received] = await one.receiver.until(1)
    assert.equal(received!.body.data.lancamento.id, item.id)
    assert.deepEqual(await deliveriesOf(service, other.caller), [])
  })
})

describe('6.2 delivery request', () => {
  async function oneDelivery(fields: object = {}) {
    const { caller, receiver, secret } = await subscribed()
    const item = await createLancamento(caller, fields)
    const [received] = await receiver.until(1)
    return { item, secret, ...received! }
  }

  test('6.2 an HTTP POST to the subscription URL', async () => {
    const caller = await service.caller()
    const seen: (string | undefined)[][] = []
    const receiver = await startReceiver({
      answer: (response) => {
        seen.push([response.req.method, response.req.url])
        response.end()
      },
    })
    await subscribe(caller, `${receiver.url}/a%20b?c=d&e`)
    await createLancamento(caller)
    await receiver.until(1)
    assert.deepEqual(seen, [['POST', '/hook/a%20b?c=d&e']])
  })

  test('6.2 Content-Type: application/json', async () => {
    assert.equal((await oneDelivery()).headers['content-type'], 'application/json')
  })

  test('6.2 X-SVC-Timestamp: Unix time in seconds (integer as text)', async () => {
    const before = Math.floor(Date.now() / 1000)
    const timestamp = (await oneDelivery()).headers['x-svc-timestamp'] as string
    assert.match(timestamp, /^\d{10}$/)
    assert.ok(Number(timestamp) >= before && Number(timestamp) <= Date.now() / 1000)
  })

  test('6.2 X-SVC-Signature: sha256= followed by the lowercase hex digest', async () => {
    assert.match(
      (await oneDelivery()).headers['x-svc-signature'] as string,
      /^sha256=[0-9a-f]{64}$/,
    )
  })

  test("6.2 X-SVC-Sequence: the company's event number, growing in commit order", async () => {
    const { caller, receiver } = await subscribed(['lancamento.created', 'lancamento.deleted'])
    const { id } = await createLancamento(caller)
    await createParceiro(caller)
    await caller.delete(`/lancamentos/${id}`)
    const received = inOrder(await receiver.until(2))
    assert.deepEqual(
      received.map(({ headers, body }) => [headers['x-svc-sequence'], body.event]),
      [
        ['1', 'lancamento.created'],
        ['3', 'lancamento.deleted'],
      ],
    )
  })

  test('6.2 body: a JSON object of event, timestamp and data', async () => {
    const { raw, body } = await oneDelivery()
    assert.deepEqual(Object.keys(body), ['event', 'timestamp', 'data'])
    assert.match(raw, /^\{"event":"lancamento\.created","timestamp":\d{10},"data":\{.*\}\}$/)
  })

  test('6.2 timestamp: integer, Unix seconds, equals the header', async () => {
    const { headers, body } = await oneDelivery()
    assert.ok(Number.isInteger(body.timestamp))
    assert.equal(String(body.timestamp), headers['x-svc-timestamp'])
  })

  test("6.2 data: for lancamento.* events a key lancamento with the entry's fields", async () => {
    const fields = { valor: 0.07, descricao: 'Ação "à vista" \\ 💸\n', centro_custo: '' }
    const { item, body } = await oneDelivery(fields)
    assert.deepEqual(body.data, { lancamento: item })
    for (const field of ['id', 'data', 'descricao', 'tipo', 'valor', 'status']) {
      assert.ok(field in body.data.lancamento, field)
    }
  })

  test('6.2 data: for other events one key, the name of the resource', async () => {
    const { caller, receiver } = await subscribed(['parceiro.created', 'categoria.created'])
    const parceiro = await createParceiro(caller)
    const categoria = await createArea(caller, 'Marketing')
    const received = inOrder(await receiver.until(2))
    assert.deepEqual(
      received.map(({ body }) => body.data),
      [{ parceiro }, { categoria }],
    )
  })

  test('6.2 data: after a delete, as it last was', async () => {
    const { caller, receiver } = await subscribed(['lancamento.deleted'])
    const { id } = await createLancamento(caller)
    const { item } = (await caller.patch(`/lancamentos/${id}`, { status: 'pago' })).body
    await caller.delete(`/lancamentos/${id}`)
    const [received] = await receiver.until(1)
    assert.deepEqual(received!.body.data, { lancamento: item })
  })

  test('6.2 data: a retry carries what was recorded, not what became of it', async () => {
    const { caller, receiver } = await subscribed(['lancamento.created'], 500)
    const item = await createLancamento(caller)
    await afterAttempts(caller, 1)
    await caller.patch(`/lancamentos/${item.id}`, { descricao: 'Outra' })
    await caller.delete(`/lancamentos/${item.id}`)
    await retry(caller)
    const received = await receiver.until(2)
    for (const { body } of received) assert.deepEqual(body.data, { lancamento: item })
  })
})

describe('6.3 signature', () => {
  test('6.3 HMAC with SHA-256, keyed with the secret, over <timestamp>.<raw request body>', async () => {
    const { caller, receiver, secret } = await subscribed()
    await createLancamento(caller, { descricao: 'Ação 💸' })
    const [{ headers, raw }] = (await receiver.until(1)) as [Received]
    const text = `${headers['x-svc-timestamp']}.${raw}`
    const digest = createHmac('sha256', secret).update(text, 'utf8').digest('hex')
    assert.equal(headers['x-svc-signature'], `sha256=${digest}`)
  })

  test('6.3 a receiver accepts it when the value equals and the age is below 300 seconds', async () => {
    const { caller, receiver, secret } = await subscribed()
    await createLancamento(caller)
    const [received] = await receiver.until(1)
    const sent = Number(received!.headers['x-svc-timestamp']) * 1000
    assert.ok(isGenuine(received!, secret, sent))
    assert.ok(isGenuine(received!, secret, sent + 299_000))
    assert.ok(!isGenuine(received!, secret, sent + 300_000))
    assert.ok(!isGenuine(received!, secret, sent - 300_000))
  })

  test('6.3 what was changed on its way is not accepted', async () => {
    const { caller, receiver, secret } = await subscribed()
    await createLancamento(caller)
    const [received] = (await receiver.until(1)) as [Received]
    const sent = Number(received.headers['x-svc-timestamp']) * 1000
    const forged = { ...received, raw: received.raw.replace('1234.56', '1234.57') }
    assert.notEqual(forged.raw, received.raw)
    assert.ok(!isGenuine(forged, secret, sent))
    const restamped = { ...received.headers, 'x-svc-timestamp': String(sent / 1000 + 1) }
    assert.ok(!isGenuine({ ...received, headers: restamped }, secret, sent))
  })

  test('6.3 without the secret nobody tells it from another: each subscription has its own', async () => {
    const { caller, receiver, secret } = await subscribed()
    const second = await startReceiver()
    const other = await subscribe(caller, second.url)
    await createLancamento(caller)
    const [[one], [two]] = await Promise.all([receiver.until(1), second.until(1)])
    const now = Date.now()
    assert.deepEqual(
      [isGenuine(one!, secret, now), isGenuine(two!, other.secret, now)],
      [true, true],
    )
    assert.deepEqual(
      [isGenuine(one!, other.secret, now), isGenuine(two!, secret, now)],
      [false, false],
    )
  })

  test('6.3 the Standard Webhooks headers are there too, keyed with the decoded base64', async () => {
    const { caller, receiver, secret } = await subscribed()
    await createLancamento(caller)
    const [{ headers, raw }] = (await receiver.until(1)) as [Received]
    const [delivery] = await deliveriesOf(service, caller)
    assert.equal(headers['webhook-id'], delivery!.id)
    assert.equal(headers['webhook-timestamp'], headers['x-svc-timestamp'])
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
    const digest = createHmac('sha256', key).update(text, 'utf8').digest('base64')
    assert.equal(headers['webhook-signature'], `v1,${digest}`)
  })
})

describe('6.4 retry policy', () => {
  test('6.4 1. the first attempt is made immediately after the event', async () => {
    const { caller, receiver } = await subscribed()
    await createLancamento(caller)
    await receiver.until(1)
    const row = await afterAttempts(caller, 1)
    assert.deepEqual([row.state, receiver.received.length], ['delivered', 1])
  })

  for (const status of [400, 401, 404, 410, 429, 500, 502, 503]) {
    test(`6.4 2. a failure leaves the delivery pending: HTTP status ${status}`, async () => {
      const { caller } = await subscribed(['lancamento.created'], status)
      await createLancamento(caller)
      assert.equal((await afterAttempts(caller, 1)).state, 'pending')
      const [attempt] = await attemptsOf(service, caller)
      assert.deepEqual([attempt!.status, attempt!.error], [BigInt(status), null])
    })
  }

  for (const [name, begin] of Object.entries({
    'no answer': () => {},
    'an answer that never ends': (response: { write(text: string): void }) => response.write('x'),
  })) {
    test(`6.4 2. a failure leaves the delivery pending: timeout, ${name}`, async () => {
      const impatient = await startService()
      startWorker(impatient, { timeoutMs: 100 })
      const caller = await impatient.caller()
      const receiver = await startReceiver({ answer: begin })
      await subscribe(caller, receiver.url)
      await createLancamento(caller)
      assert.equal((await afterAttempts(caller, 1, impatient)).state, 'pending')
      const [attempt] = await attemptsOf(impatient, caller)
      assert.deepEqual([attempt!.status, attempt!.error], [null, 'timeout'])
    })
  }

  test('6.4 2. a failure leaves the delivery pending: DNS failure', async () => {
    const caller = await service.caller()
    await subscribe(caller, 'https://gone.example/hook')
    await createLancamento(caller)
    assert.equal((await afterAttempts(caller, 1)).state, 'pending')
    const [attempt] = await attemptsOf(service, caller)
    const { status, error, address } = attempt!
    assert.deepEqual([status, error, address], [null, 'dns', null])
  })

  test('6.4 2. a failure leaves the delivery pending: nobody listens', async () => {
    const caller = await service.caller()
    // The first port of all is of a service that no machine has run for decades.
    await subscribe(caller, 'http://127.0.0.1:1/hook')
    await createLancamento(caller)
    assert.equal((await afterAttempts(caller, 1)).state, 'pending')
    const [attempt] = await attemptsOf(service, caller)
    assert.deepEqual([attempt!.error, attempt!.address], ['connection', '127.0.0.1'])
  })

  test('6.4 2. a failure leaves the delivery pending: an address that is no longer public', async () => {
    const caller = await service.caller()
    service.dns['moved.example'] = ['8.8.8.8']
    await subscribe(caller, 'https://moved.example/hook')
    // Before anything is sent, so that the public address is never called.
    service.dns['moved.example'] = ['10.0.0.1']
    await createLancamento(caller)
    assert.equal((await afterAttempts(caller, 1)).state, 'pending')
    const [attempt] = await attemptsOf(service, caller)
    assert.deepEqual([attempt!.error, attempt!.address], ['address-refused', null])
  })

  test('6.4 3. backoff steps of 1 minute, 5 minutes, 30 minutes, 2 hours', async () => {
    assert.deepEqual(readConfig({}).webhookRetryDelays, [60, 300, 1800, 7200])
    // The fourth step is used where an operator allows a fifth attempt.
    const caller = await generous.caller()
    const receiver = await startReceiver({ answer: (response) => response.writeHead(500).end() })
    await subscribe(caller, receiver.url)
    await createLancamento(caller)
    for (const [n, step] of [60, 300, 1800, 7200].entries()) {
      const { state, wait } = await afterAttempts(caller, n + 1, generous)
      assert.equal(state, 'pending')
      assert.ok(wait! > step - 30 && wait! <= step, `${wait} of ${step}`)
      await passTime(generous, caller)
      ofGenerous.worker.wake()
    }
    assert.equal((await afterAttempts(caller, 5, generous)).state, 'dead')
  })

  test('6.4 3. a daily job redelivers pending ones: none waits longer than a day', async () => {
    const { caller, receiver } = await subscribed(['lancamento.created'], 500)
    await createLancamento(caller)
    await afterAttempts(caller, 1)
    await putOff(service, caller)
    await sweepDeliveries(service.db)
    worker.wake()
    await receiver.until(2)
    assert.equal((await afterAttempts(caller, 2)).state, 'pending')
  })

  test('6.4 3. every attempt of a delivery has its id and number, and its own timestamp', async (t) => {
    const { caller, receiver, secret } = await subscribed(['lancamento.created'], 500)
    await createLancamento(caller)
    await afterAttempts(caller, 1)
    const later = Date.now() + 60_000
    service.clock.now = () => later
    t.after(() => {
      service.clock.now = Date.now
    })
    await retry(caller)
    const [first, second] = (await receiver.until(2)) as [Received, Received]
    for (const header of ['webhook-id', 'x-svc-sequence']) {
      assert.equal(second.headers[header], first.headers[header])
    }
    assert.equal(second.headers['x-svc-timestamp'], String(Math.floor(later / 1000)))
    assert.equal(second.body.timestamp, Math.floor(later / 1000))
    assert.ok(isGenuine(second, secret, later))
  })

  test('6.4 4. after 4 attempts the delivery is marked dead', async () => {
    const { caller, receiver } = await subscribed(['lancamento.created'], 500)
    await createLancamento(caller)
    for (const attempts of [1, 2, 3]) {
      assert.equal((await afterAttempts(caller, attempts)).state, 'pending')
      await retry(caller)
    }
    const { state, wait } = await afterAttempts(caller, 4)
    assert.deepEqual([state, wait], ['dead', null])
    assert.equal(receiver.received.length, 4)
  })

  test('6.4 4. the endpoint must be healthy for the next event', async () => {
    const { caller, receiver } = await subscribed(['lancamento.created'], 500)
    await createLancamento(caller)
    for (const attempts of [1, 2, 3]) {
      await afterAttempts(caller, attempts)
      await retry(caller)
    }
    await afterAttempts(caller, 4)
    receiver.answer = (response) => response.end()
    await createLancamento(caller)
    const rows = await eventually(
      () => deliveriesOf(service, caller),
      (all) => all.at(-1)!.state === 'delivered',
    )
    assert.deepEqual(
      rows.map(({ state, attempts }) => [state, attempts]),
      [
        ['dead', 4n],
        ['delivered', 1n],
      ],
    )
  })

  test('6.4 5. the history is recorded in webhook_deliveries', async () => {
    const { caller, receiver, id } = await subscribed(['lancamento.created'], 500)
    await createLancamento(caller)
    await afterAttempts(caller, 1)
    receiver.answer = (response) => response.end('ok')
    await retry(caller)
    const row = await afterAttempts(caller, 2)
    assert.deepEqual([row.subscription_id, row.state], [id, 'delivered'])
    const attempts = await attemptsOf(service, caller)
    assert.deepEqual(
      attempts.map(({ delivery_id, status, response }) => [delivery_id, status, response]),
      [
        [row.id, 500n, ''],
        [row.id, 200n, 'ok'],
      ],
    )
  })
})

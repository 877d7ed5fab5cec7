import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  attemptsOf,
  deliveriesOf,
  eventually,
  passTime,
  startWorker,
  stepsOf,
  subscribe,
} from '../../test/support/delivery.ts'
import { aLancamento, createLancamento } from '../../test/support/lancamento.ts'
import { isGenuine, startReceiver } from '../../test/support/receiver.ts'
import { startService } from '../../test/support/service.ts'

const service = await startService()
const { worker } = startWorker(service)

const settled = (caller: Parameters<typeof deliveriesOf>[1], state: string) =>
  eventually(
    () => deliveriesOf(service, caller),
    (rows) => rows.length > 0 && rows.every((row) => row.state === state),
  )

describe('a delivery', () => {
  test('comes at once, signed, with the event as it was recorded', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    const { secret } = await subscribe(caller, receiver.url)
    const item = await createLancamento(caller)
    const [received] = await receiver.until(1)
    assert.ok(isGenuine(received!, secret, Date.now()))
    assert.deepEqual(Object.keys(received!.body), ['event', 'timestamp', 'data'])
    assert.equal(received!.body.event, 'lancamento.created')
    assert.deepEqual(received!.body.data, { lancamento: item })
    const { headers } = received!
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['x-svc-timestamp'], String(received!.body.timestamp))
    assert.equal(headers['webhook-timestamp'], headers['x-svc-timestamp'])
    assert.equal(headers['x-svc-sequence'], '1')
    const [delivery] = await settled(caller, 'delivered')
    assert.equal(headers['webhook-id'], delivery!.id)
    assert.equal(delivery!.attempts, 1n)
    const [attempt] = await attemptsOf(service, caller)
    assert.equal(attempt!.status, 200n)
    assert.equal(attempt!.response, 'ok')
    assert.equal(attempt!.address, '127.0.0.1')
    assert.equal(attempt!.error_detail, null)
    assert.deepEqual(stepsOf(attempt!), ['connect', 'firstByte'])
    const shown = JSON.parse(attempt!.response_headers!)
    assert.deepEqual(shown[0], ['date', Object.fromEntries(shown).date])
  })

  test('on a connection that is open needs no other', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    await subscribe(caller, receiver.url)
    for (const count of [1, 2]) {
      await createLancamento(caller)
      await eventually(
        () => attemptsOf(service, caller),
        (attempts) => attempts.length === count,
      )
    }
    const attempts = await attemptsOf(service, caller)
    assert.deepEqual(attempts.map(stepsOf), [['connect', 'firstByte'], ['firstByte']])
  })

  test('starts in the second it is signed for, so that what was sent can be told again', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    await subscribe(caller, receiver.url)
    const { now } = service.clock
    try {
      for (const [n, fraction] of [0, 0.001, 0.9994, 0.9999].entries()) {
        service.clock.now = () => (1_782_136_987 + fraction) * 1000
        await createLancamento(caller)
        await receiver.until(n + 1)
        await settled(caller, 'delivered')
      }
    } finally {
      service.clock.now = now
    }
    const rows = await service.db.reader(caller.empresa).query<{ second: bigint }>(
      `select floor(extract(epoch from started_at))::bigint as second from webhook_attempts
       where tenant_id = $1 order by id`,
      [caller.empresa],
    )
    assert.deepEqual(
      rows.map(({ second }) => Number(second)),
      receiver.received.map(({ body }) => body.timestamp),
    )
  })

  test('leaves no secret and no signature on the record, though the receiver says them', async () => {
    const caller = await service.caller()
    let secret = ''
    const receiver = await startReceiver({
      answer: (response, { headers }) => {
        const signed = [headers['x-svc-signature'], headers['webhook-signature']]
        response.setHeader('x-echo', `${signed}`)
        response.end(JSON.stringify({ secret, headers }).replaceAll('/', '\\/'))
      },
    })
    secret = (await subscribe(caller, receiver.url)).secret
    await createLancamento(caller)
    const [{ headers }] = (await receiver.until(1)) as [(typeof receiver.received)[0]]
    await settled(caller, 'delivered')
    const [attempt] = await attemptsOf(service, caller)
    const kept = `${attempt!.response} ${attempt!.response_headers}`.replaceAll('\\', '')
    const hidden = [headers['x-svc-signature'], headers['webhook-signature']].map((value) =>
      String(value).replace(/^(sha256=|v1,)/, ''),
    )
    for (const text of [secret, ...hidden]) assert.ok(!kept.includes(text), kept)
    assert.match(kept, /"x-svc-signature":"sha256=…"/)
    assert.match(kept, /\["x-echo","sha256=…,v1,…"\]/)
  })

  test('goes to those who had chosen its kind at that moment, and to nobody else', async () => {
    const caller = await service.caller()
    const stranger = await service.caller()
    const [created, deleted, foreign, late] = await Promise.all([
      startReceiver(),
      startReceiver(),
      startReceiver(),
      startReceiver(),
    ])
    await subscribe(caller, created.url, ['lancamento.created', 'parceiro.created'])
    await subscribe(caller, deleted.url, ['lancamento.deleted'])
    await subscribe(stranger, foreign.url)
    const { id } = await createLancamento(caller)
    await subscribe(caller, late.url)
    await caller.delete(`/lancamentos/${id}`)
    await deleted.until(1)
    await settled(caller, 'delivered')
    assert.deepEqual(
      [created, deleted, foreign, late].map(({ received }) => received.length),
      [1, 1, 0, 0],
    )
  })

  test('that fails waits 1, 5 and 30 minutes, and is dead after the fourth attempt', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver({
      answer: (response) => response.writeHead(500).end('broken'),
    })
    const { secret } = await subscribe(caller, receiver.url)
    await createLancamento(caller)
    for (const [n, wait] of [60, 300, 1800].entries()) {
      const [row] = await eventually(
        () => deliveriesOf(service, caller),
        ([first]) => first!.attempts === BigInt(n + 1),
      )
      assert.equal(row!.state, 'pending')
      assert.ok(row!.wait! > wait - 30 && row!.wait! <= wait)
      // Hours later on the receiver's clock too: what it gets is signed for that moment.
      const later = Date.now() + (n + 1) * 7_200_000
      service.clock.now = () => later
      await passTime(service, caller)
      worker.wake()
      const all = await receiver.until(n + 2)
      assert.ok(isGenuine(all.at(-1)!, secret, later))
    }
    service.clock.now = Date.now
    const [dead] = await settled(caller, 'dead')
    assert.equal(dead!.attempts, 4n)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal(new Set(receiver.received.map(({ raw }) => raw)).size, 4)
    const attempts = await attemptsOf(service, caller)
    assert.deepEqual(
      attempts.map(({ status, response }) => [status, response]),
      Array.from({ length: 4 }, () => [500n, 'broken']),
    )
  })

  test('that fails once and then succeeds is delivered', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    receiver.answer = (response) =>
      response.writeHead(receiver.received.length === 1 ? 503 : 204).end()
    await subscribe(caller, receiver.url)
    await createLancamento(caller)
    await eventually(
      () => deliveriesOf(service, caller),
      ([row]) => row!.attempts === 1n,
    )
    await passTime(service, caller)
    worker.wake()
    const [row] = await settled(caller, 'delivered')
    assert.equal(row!.attempts, 2n)
  })

  test('that is redirected ends as delivered, with a warning, and nothing is followed', async () => {
    const caller = await service.caller()
    const elsewhere = await startReceiver()
    const receiver = await startReceiver({
      answer: (response) => response.writeHead(302, { location: elsewhere.url }).end(),
    })
    await subscribe(caller, receiver.url)
    await createLancamento(caller)
    const [row] = await settled(caller, 'delivered')
    assert.equal(row!.reason, 'redirect-not-followed')
    assert.equal(elsewhere.received.length, 0)
  })

  test('waits while its subscription is paused, and spends no attempt', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    const { id } = await subscribe(caller, receiver.url)
    const pause = (ativo: boolean) =>
      service.db.write(caller.empresa, (tx) =>
        tx.query('update webhooks set ativo = $3 where tenant_id = $1 and id = $2', [
          caller.empresa,
          id,
          ativo,
        ]),
      )
    await pause(false)
    await createLancamento(caller)
    await createLancamento(caller)
    // Another company's delivery shows that the worker has looked meanwhile.
    const other = await service.caller()
    await subscribe(other, receiver.url)
    await createLancamento(other)
    await receiver.until(1)
    const rows = await deliveriesOf(service, caller)
    assert.deepEqual(
      rows.map(({ state, attempts }) => [state, attempts]),
      [
        ['pending', 0n],
        ['pending', 0n],
      ],
    )
    await pause(true)
    worker.wake()
    await settled(caller, 'delivered')
    assert.equal(receiver.received.length, 3)
  })

  test('of a removed subscription is dead, with the reason, and its history stays', async () => {
    const caller = await service.caller()
    const gate = Promise.withResolvers<void>()
    const receiver = await startReceiver({
      answer: (response) => void gate.promise.then(() => response.end('too late')),
    })
    const { id } = await subscribe(caller, receiver.url)
    await createLancamento(caller)
    await receiver.until(1)
    const { status, body } = await caller.delete(`/webhooks/${id}`)
    assert.equal(status, 200)
    assert.equal(body.item.secret, undefined)
    gate.resolve()
    const [row] = await settled(caller, 'dead')
    assert.equal(row!.reason, 'subscription-removed')
    assert.equal(row!.subscription_id, id)
    await createLancamento(caller)
    assert.equal((await deliveriesOf(service, caller)).length, 1)
    // The answer that came too late is not recorded: its claim was taken away.
    assert.equal((await attemptsOf(service, caller)).length, 0)
  })

  test('of an event that was rolled back never exists', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    await subscribe(caller, receiver.url)
    await caller.post('/lancamentos', { ...aLancamento, parceiro_id: crypto.randomUUID() })
    assert.deepEqual(await deliveriesOf(service, caller), [])
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  aCobranca,
  chargesOf,
  fetchCobranca as fetchOne,
  NO_ANSWER,
  REFUSE,
} from '../../test/support/cobranca.ts'
import { eventsOf } from '../../test/support/events.ts'
import { refusalsOf } from '../../test/support/refusal.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import { SYSTEM } from '../events/outbox.ts'
import { connect, disconnect } from '../provedores/contas.ts'
import type { Cobranca } from './schema.ts'

const service = await startService()
const KEY = 'pedido-42'

function send(caller: Caller, body: unknown = aCobranca, key = KEY) {
  return caller.post('/cobrancas', body, { 'idempotency-key': key })
}

async function issue(caller: Caller, body: object = aCobranca, key = KEY): Promise<Cobranca> {
  const answer = await send(caller, body, key)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  assert.equal(answer.body.reaproveitada, false)
  return answer.body.item
}

/** Holds that a repeated key answers with the charge, and that nothing else came of it. */
async function assertRepeated(caller: Caller, item: Cobranca, body: unknown = aCobranca) {
  const state = async () => [
    await chargesOf(service, caller),
    (await eventsOf(service, caller.empresa)).length,
  ]
  const before = await state()
  const answer = await send(caller, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(answer.body, { item, reaproveitada: true })
  assert.deepEqual(await state(), before)
}

describe('a repeated key answers 200 with its charge', () => {
  test('whatever the body says', async () => {
    const caller = await service.caller()
    const item = await issue(caller)
    const bodies = {
      same: aCobranca,
      another: { valor: 1, vencimento: '2030-01-31', forma: 'PIX' },
      refused: { ...aCobranca, descricao: REFUSE },
      invalid: { valor: 'x', surpresa: true },
      overdue: { ...aCobranca, vencimento: '2000-01-31' },
      'no JSON': '{',
      none: undefined,
    }
    for (const body of Object.values(bodies)) await assertRepeated(caller, item, body)
  })

  test('after the account was disconnected, and after another was connected', async () => {
    const caller = await service.caller()
    const item = await issue(caller)
    await disconnect(service.db, caller.empresa)
    await assertRepeated(caller, item)
    const account = { provedor: 'sandbox', apiKey: null, baseUrl: null }
    const { empresa } = caller
    await connect(service.db, service.payments.accounts, { empresa, ...account })
    await assertRepeated(caller, item)
  })

  test('as the charge now stands', async () => {
    const caller = await service.caller()
    const { id } = await issue(caller)
    const paid = await service.payments.issuer.act(caller.empresa, SYSTEM, id, 'pay')
    assert.equal(paid.status, 'paga')
    await assertRepeated(caller, paid)
  })

  test('to another key of the company', async () => {
    const caller = await service.caller()
    const item = await issue(caller)
    await assertRepeated(await service.caller({ empresa: caller.empresa }), item)
  })
})

describe('a key', () => {
  test('makes a charge in each of two companies', async () => {
    const [own, other] = [await service.caller(), await service.caller()]
    const ours = await issue(own)
    const theirs = await issue(other)
    assert.notEqual(ours.id, theirs.id)
    await assertRepeated(own, ours)
    await assertRepeated(other, theirs)
  })

  test('is another’s in each collection', async () => {
    const caller = await service.caller()
    const headers = { 'idempotency-key': KEY }
    assert.equal((await caller.post('/parceiros', { nome: 'Ana' }, headers)).status, 201)
    await assertRepeated(caller, await issue(caller))
  })

  test('differs from another in its case', async () => {
    const caller = await service.caller()
    const ids = [(await issue(caller)).id, (await issue(caller, aCobranca, 'PEDIDO-42')).id]
    assert.equal(new Set(ids).size, 2)
  })

  test('of 255 characters is a key', async () => {
    const caller = await service.caller()
    const key = 'x'.repeat(255)
    const item = await issue(caller, aCobranca, key)
    assert.deepEqual((await send(caller, aCobranca, key)).body, { item, reaproveitada: true })
  })

  const invalid = {
    empty: '',
    'of 256 characters': 'x'.repeat(256),
    'of 300 characters': 'x'.repeat(300),
    'with a space': 'pedido 42',
    'with a letter that is not ASCII': 'é',
    'with bytes of UTF-8': Buffer.from('ação').toString('latin1'),
  }
  for (const [name, key] of Object.entries(invalid)) {
    test(`${name} is refused, and nothing is issued`, async () => {
      const caller = await service.caller()
      const refused = refusalsOf(service, caller, '/cobrancas')
      await refused(() => send(caller, aCobranca, key), { fields: ['Idempotency-Key'] })
      assert.deepEqual(await chargesOf(service, caller), { kept: 0, issued: 0 })
    })
  }

  test('sent by 20 at once makes one charge', async () => {
    const caller = await service.caller()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(caller)))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [...Array(19).fill(200), 201])
    for (const { status, body } of answers) assert.equal(body.reaproveitada, status === 200)
    const [id, ...others] = new Set(answers.map(({ body }) => body.item.id))
    assert.deepEqual(others, [])
    for (const { body } of answers) assert.equal(body.item.status, 'pendente')
    assert.deepEqual(await chargesOf(service, caller), { kept: 1, issued: 1 })
    const events = await eventsOf(service, caller.empresa)
    assert.deepEqual(
      events.map(({ kind, data }) => [kind, data.cobranca!.id]),
      [['cobranca.criada', id]],
    )
  })
})

describe('a key is still unused', () => {
  test('after a 400', async () => {
    const caller = await service.caller()
    for (const body of [
      { ...aCobranca, valor: 0 },
      { ...aCobranca, vencimento: '2000-01-31' },
    ]) {
      assert.equal((await send(caller, body)).status, 400)
    }
    assert.equal((await send(caller, '{')).status, 400)
    await assertRepeated(caller, await issue(caller))
  })

  test('after a 403', async () => {
    const caller = await service.caller()
    const reader = await service.caller({ empresa: caller.empresa, scopes: ['cobrancas:read'] })
    assert.equal((await send(reader)).status, 403)
    await issue(caller)
    assert.equal((await send(reader)).status, 403)
  })

  test('after a 409, and issues once the account is connected', async () => {
    const caller = await service.caller({ provedor: null })
    assert.equal((await send(caller)).body.code, 'payment-account-not-connected')
    const { empresa } = caller
    const account = { empresa, provedor: 'sandbox', apiKey: null, baseUrl: null }
    await connect(service.db, service.payments.accounts, account)
    await assertRepeated(caller, await issue(caller))
  })

  test('after a 422, of which a charge that failed stays', async () => {
    const caller = await service.caller()
    const { status, body } = await send(caller, { ...aCobranca, descricao: REFUSE })
    assert.equal(status, 422)
    assert.equal(body.code, 'provider-refused')
    assert.match(body.detail, /sandbox recusou/)
    const [failed] = (await caller.get('/cobrancas')).body.items
    assert.equal(failed.status, 'falhou')
    assert.equal(failed.provedor_id, null)
    assert.equal(failed.invoice_url, null)
    assert.deepEqual(await eventsOf(service, caller.empresa), [])
    assert.deepEqual(await chargesOf(service, caller), { kept: 1, issued: 0 })

    const item = await issue(caller)
    assert.notEqual(item.id, failed.id)
    await assertRepeated(caller, item, { ...aCobranca, descricao: REFUSE })
    assert.deepEqual(await fetchOne(caller, failed.id), failed)
    assert.deepEqual(await chargesOf(service, caller), { kept: 2, issued: 1 })
  })

  test('after every one of 10 refused at once', async () => {
    const caller = await service.caller()
    const body = { ...aCobranca, descricao: REFUSE }
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(caller, body)))
    for (const { status } of answers) assert.equal(status, 422)
    await assertRepeated(caller, await issue(caller))
  })

  test('after a boleto above what one holds', async () => {
    const caller = await service.caller()
    const boleto = { ...aCobranca, forma: 'BOLETO', valor: 100_000_000 }
    const { status, body } = await send(caller, boleto)
    assert.equal(status, 422)
    assert.equal(body.code, 'provider-refused')
    assert.match(body.detail, /99\.999\.999,99/)
    assert.deepEqual(await chargesOf(service, caller), { kept: 1, issued: 0 })
    const item = await issue(caller, { ...boleto, valor: 99_999_999.99 })
    assert.match(item.codigo_barras!, /^.{9}9999999999/)
  })
})

describe('a provider that does not answer', () => {
  const silent = { ...aCobranca, descricao: NO_ANSWER }

  test('is a 502, and the key keeps its charge, which is still being issued', async () => {
    const caller = await service.caller()
    const { status, body } = await send(caller, silent)
    assert.equal(status, 502)
    assert.equal(body.code, 'provider-unavailable')
    const [item] = (await caller.get('/cobrancas')).body.items
    assert.equal(item.status, 'emitindo')
    assert.equal(item.invoice_url, null)
    assert.equal(item.provedor_id, null)
    assert.deepEqual(await eventsOf(service, caller.empresa), [])
    await assertRepeated(caller, item, silent)
    await assertRepeated(caller, item)
    assert.deepEqual(await chargesOf(service, caller), { kept: 1, issued: 0 })
  })

  test('is told to the first of 5 at once; the others get the charge', async () => {
    const caller = await service.caller()
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(caller, silent)))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, 200, 200, 200, 502])
    assert.deepEqual(await chargesOf(service, caller), { kept: 1, issued: 0 })
  })

  test('without a key leaves a charge that each other POST knows nothing of', async () => {
    const caller = await service.caller()
    for (const _ of [1, 2]) assert.equal((await caller.post('/cobrancas', silent)).status, 502)
    const { items } = (await caller.get('/cobrancas?status=emitindo')).body
    assert.equal(items.length, 2)
  })
})

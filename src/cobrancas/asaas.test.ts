import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startAsaas } from '../../test/support/asaas.ts'
import { whenDone } from '../../test/support/cleanup.ts'
import { eventually } from '../../test/support/delivery.ts'
import { eventsOf } from '../../test/support/events.ts'
import { aLancamento } from '../../test/support/lancamento.ts'
import { CPF, createParceiro } from '../../test/support/parceiro.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import { connect, connectionOf, disconnect } from '../provedores/contas.ts'
import { Reconciler } from './reconciler.ts'

const service = await startService()
const { db, pool, payments } = service
const asaas = await startAsaas()
const reconciler = new Reconciler(db, payments.issuer, service.logger)
db.committed.on('cobrancas', () => reconciler.wake())
reconciler.start()
whenDone(() => reconciler.stop())

/** A company whose account is with the stand-in, and a payer that it takes. */
async function newCompany() {
  const caller = await service.caller({ provedor: null })
  const connection = { provedor: 'asaas', apiKey: asaas.apiKey, baseUrl: asaas.url }
  const { id: conta, token = '' } = await connect(db, payments.accounts, {
    empresa: caller.empresa,
    ...connection,
  })
  const parceiro = await createParceiro(caller, { documento: CPF })
  const charge = { valor: 50, vencimento: '2099-01-31', parceiro_id: parceiro.id }
  const notify = (
    body: unknown,
    headers: Record<string, string> = { 'asaas-access-token': token },
  ) =>
    fetch(`${service.url}/provedores/asaas/${conta}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return { caller, conta, token, charge, notify }
}

async function issue(caller: Caller, body: object, key: string = crypto.randomUUID()) {
  const answer = await caller.post('/cobrancas', body, { 'idempotency-key': key })
  return { status: answer.status, code: answer.body.code, item: answer.body.item, key }
}

const statusOf = async (caller: Caller, id: string) =>
  (await caller.get(`/cobrancas/${id}`)).body.item.status

const kindsOf = async (caller: Caller) =>
  (await eventsOf(service, caller.empresa))
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'parceiro.created')

/** As if the time that a charge is left alone for had passed. */
const passTime = () =>
  pool.query(`update cobrancas set conferir_em = clock_timestamp() where conferir_em is not null`)

const issuedFor = (reference: string) =>
  [...asaas.payments.values()].filter((payment) => payment.externalReference === reference)

describe('a charge of a real provider', () => {
  test('is issued with the payer, and shows what the provider gave', async () => {
    const { caller, charge } = await newCompany()
    const { status, item } = await issue(caller, { ...charge, descricao: 'Mensalidade' })
    assert.equal(status, 201)
    const [payment] = issuedFor(item.id)
    assert.deepEqual(
      [item.provedor, item.provedor_id, item.status, item.invoice_url],
      ['asaas', payment!.id, 'pendente', payment!.invoiceUrl],
    )
    assert.equal(item.linha_digitavel.length, 47)
    assert.equal(item.codigo_barras.length, 44)
    assert.match(item.pix_copia_e_cola, /^pix-copia-e-cola/)
  })

  test('needs a documented payer: 422, nothing issued, the key unused', async () => {
    const { caller, charge } = await newCompany()
    const without = await createParceiro(caller)
    for (const parceiro_id of [null, without.id]) {
      const { status, code, key } = await issue(caller, { ...charge, parceiro_id })
      assert.deepEqual([status, code], [422, 'parceiro-sem-documento'])
      assert.equal((await issue(caller, charge, key)).status, 201)
    }
  })

  test('refused by the provider: 422 with its reason, a row that failed, the key unused', async () => {
    const { caller, charge } = await newCompany()
    const answer = await caller.post(
      '/cobrancas',
      { ...charge, valor: 4 },
      { 'idempotency-key': 'k' },
    )
    assert.deepEqual([answer.status, answer.body.code], [422, 'provider-refused'])
    assert.match(answer.body.detail, /5,00/)
    const { items } = (await caller.get('/cobrancas')).body
    assert.deepEqual([items.length, items[0].status], [1, 'falhou'])
    assert.deepEqual(await kindsOf(caller), [])
    assert.equal((await issue(caller, charge, 'k')).status, 201)
  })
})

describe('a provider that does not answer', () => {
  const KINDS = [
    '500-after',
    '500-before',
    'reset-after',
    'reset-before',
    'garbage',
    '429',
  ] as const

  for (const kind of KINDS) {
    test(`${kind}: 502, and the same key later returns the one charge`, async () => {
      const { caller, charge } = await newCompany()
      asaas.faults.push({ on: 'POST /payments', kind })
      const first = await issue(caller, charge)
      assert.deepEqual([first.status, first.code], [502, 'provider-unavailable'])
      const [row] = (await caller.get('/cobrancas')).body.items
      assert.equal(row.status, 'emitindo')
      const early = await issue(caller, charge, first.key)
      assert.deepEqual([early.status, early.item.id, early.item.status], [200, row.id, 'emitindo'])
      await passTime()
      await eventually(
        () => statusOf(caller, row.id),
        (status) => status === 'pendente',
      )
      const late = await issue(caller, charge, first.key)
      assert.deepEqual([late.status, late.item.id, late.item.status], [200, row.id, 'pendente'])
      assert.equal(issuedFor(row.id).length, 1)
      assert.deepEqual(await kindsOf(caller), ['cobranca.criada'])
    })
  }

  test('a charge that was paid before it could be written down is both created and paid', async () => {
    const { caller, charge, notify } = await newCompany()
    asaas.faults.push({ on: 'POST /payments', kind: '500-after' })
    await issue(caller, charge)
    const [row] = (await caller.get('/cobrancas')).body.items
    const [payment] = issuedFor(row.id)
    asaas.pay(payment!.id)
    assert.equal((await notify(asaas.notice(payment!.id, 'PAYMENT_RECEIVED'))).status, 200)
    await passTime()
    await eventually(
      () => statusOf(caller, row.id),
      (status) => status === 'paga',
    )
    assert.deepEqual(await kindsOf(caller), ['cobranca.criada', 'cobranca.paga'])
  })
})

describe('a notice of the provider', () => {
  const settled = async (caller: Caller, id: string, status: string) => {
    await eventually(
      () => statusOf(caller, id),
      (now) => now === status,
    )
    return kindsOf(caller)
  }

  test('moves the charge and pays its entry, with day and amount, once however often it comes', async () => {
    const { caller, charge, notify } = await newCompany()
    const entry = { ...aLancamento, tipo: 'receita', status: 'em_aberto', valor: 50 }
    const { id: lancamento_id } = (await caller.post('/lancamentos', entry)).body.item
    const { item } = await issue(caller, { ...charge, lancamento_id })
    asaas.pay(item.provedor_id, { date: '2026-11-02', value: 53.5 })
    const notice = asaas.notice(item.provedor_id, 'PAYMENT_RECEIVED')
    const answers = await Promise.all(Array.from({ length: 5 }, () => notify(notice)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    await notify(asaas.notice(item.provedor_id, 'PAYMENT_CONFIRMED'))
    assert.deepEqual(await settled(caller, item.id, 'paga'), [
      'lancamento.created',
      'cobranca.criada',
      'lancamento.paid',
      'cobranca.paga',
    ])
    const paid = (await caller.get(`/lancamentos/${lancamento_id}`)).body.item
    assert.deepEqual(
      [paid.status, paid.data_pagamento, paid.juros, paid.desconto, paid.valor_pago],
      ['pago', '2026-11-02', 3.5, 0, 53.5],
    )
    const { pago_em, valor_pago } = (await caller.get(`/cobrancas/${item.id}`)).body.item
    assert.deepEqual([pago_em, valor_pago], ['2026-11-02', 53.5])
  })

  test('that comes late or out of order leaves what is true', async () => {
    const { caller, charge, notify } = await newCompany()
    const { item } = await issue(caller, charge)
    asaas.pay(item.provedor_id)
    const paid = asaas.notice(item.provedor_id, 'PAYMENT_RECEIVED')
    asaas.refund(item.provedor_id)
    await notify(asaas.notice(item.provedor_id, 'PAYMENT_REFUNDED'))
    await settled(caller, item.id, 'estornada')
    await notify(paid)
    await notify({ ...asaas.notice(item.provedor_id, 'PAYMENT_OVERDUE'), unknown: { field: 1 } })
    assert.deepEqual(await settled(caller, item.id, 'estornada'), ['cobranca.criada'])
  })

  test('of a removal cancels, of a restoration brings back, of a payment after all pays', async () => {
    const { caller, charge, notify } = await newCompany()
    const { item } = await issue(caller, charge)
    asaas.payments.get(item.provedor_id)!.deleted = true
    await notify(asaas.notice(item.provedor_id, 'PAYMENT_DELETED'))
    await settled(caller, item.id, 'cancelada')
    asaas.restore(item.provedor_id)
    await notify(asaas.notice(item.provedor_id, 'PAYMENT_RESTORED'))
    await settled(caller, item.id, 'pendente')
    asaas.pay(item.provedor_id)
    await notify(asaas.notice(item.provedor_id, 'PAYMENT_RECEIVED'))
    assert.deepEqual(await settled(caller, item.id, 'paga'), [
      'cobranca.criada',
      'cobranca.cancelada',
      'cobranca.paga',
    ])
  })

  test('of a charge that is not ours, or of no charge at all, is taken and changes nothing', async () => {
    const { caller, charge, notify } = await newCompany()
    const other = await newCompany()
    const { item } = await issue(caller, charge)
    const foreign = await issue(other.caller, other.charge)
    asaas.pay(foreign.item.provedor_id)
    for (const body of [
      asaas.notice(foreign.item.provedor_id, 'PAYMENT_RECEIVED'),
      { id: 'evt_1', event: 'PAYMENT_RECEIVED', payment: { id: 'pay_unknown' } },
      { id: 'evt_2', event: 'TRANSFER_DONE', transfer: { id: 'x' } },
    ]) {
      assert.equal((await notify(body)).status, 200)
    }
    await passTime()
    assert.equal(await statusOf(caller, item.id), 'pendente')
  })

  test('without the token of its account is refused, and nothing is looked at', async () => {
    const { caller, charge, conta, token, notify } = await newCompany()
    const { item } = await issue(caller, charge)
    asaas.pay(item.provedor_id)
    const notice = asaas.notice(item.provedor_id, 'PAYMENT_RECEIVED')
    const { token: foreign } = await newCompany()
    for (const headers of [
      {},
      { 'asaas-access-token': '' },
      { 'asaas-access-token': foreign },
      { 'asaas-access-token': `${token}x` },
    ] as Record<string, string>[]) {
      const answer = await notify(notice, headers)
      assert.equal(answer.status, 401)
      assert.doesNotMatch(await answer.text(), new RegExp(token))
    }
    for (const path of [
      `sandbox/${conta}`,
      `none/${conta}`,
      'asaas/x',
      `asaas/${crypto.randomUUID()}`,
    ]) {
      const answer = await fetch(`${service.url}/provedores/${path}`, {
        method: 'POST',
        headers: { 'asaas-access-token': token, 'content-type': 'application/json' },
        body: JSON.stringify(notice),
      })
      assert.equal(answer.status, 401, path)
    }
    assert.equal((await notify('no object')).status, 401)
    const { rows } = await pool.query('select id from provedor_avisos where conta_id = $1', [conta])
    assert.deepEqual(rows, [])
    assert.equal(await statusOf(caller, item.id), 'pendente')
  })
})

describe('an account', () => {
  test('with a key that the provider does not accept is not connected', async () => {
    const { empresa } = await service.caller({ provedor: null })
    const wrong = { empresa, provedor: 'asaas', apiKey: '$aact_canary', baseUrl: asaas.url }
    await assert.rejects(connect(db, payments.accounts, wrong), /provider-refused/)
    assert.equal(await connectionOf(db, empresa), undefined)
  })

  test('connected again takes the other key and keeps its id and token; another one is refused', async () => {
    const { caller, conta } = await newCompany()
    const again = { provedor: 'asaas', apiKey: asaas.apiKey, baseUrl: asaas.url }
    const { id, token } = await connect(db, payments.accounts, {
      empresa: caller.empresa,
      ...again,
    })
    assert.deepEqual([id, token], [conta, undefined])
    const other = { empresa: caller.empresa, provedor: 'sandbox', apiKey: null, baseUrl: null }
    await assert.rejects(connect(db, payments.accounts, other), /payment-account-in-use/)
  })

  test('disconnected forgets its key, and its charges can still be read', async () => {
    const { caller, charge } = await newCompany()
    await issue(caller, charge)
    await disconnect(db, caller.empresa)
    const { rows } = await pool.query('select api_key from provedor_contas where tenant_id = $1', [
      caller.empresa,
    ])
    assert.deepEqual(rows, [{ api_key: null }])
    assert.equal((await issue(caller, charge)).code, 'payment-account-not-connected')
    assert.equal((await caller.get('/cobrancas')).status, 200)
    await assert.rejects(disconnect(db, caller.empresa), /payment-account-not-connected/)
  })

  test('is not disconnected while a charge is being issued', async () => {
    const { caller, charge } = await newCompany()
    asaas.faults.push({ on: 'POST /payments', kind: '500-before' })
    await issue(caller, charge)
    await assert.rejects(disconnect(db, caller.empresa), /payment-account-in-use/)
  })

  test('its key and token are in no log line, and sealed where they are kept', async () => {
    const { caller, charge, token, notify } = await newCompany()
    const { item } = await issue(caller, charge)
    await notify(asaas.notice(item.provedor_id, 'PAYMENT_UPDATED'))
    const { rows } = await pool.query('select * from provedor_contas')
    for (const text of [service.log.join(''), JSON.stringify(rows)]) {
      assert.ok(!text.includes(asaas.apiKey))
      assert.ok(!text.includes(token))
    }
    assert.ok(!service.log.join('').includes(CPF))
  })
})

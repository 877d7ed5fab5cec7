import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createChave, listChaves } from '../../src/chaves/chaves.ts'
import { addSubcategoria, createArea } from '../support/categoria.ts'
import {
  attemptsOf,
  deliveriesOf,
  eventually,
  passTime,
  startWorker,
  subscribe,
} from '../support/delivery.ts'
import { aLancamento, createLancamento, UNKNOWN_ID } from '../support/lancamento.ts'
import { CNPJ, CPF, createParceiro } from '../support/parceiro.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Caller, startService } from '../support/service.ts'

const service = await startService()
const caller = await service.caller()
const { worker } = startWorker(service)

/** The fields that a creation is refused for. One field may have several faults. */
const refusedIn = async (path: string, body: object): Promise<string[]> => {
  const answer = await caller.post(path, body)
  assert.equal(answer.status, 400, JSON.stringify(body))
  const fields: string[] = answer.body.errors.map(({ field }: { field: string }) => field)
  return [...new Set(fields)]
}

const refusedFields = (body: object) => refusedIn('/lancamentos', { ...aLancamento, ...body })

describe('2.1 conventions', () => {
  test('2.1 requests with a body use Content-Type: application/json', async () => {
    const body = JSON.stringify(aLancamento)
    const send = (type: string) =>
      caller.call('POST', '/lancamentos', { body, headers: { 'content-type': type } })
    assert.equal((await send('application/json')).status, 201)
    assert.equal((await send('application/json; charset=utf-8')).status, 201)
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
      const refused = await send(type)
      assert.equal(refused.status, 415, type)
      assert.equal(refused.body.code, 'unsupported-media-type')
    }
  })

  test('2.1 a body without Content-Type is read as JSON; DELETE ignores a body', async () => {
    const send = (method: string, path: string, text: string) =>
      fetch(`${service.url}/api/v1${path}`, {
        method,
        headers: { 'x-api-key': caller.key },
        // Of bytes, unlike text, fetch does not say a type.
        body: new TextEncoder().encode(text),
      })
    const created = await send('POST', '/lancamentos', JSON.stringify(aLancamento))
    assert.equal(created.status, 201)
    const { item } = (await created.json()) as { item: { id: string } }
    const removed = await send('DELETE', `/lancamentos/${item.id}`, 'nonsense')
    assert.deepEqual(await removed.json(), { item })
  })

  test('2.1 all responses are JSON', async () => {
    const { id } = await createLancamento(caller)
    const answers = [
      await caller.get('/lancamentos'),
      await caller.post('/lancamentos', aLancamento),
      await caller.get(`/lancamentos/${id}`),
      await caller.patch(`/lancamentos/${id}`, { descricao: 'Outra' }),
      await caller.delete(`/lancamentos/${id}`),
      await caller.post('/lancamentos', '{'),
      await caller.get('/nowhere'),
      await caller.call('PUT', '/lancamentos'),
      await service.call('GET', '/lancamentos'),
    ]
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(statuses, [200, 201, 200, 200, 200, 400, 404, 405, 401])
    for (const { status, headers } of answers) {
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8', String(status))
    }
  })

  test('2.1 list responses: an object with items, total, limit and offset', async () => {
    const own = await service.caller()
    const empty = await own.get('/lancamentos')
    assert.deepEqual(empty.body, { items: [], total: 0, limit: 100, offset: 0 })
    const item = await createLancamento(own)
    const { body } = await own.get('/lancamentos')
    assert.deepEqual(body, { items: [item], total: 1, limit: 100, offset: 0 })
  })

  test('2.1 total is the number of matching records, not of those on the page', async () => {
    const own = await service.caller()
    for (const tipo of ['receita', 'receita', 'receita', 'despesa']) {
      await createLancamento(own, { tipo })
    }
    const page = (await own.get('/lancamentos?tipo=receita&limit=1')).body
    assert.equal(page.items.length, 1)
    assert.equal(page.total, 3)
    const beyond = (await own.get('/lancamentos?tipo=receita&offset=50')).body
    assert.deepEqual(beyond, { items: [], total: 3, limit: 100, offset: 50 })
  })

  test('2.1 single-resource responses: an object with item', async () => {
    const created = await caller.post('/lancamentos', aLancamento)
    const path = `/lancamentos/${created.body.item.id}`
    const answers = [
      created,
      await caller.get(path),
      await caller.patch(path, { valor: 1 }),
      await caller.delete(path),
    ]
    for (const { body } of answers) {
      assert.deepEqual(Object.keys(body), ['item'])
      assert.equal(body.item.id, created.body.item.id)
    }
  })

  test('2.1 limit and offset page through a list, without skipping or repeating', async () => {
    const own = await service.caller()
    for (const data of ['2026-01-01', '2026-01-02', '2026-01-02', '2026-01-02', '2026-01-03']) {
      await createLancamento(own, { data })
    }
    const whole = (await own.get('/lancamentos')).body.items
    const pages = []
    for (const offset of [0, 2, 4]) {
      const { body } = await own.get(`/lancamentos?limit=2&offset=${offset}`)
      assert.deepEqual([body.total, body.limit, body.offset], [5, 2, offset])
      pages.push(...body.items)
    }
    assert.deepEqual(pages, whole)
  })

  test('2.1 limit and offset are integers', async () => {
    for (const name of ['limit', 'offset']) {
      for (const value of ['', 'x', '1.5', '1e1', 'true', '%201']) {
        const { status, body } = await caller.get(`/lancamentos?${name}=${value}`)
        assert.equal(status, 400, `${name}=${value}`)
        assert.equal(body.code, 'invalid-query')
        assert.equal(body.errors[0].field, name)
      }
    }
  })
})

describe('2.2 lançamento', () => {
  test('2.2 id: string, a UUID v7, the identifier of the record', async () => {
    const one = await createLancamento(caller)
    const other = await createLancamento(caller)
    assert.match(one.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.notEqual(one.id, other.id)
    assert.deepEqual((await caller.get(`/lancamentos/${one.id}`)).body.item, one)
  })

  test('2.2 data: string, date YYYY-MM-DD', async () => {
    for (const data of ['2026-06-22', '2024-02-29', '1900-01-01', '2199-12-31']) {
      assert.equal((await createLancamento(caller, { data })).data, data)
    }
    const notDates = ['22/06/2026', '2026-6-22', '2026-02-30', '2025-02-29', '1899-12-31']
    for (const data of [...notDates, '2200-01-01', '2026-06-22T00:00:00Z', '', 20260622, null]) {
      assert.deepEqual(await refusedFields({ data }), ['data'], String(data))
    }
  })

  test('2.2 descricao: string, 1 to 500 characters, kept exactly as sent', async () => {
    for (const descricao of ['x', '  Água e\tluz \n', '🧾'.repeat(500), 'e\u0301 é', '<b>&amp;']) {
      assert.equal((await createLancamento(caller, { descricao })).descricao, descricao)
    }
    for (const descricao of ['', 'x'.repeat(501), 'a\u0000b', 'a\ud800', 12, null]) {
      assert.deepEqual(await refusedFields({ descricao }), ['descricao'], String(descricao))
    }
  })

  test('2.2 tipo: receita, despesa or transferencia', async () => {
    for (const tipo of ['receita', 'despesa', 'transferencia']) {
      assert.equal((await createLancamento(caller, { tipo })).tipo, tipo)
    }
    for (const tipo of ['Receita', 'income', '', null, 1]) {
      assert.deepEqual(await refusedFields({ tipo }), ['tipo'], String(tipo))
    }
  })

  test('2.2 valor: number (decimal), the amount in reais, at most two decimals', async () => {
    for (const valor of [0.01, 0.07, 0.29, 1.1, 8.2, 1234.56, 3500, 9999999999.99]) {
      const { id } = await createLancamento(caller, { valor })
      assert.equal((await caller.get(`/lancamentos/${id}`)).body.item.valor, valor)
    }
    for (const valor of [0, -1, 0.001, 1.005, 10000000000, '10', '10.00', true, null]) {
      assert.deepEqual(await refusedFields({ valor }), ['valor'], String(valor))
    }
  })

  test('2.2 contraparte: string, the counterparty name, or null', async () => {
    for (const contraparte of ['Fornecedor S.A.', '', ' x ', null]) {
      assert.equal((await createLancamento(caller, { contraparte })).contraparte, contraparte)
    }
    for (const contraparte of ['x'.repeat(201), 7]) {
      assert.deepEqual(await refusedFields({ contraparte }), ['contraparte'])
    }
  })

  test('2.2 status: em_aberto, pago or cancelado', async () => {
    for (const status of ['em_aberto', 'pago', 'cancelado']) {
      assert.equal((await createLancamento(caller, { status })).status, status)
    }
    for (const status of ['paid', 'Pago', 'vencido', '', 1]) {
      assert.deepEqual(await refusedFields({ status }), ['status'], String(status))
    }
  })

  test('2.2 centro_custo: free text, kept as sent, or null', async () => {
    for (const centro_custo of ['Matriz', ' Obra 12/SP ', '', 'AÇÃO', null]) {
      assert.equal((await createLancamento(caller, { centro_custo })).centro_custo, centro_custo)
    }
    for (const centro_custo of ['x'.repeat(201), 3]) {
      assert.deepEqual(await refusedFields({ centro_custo }), ['centro_custo'])
    }
  })

  test('2.2 further fields: shown with their defaults', async () => {
    const { id, criado_em, atualizado_em, ...item } = await createLancamento(caller)
    assert.deepEqual(item, {
      ...aLancamento,
      vencimento: aLancamento.data,
      data_pagamento: null,
      juros: 0,
      desconto: 0,
      valor_pago: null,
      centro_custo: null,
      observacoes: null,
      parceiro_id: null,
      categoria_id: null,
      conta_bancaria_id: null,
    })
    assert.match(criado_em, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.match(atualizado_em, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('2.2 further fields: kept as sent', async () => {
    const fields = {
      status: 'pago',
      vencimento: '2026-07-01',
      data_pagamento: '2026-07-02',
      juros: 0.1,
      desconto: 0.2,
      observacoes: 'x'.repeat(5000),
    }
    const item = await createLancamento(caller, fields)
    assert.deepEqual({ ...item, ...fields }, item)
    assert.deepEqual(await refusedFields({ vencimento: '2026-02-30' }), ['vencimento'])
    assert.deepEqual(await refusedFields({ juros: -1, desconto: 0.001 }), ['juros', 'desconto'])
    assert.deepEqual(await refusedFields({ observacoes: 'x'.repeat(5001) }), ['observacoes'])
  })

  test('2.2 further fields: valor_pago is valor + juros − desconto, to the centavo', async () => {
    const paid = { status: 'pago', valor: 0.1, juros: 0.2, desconto: 0 }
    assert.equal((await createLancamento(caller, paid)).valor_pago, 0.3)
    assert.equal((await createLancamento(caller, { ...paid, desconto: 0.3 })).valor_pago, 0)
    assert.deepEqual(await refusedFields({ ...paid, desconto: 0.31 }), ['desconto'])
    assert.deepEqual(await refusedFields({ valor_pago: 1 }), ['valor_pago'])
  })

  test('2.2 further fields: data_pagamento only with pago, the entry date by default', async () => {
    const { data_pagamento } = await createLancamento(caller, { status: 'pago' })
    assert.equal(data_pagamento, aLancamento.data)
    for (const status of ['em_aberto', 'cancelado']) {
      const refused = await refusedFields({ status, data_pagamento: '2026-06-22' })
      assert.deepEqual(refused, ['data_pagamento'])
    }
  })

  test('2.2 further fields: a reference to what is not in the company is refused', async () => {
    for (const field of ['parceiro_id', 'categoria_id', 'conta_bancaria_id']) {
      assert.deepEqual(await refusedFields({ [field]: UNKNOWN_ID }), [field])
      assert.deepEqual(await refusedFields({ [field]: 'x' }), [field])
    }
  })
})

describe('2.3 parceiro', () => {
  const refusedParceiro = (body: object) => refusedIn('/parceiros', { nome: 'Parceiro', ...body })
  const found = async (own: Caller, query: string): Promise<string[]> => {
    const { body } = await own.get(`/parceiros?${query}`)
    return body.items.map(({ nome }: { nome: string }) => nome)
  }

  test('2.3 kinds of partner: clients, suppliers or both; tipo filters them', async () => {
    const own = await service.caller()
    const kinds = ['cliente', 'fornecedor', 'ambos']
    for (const tipo of kinds) {
      assert.equal((await createParceiro(own, { nome: tipo, tipo })).tipo, tipo)
    }
    for (const tipo of kinds) assert.deepEqual(await found(own, `tipo=${tipo}`), [tipo])
    for (const tipo of ['Cliente', 'outro', '', 1]) {
      assert.deepEqual(await refusedParceiro({ tipo }), ['tipo'], String(tipo))
    }
  })

  test('2.3 the boolean-like field ativo filters active ones', async () => {
    const own = await service.caller()
    assert.equal((await createParceiro(own, { nome: 'active' })).ativo, true)
    assert.equal((await createParceiro(own, { nome: 'inactive', ativo: false })).ativo, false)
    for (const yes of ['true', '1']) assert.deepEqual(await found(own, `ativo=${yes}`), ['active'])
    for (const no of ['false', '0']) assert.deepEqual(await found(own, `ativo=${no}`), ['inactive'])
    for (const ativo of ['true', 1, 0, '']) {
      assert.deepEqual(await refusedParceiro({ ativo }), ['ativo'], String(ativo))
    }
  })

  test('2.3 fields: shown with their defaults', async () => {
    const { id, criado_em, atualizado_em, ...item } = await createParceiro(caller)
    assert.deepEqual(item, {
      nome: 'Parceiro',
      tipo: 'cliente',
      documento: null,
      email: null,
      telefone: null,
      ativo: true,
      observacoes: null,
    })
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    for (const instant of [criado_em, atualizado_em]) {
      assert.match(instant, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  })

  test('2.3 fields: kept as sent', async () => {
    const fields = {
      nome: ' Ação & Cia ',
      tipo: 'ambos',
      email: 'contato@exemplo.com.br',
      telefone: '+55 11 91234-5678',
      ativo: false,
      observacoes: 'x'.repeat(5000),
    }
    const item = await createParceiro(caller, fields)
    assert.deepEqual({ ...item, ...fields }, item)
    const faulty = { nome: 'x'.repeat(201), email: 'x', telefone: 1, observacoes: 'x'.repeat(5001) }
    assert.deepEqual((await refusedParceiro(faulty)).sort(), Object.keys(faulty).sort())
  })

  test('2.3 fields: nome is required, 1 to 200 characters', async () => {
    assert.deepEqual(await refusedIn('/parceiros', {}), ['nome'])
    for (const nome of ['', 'x'.repeat(201), 'a\u0000b', 1, null]) {
      assert.deepEqual(await refusedParceiro({ nome }), ['nome'], String(nome))
    }
  })

  test('2.3 fields: documento is a CPF or CNPJ, stored bare and upper-case', async () => {
    const own = await service.caller()
    const documents = {
      '529.982.247-25': CPF,
      '11.222.333/0001-81': CNPJ,
      '12.abc.345/01de-35': '12ABC34501DE35',
    }
    for (const [documento, kept] of Object.entries(documents)) {
      assert.equal((await createParceiro(own, { documento })).documento, kept)
    }
    for (const documento of ['52998224724', '11222333000182', '12ABC34501DE36', '123', '']) {
      assert.deepEqual(await refusedParceiro({ documento }), ['documento'], documento)
    }
  })
})

describe('2.4 categoria', () => {
  test('2.4 creating via the API creates a new area', async () => {
    const { id, criado_em, atualizado_em, ...item } = await createArea(caller, 'Marketing')
    assert.deepEqual(item, { nome: 'Marketing', area_id: null })
    assert.deepEqual(await refusedIn('/categorias', { nome: 'x', area_id: id }), ['area_id'])
  })

  test('2.4 subcategories exist for classification', async () => {
    const own = await service.caller()
    const area = await createArea(own, 'Marketing')
    const categoria_id = await addSubcategoria(service, own.empresa, area.id, 'Eventos')
    const [, shown] = (await own.get('/categorias')).body.items
    assert.deepEqual([shown.id, shown.area_id], [categoria_id, area.id])
    assert.equal((await createLancamento(own, { categoria_id })).categoria_id, categoria_id)
  })

  test('2.4 duplicate names conflict (409)', async () => {
    const own = await service.caller()
    await createArea(own, 'Ação')
    for (const nome of ['Ação', 'AÇÃO', 'ação'.normalize('NFD')]) {
      const { status, body } = await own.post('/categorias', { nome })
      assert.deepEqual([status, body.code], [409, 'duplicate-name'], nome)
    }
    assert.equal((await own.get('/categorias')).body.total, 1)
    await createArea(await service.caller(), 'Ação')
  })

  test('2.4 fields: nome is required, 1 to 200 characters, kept exactly as sent', async () => {
    assert.equal((await createArea(caller, '  Água ')).nome, '  Água ')
    assert.deepEqual(await refusedIn('/categorias', {}), ['nome'])
    for (const nome of ['', 'x'.repeat(201), 'a\u0000b', 1, null]) {
      assert.deepEqual(await refusedIn('/categorias', { nome }), ['nome'], String(nome))
    }
  })
})

describe('2.6 webhook subscription', () => {
  const URL_OF_RECEIVER = 'https://receiver.example/hook'
  const A_WEBHOOK = { url: URL_OF_RECEIVER, events: ['lancamento.created', 'nfse.emitida'] }

  test('2.6 has an id, a target URL, a set of chosen event kinds, and a secret', async () => {
    const own = await service.caller()
    const { item } = (await own.post('/webhooks', A_WEBHOOK)).body
    assert.match(item.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(item.url, URL_OF_RECEIVER)
    assert.deepEqual(item.events, A_WEBHOOK.events)
    assert.match(item.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  })

  test('2.6 a set of event kinds: at least one, and none twice', async () => {
    for (const events of [[], ['nfse.emitida', 'nfse.emitida']]) {
      assert.deepEqual(await refusedIn('/webhooks', { ...A_WEBHOOK, events }), ['events'])
    }
  })

  test('2.6 the secret is returned only in the creation response and never again', async () => {
    const own = await service.caller()
    const { item, secret } = (await own.post('/webhooks', A_WEBHOOK)).body
    assert.equal(item.secret, secret)
    const { secret: _, ...shown } = item
    assert.deepEqual((await own.get('/webhooks')).body.items, [shown])
    assert.deepEqual((await own.delete(`/webhooks/${item.id}`)).body, { item: shown })
  })

  test('2.6 other fields: name, ativo, criado_em, atualizado_em', async () => {
    const own = await service.caller()
    await own.post('/webhooks', A_WEBHOOK)
    await own.post('/webhooks', { ...A_WEBHOOK, name: ' ERP ' })
    const { items } = (await own.get('/webhooks')).body
    for (const [n, name] of [null, ' ERP '].entries()) {
      const { url, events, name: shown, ativo, criado_em, atualizado_em } = items[n]
      assert.deepEqual({ url, events, name: shown, ativo }, { ...A_WEBHOOK, name, ativo: true })
      for (const instant of [criado_em, atualizado_em]) {
        assert.match(instant, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      }
    }
  })
})

describe('2.7 webhook delivery record', () => {
  test('2.7 webhook_deliveries: event, subscription, state, attempts and next attempt', async () => {
    const own = await service.caller()
    const receiver = await startReceiver({ answer: (response) => response.writeHead(500).end() })
    const { id } = await subscribe(own, receiver.url)
    await createLancamento(own)
    const [row] = await eventually(
      () => deliveriesOf(service, own),
      ([first]) => first!.attempts === 1n,
    )
    const { subscription_id, event_seq, event_kind, state, wait } = row!
    assert.deepEqual(
      [subscription_id, event_seq, event_kind, state],
      [id, 1n, 'lancamento.created', 'pending'],
    )
    assert.ok(wait! > 0)
  })

  test('2.7 every attempt is kept: time, duration, status, error, answer and address', async () => {
    const own = await service.caller()
    const receiver = await startReceiver()
    receiver.answer = (response) =>
      response.writeHead(receiver.received.length === 1 ? 503 : 200).end('é'.repeat(5000))
    await subscribe(own, receiver.url)
    await createLancamento(own)
    await eventually(
      () => deliveriesOf(service, own),
      ([row]) => row!.attempts === 1n,
    )
    await passTime(service, own)
    worker.wake()
    await eventually(
      () => deliveriesOf(service, own),
      ([row]) => row!.state === 'delivered',
    )
    const attempts = await attemptsOf(service, own)
    // Of the answer the first 4 KiB.
    const response = 'é'.repeat(2048)
    assert.deepEqual(
      attempts.map(({ status, error, response, address }) => ({
        status,
        error,
        response,
        address,
      })),
      [
        { status: 503n, error: null, response, address: '127.0.0.1' },
        { status: 200n, error: null, response, address: '127.0.0.1' },
      ],
    )
    const times = await service.db
      .reader(own.empresa)
      .query<{ started_at: string; duration_ms: bigint }>(
        'select started_at, duration_ms from webhook_attempts where tenant_id = $1 order by id',
        [own.empresa],
      )
    const timestamps = receiver.received.map(({ body }) => body.timestamp)
    assert.deepEqual(
      times.map(({ started_at }) => Math.floor(Date.parse(started_at) / 1000)),
      timestamps,
    )
    for (const { duration_ms } of times) assert.ok(duration_ms >= 0n)
  })

  test('2.7 the history stays when the subscription is removed', async () => {
    const own = await service.caller()
    const receiver = await startReceiver()
    const { id } = await subscribe(own, receiver.url)
    await createLancamento(own)
    const before = await eventually(
      () => deliveriesOf(service, own),
      ([row]) => row!.state === 'delivered',
    )
    await own.delete(`/webhooks/${id}`)
    assert.deepEqual(await deliveriesOf(service, own), before)
    assert.equal((await attemptsOf(service, own)).length, 1)
  })
})

describe('2.8 API key', () => {
  const newKey = async (options: { scopes: string[]; expiresAt?: string }) =>
    createChave(service.db, { empresa: caller.empresa, ...options })
  const listed = async (id: string) =>
    (await listChaves(service.db, caller.empresa)).find((chave) => chave.id === id)!

  test('2.8 raw value: svc_live_ followed by 32 characters', async () => {
    const { key } = await newKey({ scopes: ['lancamentos:read'] })
    assert.match(key, /^svc_live_[0-9A-Za-z]{32}$/)
  })

  test('2.8 the raw key is displayed once at creation: it is kept nowhere', async () => {
    const { id, key } = await newKey({ scopes: ['lancamentos:read'] })
    const rows = await service.db
      .reader(caller.empresa)
      .query<object>('select * from chaves where tenant_id = $1', [caller.empresa])
    const secret = key.slice('svc_live_'.length, -4)
    assert.ok(!JSON.stringify(rows).includes(secret))
    assert.ok(!JSON.stringify(await listed(id)).includes(secret))
  })

  test('2.8 carries a list of scopes and optionally an expiry', async () => {
    const scopes = ['lancamentos:read', 'webhooks:delete']
    const unlimited = await listed((await newKey({ scopes })).id)
    assert.deepEqual([unlimited.scopes, unlimited.expira_em], [scopes, null])
    const expiresAt = '2099-12-31T23:59:59Z'
    const limited = await listed((await newKey({ scopes, expiresAt })).id)
    assert.equal(Date.parse(limited.expira_em!), Date.parse(expiresAt))
  })

  test('2.8 bound to one tenant', async () => {
    const other = await service.caller()
    const item = await createLancamento(other)
    assert.equal((await caller.get(`/lancamentos/${item.id}`)).status, 404)
    assert.equal((await other.get(`/lancamentos/${item.id}`)).status, 200)
  })
})

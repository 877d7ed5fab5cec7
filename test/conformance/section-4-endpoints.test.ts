import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aLancamento, createLancamento, UNKNOWN_ID } from '../support/lancamento.ts'
import { type Caller, startService } from '../support/service.ts'

const service = await startService()
const caller = await service.caller()

/** A company of its own, with one entry for each description. */
async function companyWith(entries: Record<string, object>): Promise<Caller> {
  const own = await service.caller()
  for (const [descricao, fields] of Object.entries(entries)) {
    await createLancamento(own, { descricao, ...fields })
  }
  return own
}

/** The descriptions that a query finds, in the order of the list. */
async function found(own: Caller, query: Record<string, string>): Promise<string[]> {
  const { status, body } = await own.get(`/lancamentos?${new URLSearchParams(query)}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total, body.items.length)
  return body.items.map(({ descricao }: { descricao: string }) => descricao)
}

/** What the published contract says of each call, for the table of scopes. */
function documentedScopes(): Record<string, string> {
  const own = service.contract.operations.filter(({ path }) => path.includes('/lancamentos'))
  return Object.fromEntries(own.map(({ method, path, scope }) => [`${method} ${path}`, scope]))
}

describe('4 endpoints', () => {
  test('4 every call needs authentication', async () => {
    const { id } = await createLancamento(caller)
    const calls = [
      ['GET', '/lancamentos'],
      ['POST', '/lancamentos'],
      ['GET', `/lancamentos/${id}`],
      ['PATCH', `/lancamentos/${id}`],
      ['DELETE', `/lancamentos/${id}`],
      ['GET', '/nowhere'],
      ['PUT', '/lancamentos'],
    ] as const
    for (const [method, path] of calls) {
      assert.equal((await service.call(method, path)).status, 401, `${method} ${path}`)
    }
    assert.equal((await caller.get(`/lancamentos/${id}`)).status, 200)
  })

  test('4 HEAD is GET without its body, and a trailing slash is ignored', async () => {
    const { id } = await createLancamento(caller)
    for (const path of ['/lancamentos', `/lancamentos/${id}`]) {
      const head = await caller.call('HEAD', path)
      assert.deepEqual([head.status, head.body], [200, undefined])
      assert.deepEqual((await caller.get(`${path}/`)).body, (await caller.get(path)).body)
    }
    assert.equal((await caller.call('HEAD', `/lancamentos/${UNKNOWN_ID}`)).status, 404)
  })

  test('4.1 the scope of each route', () => {
    assert.deepEqual(documentedScopes(), {
      'GET /api/v1/lancamentos': 'lancamentos:read',
      'POST /api/v1/lancamentos': 'lancamentos:write',
      'GET /api/v1/lancamentos/{id}': 'lancamentos:read',
      'PATCH /api/v1/lancamentos/{id}': 'lancamentos:write',
      'DELETE /api/v1/lancamentos/{id}': 'lancamentos:delete',
    })
  })
})

describe('4.1 GET /lancamentos', () => {
  test('4.1 GET /lancamentos: list, the latest date first, then the latest id', async () => {
    const own = await companyWith({
      middle: { data: '2026-02-01' },
      oldest: { data: '2026-01-01' },
      middleToo: { data: '2026-02-01' },
      newest: { data: '2026-03-01' },
    })
    const { items } = (await own.get('/lancamentos')).body
    const keys = items.map(({ data, id }: { data: string; id: string }) => `${data} ${id}`)
    assert.deepEqual(keys, [...keys].sort().reverse())
    const order = await found(own, {})
    assert.deepEqual([order.at(0), order.at(-1)], ['newest', 'oldest'])
  })

  test('4.1 GET /lancamentos: an item is shown as it is when fetched', async () => {
    const own = await service.caller()
    const item = await createLancamento(own)
    assert.deepEqual((await own.get('/lancamentos')).body.items, [item])
  })

  test('4.1 GET /lancamentos?tipo', async () => {
    const own = await companyWith({
      revenue: { tipo: 'receita' },
      expense: { tipo: 'despesa' },
      transfer: { tipo: 'transferencia' },
    })
    assert.deepEqual(await found(own, { tipo: 'receita' }), ['revenue'])
    assert.deepEqual(await found(own, { tipo: 'despesa' }), ['expense'])
    assert.deepEqual(await found(own, { tipo: 'transferencia' }), ['transfer'])
    assert.equal((await own.get('/lancamentos?tipo=outro')).status, 400)
  })

  test('4.1 GET /lancamentos?status', async () => {
    const own = await companyWith({
      open: { status: 'em_aberto' },
      paid: { status: 'pago' },
      cancelled: { status: 'cancelado' },
    })
    assert.deepEqual(await found(own, { status: 'em_aberto' }), ['open'])
    assert.deepEqual(await found(own, { status: 'pago' }), ['paid'])
    assert.deepEqual(await found(own, { status: 'cancelado' }), ['cancelled'])
    assert.equal((await own.get('/lancamentos?status=paid')).status, 400)
  })

  test('4.1 GET /lancamentos?status=vencido: open, and due before today', async (t) => {
    // Still the 9th in São Paulo.
    service.clock.now = () => Date.parse('2026-06-10T02:59:59Z')
    t.after(() => {
      service.clock.now = Date.now
    })
    const own = await companyWith({
      overdue: { vencimento: '2026-06-08' },
      dueToday: { vencimento: '2026-06-09' },
      dueLater: { vencimento: '2026-06-10' },
      paidLate: { vencimento: '2026-06-08', status: 'pago' },
      cancelled: { vencimento: '2026-06-08', status: 'cancelado' },
    })
    assert.deepEqual(await found(own, { status: 'vencido' }), ['overdue'])
    const open = (await found(own, { status: 'em_aberto' })).sort()
    assert.deepEqual(open, ['dueLater', 'dueToday', 'overdue'])
    service.clock.now = () => Date.parse('2026-06-10T03:00:00Z')
    const nextDay = (await found(own, { status: 'vencido' })).sort()
    assert.deepEqual(nextDay, ['dueToday', 'overdue'])
  })

  test('4.1 GET /lancamentos?data_de&data_ate: date bounds, both inclusive', async () => {
    const own = await companyWith({
      a: { data: '2026-01-31', vencimento: '2026-02-01' },
      b: { data: '2026-02-01' },
      c: { data: '2026-02-28' },
      d: { data: '2026-03-01' },
    })
    assert.deepEqual(await found(own, { data_de: '2026-02-01' }), ['d', 'c', 'b'])
    assert.deepEqual(await found(own, { data_ate: '2026-02-28' }), ['c', 'b', 'a'])
    const february = { data_de: '2026-02-01', data_ate: '2026-02-28' }
    assert.deepEqual(await found(own, february), ['c', 'b'])
    const oneDay = { data_de: '2026-02-28', data_ate: '2026-02-28' }
    assert.deepEqual(await found(own, oneDay), ['c'])
  })

  test('4.1 GET /lancamentos?data_de&data_ate: what is no date, or reversed, is refused', async () => {
    for (const query of [
      'data_de=2026-02-30',
      'data_ate=hoje',
      'data_de=',
      'data_de=2026-02-02&data_ate=2026-02-01',
    ]) {
      const { status, body } = await caller.get(`/lancamentos?${query}`)
      assert.equal(status, 400, query)
      assert.equal(body.code, 'invalid-query')
    }
  })

  test('4.1 GET /lancamentos?centro_custo: exact text match, as stored', async () => {
    const texts = [
      'Matriz',
      'matriz',
      'Matriz ',
      ' Matriz',
      'Matriz 2',
      '',
      '%',
      'Ação',
      'Ac\u0327a\u0303o',
    ]
    const own = await companyWith(
      Object.fromEntries(texts.map((text) => [`[${text}]`, { centro_custo: text }])),
    )
    await createLancamento(own, { descricao: 'none', centro_custo: null })
    for (const text of texts) {
      assert.deepEqual(await found(own, { centro_custo: text }), [`[${text}]`])
    }
    assert.deepEqual(await found(own, { centro_custo: 'Mat' }), [])
    assert.deepEqual(await found(own, { centro_custo: 'null' }), [])
  })

  test('4.1 GET /lancamentos?limit&offset', async () => {
    const own = await companyWith({
      a: { data: '2026-01-01' },
      b: { data: '2026-01-02' },
      c: { data: '2026-01-03' },
    })
    const { items, total, limit, offset } = (await own.get('/lancamentos?limit=1&offset=1')).body
    assert.deepEqual([items[0].descricao, items.length], ['b', 1])
    assert.deepEqual([total, limit, offset], [3, 1, 1])
  })

  test('4.1 GET /lancamentos: parameters narrow the list together', async () => {
    const match = { tipo: 'despesa', status: 'pago', centro_custo: 'Obra', data: '2026-05-05' }
    const own = await companyWith({
      match,
      otherKind: { ...match, tipo: 'receita' },
      otherStatus: { ...match, status: 'em_aberto' },
      otherPlace: { ...match, centro_custo: 'Matriz' },
      otherDay: { ...match, data: '2026-05-06' },
    })
    const { data, ...rest } = match
    assert.deepEqual(await found(own, { ...rest, data_de: data, data_ate: data }), ['match'])
  })

  test('4.1 GET /lancamentos: an unknown parameter is refused, with the accepted ones', async () => {
    const { status, body } = await caller.get('/lancamentos?centro_de_custo=Matriz')
    assert.equal(status, 400)
    assert.equal(body.code, 'invalid-query')
    assert.equal(body.errors[0].field, 'centro_de_custo')
    const accepted = ['tipo', 'status', 'data_de', 'data_ate', 'centro_custo', 'limit', 'offset']
    for (const name of accepted) assert.ok(body.detail.includes(name), name)
  })
})

describe('4.1 POST /lancamentos', () => {
  test('4.1 POST /lancamentos: create; responds 201', async () => {
    const { status, body } = await caller.post('/lancamentos', aLancamento)
    assert.equal(status, 201)
    const fetched = await caller.get(`/lancamentos/${body.item.id}`)
    assert.deepEqual(fetched.body, body)
  })

  test('4.1 POST /lancamentos: the body fields are all used when creating', async () => {
    const fields = { ...aLancamento, status: 'pago', tipo: 'despesa', data: '2026-01-02' }
    const { item } = (await caller.post('/lancamentos', fields)).body
    assert.deepEqual({ ...item, ...fields }, item)
  })

  test('4.1 POST /lancamentos: data, descricao, tipo and valor are required', async () => {
    const { status, body } = await caller.post('/lancamentos', {})
    assert.equal(status, 400)
    const fields = body.errors.map(({ field }: { field: string }) => field).sort()
    assert.deepEqual(fields, ['data', 'descricao', 'tipo', 'valor'])
    const { contraparte, status: state, ...required } = aLancamento
    assert.equal((await caller.post('/lancamentos', required)).status, 201)
  })

  test('4.1 POST /lancamentos: null for an optional field is the same as leaving it out', async () => {
    const names = ['contraparte', 'status', 'vencimento', 'data_pagamento', 'juros', 'desconto']
    const more = ['centro_custo', 'observacoes', 'parceiro_id', 'categoria_id', 'conta_bancaria_id']
    const { contraparte, status, ...required } = aLancamento
    const nulls = Object.fromEntries([...names, ...more].map((name) => [name, null]))
    const own = (item: object) => ({ ...item, id: '', criado_em: '', atualizado_em: '' })
    const withNulls = await caller.post('/lancamentos', { ...required, ...nulls })
    const without = await caller.post('/lancamentos', required)
    assert.deepEqual(own(withNulls.body.item), own(without.body.item))
  })
})

describe('4.1 GET /lancamentos/{id}', () => {
  test('4.1 GET /lancamentos/{id}: fetch one', async () => {
    const item = await createLancamento(caller)
    const { status, body } = await caller.get(`/lancamentos/${item.id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { item })
  })
})

describe('4.1 PATCH /lancamentos/{id}', () => {
  test('4.1 PATCH /lancamentos/{id}: update; what is not sent stays', async () => {
    const before = await createLancamento(caller, { centro_custo: 'Matriz' })
    const { status, body } = await caller.patch(`/lancamentos/${before.id}`, { valor: 0.07 })
    assert.equal(status, 200)
    const { atualizado_em } = body.item
    assert.deepEqual(body.item, { ...before, valor: 0.07, atualizado_em })
    assert.ok(atualizado_em >= before.atualizado_em)
    assert.deepEqual((await caller.get(`/lancamentos/${before.id}`)).body, body)
  })

  test('4.7 PATCH /lancamentos/{id}: every field of a creation can be changed', async () => {
    const { id } = await createLancamento(caller)
    const fields = {
      data: '2026-01-02',
      descricao: 'Aluguel',
      tipo: 'despesa',
      valor: 10,
      contraparte: 'Imobiliária',
      status: 'pago',
      centro_custo: 'Filial',
      vencimento: '2026-01-10',
      data_pagamento: '2026-01-09',
      juros: 1.5,
      desconto: 0.5,
      observacoes: 'Pago adiantado',
    }
    const { item } = (await caller.patch(`/lancamentos/${id}`, fields)).body
    assert.deepEqual({ ...item, ...fields }, item)
    assert.equal(item.valor_pago, 11)
  })

  test('4.7 PATCH /lancamentos/{id}: null clears a nullable field, and no other', async () => {
    const fields = { centro_custo: 'Matriz', observacoes: 'Nota' }
    const { id } = await createLancamento(caller, fields)
    const nulls = { contraparte: null, centro_custo: null, observacoes: null }
    const { item } = (await caller.patch(`/lancamentos/${id}`, nulls)).body
    assert.deepEqual({ ...item, ...nulls }, item)
    for (const field of ['data', 'descricao', 'tipo', 'valor', 'status', 'vencimento']) {
      const refused = await caller.patch(`/lancamentos/${id}`, { [field]: null })
      assert.equal(refused.status, 400, field)
      assert.equal(refused.body.errors[0].field, field)
    }
  })

  test('4.7 PATCH /lancamentos/{id}: an item can be fetched, edited and sent back', async () => {
    const { id } = await createLancamento(caller, { status: 'pago' })
    const { item } = (await caller.get(`/lancamentos/${id}`)).body
    const sent = { ...item, descricao: 'Editada' }
    const { status, body } = await caller.patch(`/lancamentos/${id}`, sent)
    assert.equal(status, 200)
    assert.deepEqual(body.item, { ...sent, atualizado_em: body.item.atualizado_em })
  })

  test('4.7 PATCH /lancamentos/{id}: a read-only field that differs is refused', async () => {
    const item = await createLancamento(caller)
    const differing = {
      id: UNKNOWN_ID,
      valor_pago: 1,
      criado_em: '2020-01-01T00:00:00.000Z',
      atualizado_em: '2020-01-01T00:00:00.000Z',
    }
    for (const [field, value] of Object.entries(differing)) {
      const { status, body } = await caller.patch(`/lancamentos/${item.id}`, { [field]: value })
      assert.equal(status, 400, field)
      assert.equal(body.errors[0].field, field)
    }
    assert.deepEqual((await caller.get(`/lancamentos/${item.id}`)).body.item, item)
  })

  test('4.7 PATCH /lancamentos/{id}: an empty one is refused', async () => {
    const { id } = await createLancamento(caller)
    for (const body of ['{}', '']) {
      const refused = await caller.call('PATCH', `/lancamentos/${id}`, { body })
      assert.equal(refused.status, 400, body)
      assert.equal(refused.body.code, 'invalid-body')
    }
  })

  test('4.7 PATCH /lancamentos/{id}: one that changes nothing is 200', async () => {
    const item = await createLancamento(caller)
    const { status, body } = await caller.patch(`/lancamentos/${item.id}`, { valor: item.valor })
    assert.equal(status, 200)
    assert.deepEqual(body.item, item)
  })

  test('4.7 PATCH /lancamentos/{id}: defaults are taken once', async () => {
    const { id, vencimento } = await createLancamento(caller)
    const { item } = (await caller.patch(`/lancamentos/${id}`, { data: '2026-12-31' })).body
    assert.equal(item.vencimento, vencimento)
  })
})

describe('4.1 DELETE /lancamentos/{id}', () => {
  test('4.1 DELETE /lancamentos/{id}: remove', async () => {
    const own = await service.caller()
    const { id } = await createLancamento(own)
    const kept = await createLancamento(own)
    await own.delete(`/lancamentos/${id}`)
    assert.equal((await own.get(`/lancamentos/${id}`)).status, 404)
    assert.deepEqual((await own.get('/lancamentos')).body.items, [kept])
  })

  test('4.7 DELETE /lancamentos/{id}: 200 with the resource as it last was', async () => {
    const { id } = await createLancamento(caller)
    const { item } = (await caller.patch(`/lancamentos/${id}`, { status: 'pago' })).body
    const { status, body } = await caller.delete(`/lancamentos/${id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { item })
    assert.equal((await caller.delete(`/lancamentos/${id}`)).status, 404)
  })
})

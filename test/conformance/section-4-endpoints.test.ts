import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addSubcategoria, createArea } from '../support/categoria.ts'
import { aLancamento, createLancamento, UNKNOWN_ID } from '../support/lancamento.ts'
import { CNPJ, CPF, createParceiro } from '../support/parceiro.ts'
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
function documentedScopes(collection: string): Record<string, string> {
  const own = service.contract.operations.filter(({ path }) => path.includes(`/${collection}`))
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
      ['GET', '/parceiros'],
      ['POST', '/parceiros'],
      ['GET', `/parceiros/${UNKNOWN_ID}`],
      ['PATCH', `/parceiros/${UNKNOWN_ID}`],
      ['DELETE', `/parceiros/${UNKNOWN_ID}`],
      ['GET', '/categorias'],
      ['POST', '/categorias'],
      ['GET', '/webhooks'],
      ['POST', '/webhooks'],
      ['DELETE', `/webhooks/${UNKNOWN_ID}`],
      ['GET', '/eventos'],
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
    assert.deepEqual(documentedScopes('lancamentos'), {
      'GET /api/v1/lancamentos': 'lancamentos:read',
      'POST /api/v1/lancamentos': 'lancamentos:write',
      'GET /api/v1/lancamentos/{id}': 'lancamentos:read',
      'PATCH /api/v1/lancamentos/{id}': 'lancamentos:write',
      'DELETE /api/v1/lancamentos/{id}': 'lancamentos:delete',
    })
  })

  test('4.2 the scope of each route', () => {
    assert.deepEqual(documentedScopes('parceiros'), {
      'GET /api/v1/parceiros': 'parceiros:read',
      'POST /api/v1/parceiros': 'parceiros:write',
      'GET /api/v1/parceiros/{id}': 'parceiros:read',
      'PATCH /api/v1/parceiros/{id}': 'parceiros:write',
      'DELETE /api/v1/parceiros/{id}': 'parceiros:delete',
    })
  })

  test('4.3 the scope of each route', () => {
    assert.deepEqual(documentedScopes('categorias'), {
      'GET /api/v1/categorias': 'categorias:read',
      'POST /api/v1/categorias': 'categorias:write',
    })
  })

  test('4.5 the scope of each route', () => {
    const scopes = documentedScopes('webhooks')
    assert.equal(scopes['GET /api/v1/webhooks'], 'webhooks:read')
    assert.equal(scopes['POST /api/v1/webhooks'], 'webhooks:write')
    assert.equal(scopes['DELETE /api/v1/webhooks/{id}'], 'webhooks:delete')
    assert.deepEqual(documentedScopes('eventos'), { 'GET /api/v1/eventos': 'webhooks:read' })
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

/** The names that a query finds, in the order of the list. */
async function namesIn(own: Caller, path: string): Promise<string[]> {
  const { status, body } = await own.get(path)
  assert.equal(status, 200, JSON.stringify(body))
  return body.items.map(({ nome }: { nome: string }) => nome)
}

describe('4.2 parceiros', () => {
  const EVERYTHING = {
    nome: 'Padaria Bom Dia Ltda',
    tipo: 'fornecedor',
    documento: CNPJ,
    email: 'contato@exemplo.com.br',
    telefone: '+55 11 91234-5678',
    ativo: false,
    observacoes: 'Entrega às terças',
  }

  async function partners(own: Caller, byName: Record<string, object>): Promise<void> {
    for (const [nome, fields] of Object.entries(byName)) {
      await createParceiro(own, { nome, ...fields })
    }
  }

  test('4.2 GET /parceiros: list, by name, then by id', async () => {
    const own = await service.caller()
    await partners(own, { Zeca: {}, bruno: {}, Álvaro: {}, Bia: {}, ana: {} })
    assert.deepEqual(await namesIn(own, '/parceiros'), ['Álvaro', 'ana', 'Bia', 'bruno', 'Zeca'])
    const same = await service.caller()
    const ids = [(await createParceiro(same)).id, (await createParceiro(same)).id]
    const { items } = (await same.get('/parceiros')).body
    assert.deepEqual(
      items.map(({ id }: { id: string }) => id),
      ids.toSorted(),
    )
  })

  test('4.2 GET /parceiros?tipo', async () => {
    const own = await service.caller()
    await partners(own, { a: { tipo: 'cliente' }, b: { tipo: 'fornecedor' }, c: { tipo: 'ambos' } })
    assert.deepEqual(await namesIn(own, '/parceiros?tipo=cliente'), ['a'])
    assert.deepEqual(await namesIn(own, '/parceiros?tipo=fornecedor'), ['b'])
    assert.deepEqual(await namesIn(own, '/parceiros?tipo=ambos'), ['c'])
    assert.equal((await own.get('/parceiros?tipo=outro')).status, 400)
  })

  test('4.2 GET /parceiros?ativo', async () => {
    const own = await service.caller()
    await partners(own, { a: {}, b: { ativo: false } })
    for (const yes of ['true', '1']) {
      assert.deepEqual(await namesIn(own, `/parceiros?ativo=${yes}`), ['a'])
    }
    for (const no of ['false', '0']) {
      assert.deepEqual(await namesIn(own, `/parceiros?ativo=${no}`), ['b'])
    }
    assert.equal((await own.get('/parceiros?ativo=maybe')).status, 400)
  })

  test('4.2 GET /parceiros?limit&offset', async () => {
    const own = await service.caller()
    await partners(own, { a: {}, b: {}, c: {} })
    const { items, total, limit, offset } = (await own.get('/parceiros?limit=1&offset=1')).body
    assert.deepEqual([items[0].nome, items.length], ['b', 1])
    assert.deepEqual([total, limit, offset], [3, 1, 1])
  })

  test('4.2 GET /parceiros: parameters narrow the list together', async () => {
    const own = await service.caller()
    await partners(own, { a: {}, b: { ativo: false }, c: { ativo: false, tipo: 'ambos' } })
    assert.deepEqual(await namesIn(own, '/parceiros?tipo=cliente&ativo=false'), ['b'])
  })

  test('4.2 GET /parceiros: an unknown parameter is refused, with the accepted ones', async () => {
    const { status, body } = await caller.get('/parceiros?nome=x')
    assert.equal(status, 400)
    assert.equal(body.errors[0].field, 'nome')
    for (const name of ['tipo', 'ativo', 'limit', 'offset']) assert.ok(body.detail.includes(name))
  })

  test('4.2 POST /parceiros: create; responds 201', async () => {
    const { status, body } = await caller.post('/parceiros', { nome: 'Maria', documento: CPF })
    assert.equal(status, 201)
    assert.deepEqual((await caller.get(`/parceiros/${body.item.id}`)).body, body)
  })

  test('4.7 POST /parceiros: the body fields are all used when creating', async () => {
    const item = await createParceiro(await service.caller(), EVERYTHING)
    assert.deepEqual({ ...item, ...EVERYTHING }, item)
  })

  test('4.2 GET /parceiros/{id}: fetch one', async () => {
    const item = await createParceiro(caller)
    const { status, body } = await caller.get(`/parceiros/${item.id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { item })
  })

  test('4.2 PATCH /parceiros/{id}: update; what is not sent stays', async () => {
    const before = await createParceiro(caller, { telefone: '123' })
    const { status, body } = await caller.patch(`/parceiros/${before.id}`, { nome: 'Outro' })
    assert.equal(status, 200)
    const { atualizado_em } = body.item
    assert.deepEqual(body.item, { ...before, nome: 'Outro', atualizado_em })
    assert.deepEqual((await caller.get(`/parceiros/${before.id}`)).body, body)
  })

  test('4.7 PATCH /parceiros/{id}: every field of a creation can be changed', async () => {
    const own = await service.caller()
    const { id } = await createParceiro(own)
    const { item } = (await own.patch(`/parceiros/${id}`, EVERYTHING)).body
    assert.deepEqual({ ...item, ...EVERYTHING }, item)
  })

  test('4.7 PATCH /parceiros/{id}: null clears a nullable field, and no other', async () => {
    const own = await service.caller()
    const { id } = await createParceiro(own, EVERYTHING)
    const nulls = { documento: null, email: null, telefone: null, observacoes: null }
    const { item } = (await own.patch(`/parceiros/${id}`, nulls)).body
    assert.deepEqual({ ...item, ...nulls }, item)
    for (const field of ['nome', 'tipo', 'ativo']) {
      const { status, body } = await own.patch(`/parceiros/${id}`, { [field]: null })
      assert.deepEqual([status, body.errors[0].field], [400, field])
    }
  })

  test('4.7 PATCH /parceiros/{id}: an item can be fetched, edited and sent back', async () => {
    const item = await createParceiro(caller)
    const { status, body } = await caller.patch(`/parceiros/${item.id}`, { ...item, nome: 'Outro' })
    assert.equal(status, 200)
    assert.equal(body.item.nome, 'Outro')
    const { status: refused } = await caller.patch(`/parceiros/${item.id}`, { id: UNKNOWN_ID })
    assert.equal(refused, 400)
  })

  test('4.7 PATCH /parceiros/{id}: an empty one is refused, one that changes nothing is 200', async () => {
    const item = await createParceiro(caller)
    assert.equal((await caller.patch(`/parceiros/${item.id}`, {})).status, 400)
    const { status, body } = await caller.patch(`/parceiros/${item.id}`, { nome: item.nome })
    assert.equal(status, 200)
    assert.deepEqual(body, { item })
  })

  test('4.2 DELETE /parceiros/{id}: remove', async () => {
    const own = await service.caller()
    const { id } = await createParceiro(own)
    const kept = await createParceiro(own)
    await own.delete(`/parceiros/${id}`)
    assert.equal((await own.get(`/parceiros/${id}`)).status, 404)
    assert.deepEqual((await own.get('/parceiros')).body.items, [kept])
  })

  test('4.7 DELETE /parceiros/{id}: 200 with the resource as it last was', async () => {
    const { id } = await createParceiro(caller)
    const { item } = (await caller.patch(`/parceiros/${id}`, { ativo: false })).body
    const { status, body } = await caller.delete(`/parceiros/${id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { item })
    assert.equal((await caller.delete(`/parceiros/${id}`)).status, 404)
  })
})

describe('4.3 categorias', () => {
  test('4.3 GET /categorias: list, each area followed by its subcategories, by name', async () => {
    const own = await service.caller()
    const tree = { Vendas: ['Varejo', 'atacado'], Água: [], administrativo: ['Zeladoria'] }
    for (const [nome, subcategorias] of Object.entries(tree)) {
      const { id } = await createArea(own, nome)
      for (const sub of subcategorias) await addSubcategoria(service, own.empresa, id, sub)
    }
    const names = ['administrativo', 'Zeladoria', 'Água', 'Vendas', 'atacado', 'Varejo']
    assert.deepEqual(await namesIn(own, '/categorias'), names)
    assert.deepEqual(await namesIn(own, '/categorias?limit=2&offset=3'), ['Vendas', 'atacado'])
  })

  test('4.3 POST /categorias: create a new area', async () => {
    const own = await service.caller()
    const { status, body } = await own.post('/categorias', { nome: 'Marketing' })
    assert.equal(status, 201)
    assert.equal(body.item.area_id, null)
    assert.deepEqual((await own.get('/categorias')).body.items, [body.item])
  })

  test('4.7 POST /categorias: area_id is null or left out', async () => {
    const area = await createArea(caller, 'Marketing')
    const sent = (area_id: unknown) => caller.post('/categorias', { nome: `${area_id}`, area_id })
    assert.equal((await sent(null)).status, 201)
    const { status, body } = await sent(area.id)
    assert.deepEqual([status, body.errors[0].field], [400, 'area_id'])
  })

  test('4.3 no other operation exists', async () => {
    const { id } = await createArea(caller, 'Vendas')
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await caller.call(method, '/categorias')
      assert.equal(answer.status, 405, method)
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST')
    }
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      assert.equal((await caller.call(method, `/categorias/${id}`)).status, 404, method)
    }
  })
})

describe('4.5 webhooks', () => {
  const A_WEBHOOK = { url: 'https://receiver.example/hook', events: ['lancamento.created'] }
  const made = async (own: Caller, fields: object = {}) => {
    const { status, body } = await own.post('/webhooks', { ...A_WEBHOOK, ...fields })
    assert.equal(status, 201, JSON.stringify(body))
    const { secret, ...item } = body.item
    return item
  }

  test("4.5 GET /webhooks: list the tenant's subscriptions", async () => {
    const [own, other] = [await service.caller(), await service.caller()]
    const items = [await made(own, { name: 'b' }), await made(own, { name: 'a' })]
    await made(other)
    assert.deepEqual((await own.get('/webhooks')).body, { items, total: 2, limit: 100, offset: 0 })
    const page = { items: [items[1]], total: 2, limit: 1, offset: 1 }
    assert.deepEqual((await own.get('/webhooks?limit=1&offset=1')).body, page)
  })

  test('4.5 POST /webhooks: subscribe; the response carries the secret once', async () => {
    const own = await service.caller()
    const { status, body } = await own.post('/webhooks', A_WEBHOOK)
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body).sort(), ['item', 'secret'])
    assert.match(body.secret, /^whsec_/)
    assert.equal(body.item.secret, body.secret)
    assert.equal((await own.get('/webhooks')).body.items[0].secret, undefined)
  })

  test('4.7 POST /webhooks: url and events are required, name is not', async () => {
    const { status, body } = await caller.post('/webhooks', {})
    assert.equal(status, 400)
    const fields = body.errors.map(({ field }: { field: string }) => field)
    assert.deepEqual(fields.sort(), ['events', 'url'])
    const own = await service.caller()
    assert.equal((await made(own, { name: 'ERP' })).name, 'ERP')
    assert.equal((await made(own, { name: null })).name, null)
  })

  test('4.5 DELETE /webhooks/{id}: remove a subscription', async () => {
    const own = await service.caller()
    const [item, kept] = [await made(own), await made(own)]
    const { status, body } = await own.delete(`/webhooks/${item.id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { item })
    assert.deepEqual((await own.get('/webhooks')).body.items, [kept])
    assert.equal((await own.delete(`/webhooks/${item.id}`)).status, 404)
  })

  test('4.5 no other operation exists', async () => {
    const item = await made(await service.caller())
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await caller.call(method, '/webhooks')
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD, POST'], method)
    }
    for (const method of ['GET', 'PUT']) {
      const { status, headers } = await caller.call(method, `/webhooks/${item.id}`)
      assert.deepEqual([status, headers.get('allow')], [405, 'DELETE, PATCH'], method)
    }
  })

  const REFUSED = {
    'the URL must use HTTPS': ['http://receiver.example/hook', 'ftp://receiver.example/', 'x'],
    'internal targets are refused: loopback': [
      'https://localhost/hook',
      'https://receiver.localhost/hook',
      'https://127.0.0.1/hook',
      'https://127.1/hook',
      'https://[::1]/hook',
      'https://[::ffff:127.0.0.1]/hook',
    ],
    'internal targets are refused: private IP ranges': [
      'https://10.0.0.1/hook',
      'https://172.16.0.1/hook',
      'https://192.168.255.255/hook',
      'https://[fd00::1]/hook',
    ],
    'internal targets are refused: cloud metadata addresses': [
      'https://169.254.169.254/latest/meta-data',
      'https://168.63.129.16/',
      'https://100.100.100.200/',
      'https://[fd00:ec2::254]/',
      'https://metadata.google.internal/',
    ],
    'internal targets are refused: names of an inner network': [
      'https://intranet/hook',
      'https://printer.local/hook',
      'https://receiver.localdomain/hook',
      'https://router.home.arpa/hook',
    ],
    'internal targets are refused: a name that leads to one': [
      'https://private.example/hook',
      'https://half-private.example/hook',
    ],
  }
  for (const [name, urls] of Object.entries(REFUSED)) {
    test(`4.5 ${name}: 400 webhook-url-refused`, async () => {
      // As in production: no address of this machine is let off.
      const strict = await startService({}, [])
      strict.dns['private.example'] = ['192.168.0.1']
      strict.dns['half-private.example'] = ['8.8.8.8', '10.0.0.1']
      const own = await strict.caller()
      for (const url of urls) {
        const { status, body } = await own.post('/webhooks', { ...A_WEBHOOK, url })
        assert.deepEqual([status, body.code], [400, 'webhook-url-refused'], url)
        assert.equal(body.errors[0].field, 'url')
        assert.ok(body.detail.includes(body.errors[0].message))
      }
      assert.equal((await own.get('/webhooks')).body.total, 0)
    })
  }

  test('4.5 the URL must be public: a public address, and a name that has one or none yet', async () => {
    const own = await service.caller()
    service.dns['public.example'] = ['8.8.8.8']
    for (const host of ['8.8.8.8', 'public.example:8443', 'not-yet.example']) {
      await made(own, { url: `https://${host}/hook` })
    }
  })

  test('4.5 at most 10 subscriptions per company: 409 webhook-limit-reached', async () => {
    const own = await service.caller()
    for (let n = 0; n < 10; n++) await made(own)
    const { status, body } = await own.post('/webhooks', A_WEBHOOK)
    assert.deepEqual([status, body.code], [409, 'webhook-limit-reached'])
    assert.equal((await own.get('/webhooks')).body.total, 10)
    await made(await service.caller())
  })

  test('4.5 the Integrações module must be active for the tenant: 403 module-required', async () => {
    const own = await service.caller({ modulos: ['cobrancas'] })
    const answers = [
      await own.get('/webhooks'),
      await own.post('/webhooks', A_WEBHOOK),
      await own.delete(`/webhooks/${UNKNOWN_ID}`),
      await own.get('/eventos'),
    ]
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.code], [403, 'module-required'])
    }
  })

  test('4.5 the Integrações module: no other route needs it', async () => {
    const own = await service.caller({ modulos: [] })
    for (const path of ['/lancamentos', '/parceiros', '/categorias', '/resumo']) {
      assert.equal((await own.get(path)).status, 200, path)
    }
  })
})

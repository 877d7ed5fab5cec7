import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createArea } from '../support/categoria.ts'
import { eventsOf } from '../support/events.ts'
import { aLancamento, createLancamento, UNKNOWN_ID } from '../support/lancamento.ts'
import { CPF, createParceiro } from '../support/parceiro.ts'
import { faultyFields } from '../support/refusal.ts'
import { type Answer, startService } from '../support/service.ts'

const service = await startService()
const caller = await service.caller()

/** Holds an answer against the shape that every error has. */
function assertError(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  assert.equal(answer.body.code, code)
  assert.equal(answer.body.error, code)
  assert.ok(answer.body.detail.length > 0)
  assert.equal(answer.body.request_id, answer.headers.get('x-request-id'))
}

describe('7 success', () => {
  test('7 200: success (GET, PATCH)', async () => {
    const { id } = await createLancamento(caller)
    assert.equal((await caller.get('/lancamentos')).status, 200)
    assert.equal((await caller.get(`/lancamentos/${id}`)).status, 200)
    assert.equal((await caller.patch(`/lancamentos/${id}`, { valor: 1 })).status, 200)
  })

  test('7 201: created (POST)', async () => {
    assert.equal((await caller.post('/lancamentos', aLancamento)).status, 201)
  })

  test('7 every response carries its own X-Request-Id', async () => {
    const answers = [
      await caller.get('/lancamentos'),
      await caller.post('/lancamentos', aLancamento),
      await caller.post('/lancamentos', {}),
      await service.call('GET', '/lancamentos'),
    ]
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    assert.ok(ids.every((id) => id))
    assert.equal(new Set(ids).size, ids.length)
  })
})

describe('7 400', () => {
  test('7 400: invalid body; validation detail is in field detail', async () => {
    const answer = await caller.post('/lancamentos', { ...aLancamento, valor: -1 })
    assertError(answer, 400, 'invalid-body')
    assert.match(answer.body.detail, /valor/)
  })

  test('7 400: detail names every faulty field, and errors says the same', async () => {
    const { descricao, ...rest } = aLancamento
    const answer = await caller.post('/lancamentos', { ...rest, valor: '10', data: 'x', foo: 1 })
    assertError(answer, 400, 'invalid-body')
    assert.deepEqual(faultyFields(answer), ['data', 'descricao', 'foo', 'valor'])
  })

  test('7 400: faults of the fields together are all named too', async () => {
    const faulty = { data_pagamento: '2026-06-22', desconto: 99999, parceiro_id: UNKNOWN_ID }
    const answer = await caller.post('/lancamentos', { ...aLancamento, ...faulty })
    assertError(answer, 400, 'invalid-body')
    assert.deepEqual(faultyFields(answer), ['data_pagamento', 'desconto', 'parceiro_id'])
  })

  test('7 400: the allowed values of an enumeration are named', async () => {
    const answer = await caller.post('/lancamentos', { ...aLancamento, tipo: 'x', status: 'y' })
    assertError(answer, 400, 'invalid-body')
    const values = ['receita', 'despesa', 'transferencia', 'em_aberto', 'pago', 'cancelado']
    for (const value of values) assert.ok(answer.body.detail.includes(value), value)
  })

  test('7 400: an unknown field is refused, with the accepted names', async () => {
    const { id } = await createLancamento(caller)
    const answers = [
      await caller.post('/lancamentos', { ...aLancamento, centroCusto: 'Matriz' }),
      await caller.patch(`/lancamentos/${id}`, { centroCusto: 'Matriz' }),
    ]
    for (const answer of answers) {
      assertError(answer, 400, 'invalid-body')
      assert.deepEqual(faultyFields(answer), ['centroCusto'])
      assert.match(answer.body.detail, /\bcentro_custo\b/)
    }
  })

  test('7 400: an unknown query parameter is refused on every route', async () => {
    const { id } = await createLancamento(caller)
    const answers = [
      await caller.get('/lancamentos?foo=1'),
      await caller.post('/lancamentos?foo=1', aLancamento),
      await caller.get(`/lancamentos/${id}?foo=1`),
      await caller.patch(`/lancamentos/${id}?foo=1`, { valor: 1 }),
      await caller.delete(`/lancamentos/${id}?foo=1`),
    ]
    for (const answer of answers) {
      assertError(answer, 400, 'invalid-query')
      assert.deepEqual(faultyFields(answer), ['foo'])
    }
  })

  test('7 400: malformed JSON', async () => {
    for (const body of ['{', 'nonsense', '{"valor": 1,}', "{'valor': 1}"]) {
      assertError(await caller.post('/lancamentos', body), 400, 'invalid-json')
    }
  })

  test('7 400: JSON that is no object, or no body at all', async () => {
    for (const body of ['[]', 'null', '1', '"x"', '']) {
      assertError(await caller.post('/lancamentos', body), 400, 'invalid-body')
    }
  })
})

describe('7 401', () => {
  test('7 401: key missing', async () => {
    assertError(await service.call('GET', '/lancamentos'), 401, 'missing-api-key')
  })

  test('7 401: key invalid', async () => {
    const headers = { 'x-api-key': 'nonsense' }
    assertError(await service.call('GET', '/lancamentos', { headers }), 401, 'invalid-api-key')
  })

  test('7 401: code expired-api-key for an expired key', async () => {
    const expired = await service.caller({ expiresAt: '2020-01-01T00:00:00Z' })
    assertError(await expired.get('/lancamentos'), 401, 'expired-api-key')
  })

  test('7 401: before anything else is judged', async () => {
    for (const [method, path] of [
      ['GET', '/lancamentos?foo=1'],
      ['POST', '/lancamentos'],
      ['GET', '/nowhere'],
      ['PUT', '/lancamentos'],
    ] as const) {
      assertError(await service.call(method, path), 401, 'missing-api-key')
    }
  })
})

describe('7 403', () => {
  test('7 403: insufficient scope; code insufficient-scope naming the missing scope', async () => {
    const reader = await service.caller({ scopes: ['lancamentos:read'] })
    const answer = await reader.delete(`/lancamentos/${UNKNOWN_ID}`)
    assertError(answer, 403, 'insufficient-scope')
    assert.equal(answer.body.scope, 'lancamentos:delete')
    assert.match(answer.body.detail, /lancamentos:delete/)
  })

  test('7 403: before the body, the query and the resource are judged', async () => {
    const reader = await service.caller({ scopes: ['lancamentos:read'] })
    const path = `/lancamentos/${UNKNOWN_ID}`
    assertError(await reader.post('/lancamentos', '{'), 403, 'insufficient-scope')
    assertError(await reader.patch(`${path}?foo=1`, {}), 403, 'insufficient-scope')
  })
})

describe('7 404', () => {
  test("7 404: resource does not exist in the key's tenant", async () => {
    const ofAnother = await createLancamento(await service.caller())
    for (const id of [UNKNOWN_ID, ofAnother.id, 'x', '1', `${ofAnother.id}0`, '%00', '%zz']) {
      const path = `/lancamentos/${id}`
      assertError(await caller.get(path), 404, 'not-found')
      assertError(await caller.patch(path, { valor: 1 }), 404, 'not-found')
      assertError(await caller.delete(path), 404, 'not-found')
    }
  })

  test('7 404: an entry of another tenant is told apart from none by nothing', async () => {
    const ofAnother = await createLancamento(await service.caller())
    const [there, nowhere] = [
      await caller.get(`/lancamentos/${ofAnother.id}`),
      await caller.get(`/lancamentos/${UNKNOWN_ID}`),
    ]
    assert.deepEqual({ ...there.body, request_id: '' }, { ...nowhere.body, request_id: '' })
  })

  test('7 404: only after the body is judged', async () => {
    const answer = await caller.patch(`/lancamentos/${UNKNOWN_ID}`, { valor: -1 })
    assertError(answer, 400, 'invalid-body')
  })

  test('7 404: an unknown path', async () => {
    assertError(await caller.get('/nowhere'), 404, 'not-found')
    assertError(await caller.get(`/lancamentos/${UNKNOWN_ID}/x`), 404, 'not-found')
  })
})

describe('7 409', () => {
  test('7 409: conflict, a duplicate name', async () => {
    const own = await service.caller()
    await createArea(own, 'Marketing')
    assertError(await own.post('/categorias', { nome: 'MARKETING' }), 409, 'duplicate-name')
    assert.equal((await own.get('/categorias')).body.total, 1)
  })

  test('7 409: conflict, a duplicate document', async () => {
    const own = await service.caller()
    await createParceiro(own, { documento: CPF })
    const other = await createParceiro(own)
    const documento = '529.982.247-25'
    const answers = [
      await own.post('/parceiros', { nome: 'x', documento }),
      await own.patch(`/parceiros/${other.id}`, { documento }),
    ]
    for (const answer of answers) assertError(answer, 409, 'duplicate-documento')
    assert.deepEqual((await own.get(`/parceiros/${other.id}`)).body.item, other)
  })

  test('7 409: conflict, a partner in use', async () => {
    const own = await service.caller()
    const item = await createParceiro(own)
    await createLancamento(own, { parceiro_id: item.id })
    assertError(await own.delete(`/parceiros/${item.id}`), 409, 'parceiro-in-use')
    assert.deepEqual((await own.get(`/parceiros/${item.id}`)).body.item, item)
  })

  test('7 409: only after the body is judged, and it leaves no event', async () => {
    const own = await service.caller()
    await createArea(own, 'Marketing')
    const faulty = { nome: 'Marketing', area_id: 'x' }
    assertError(await own.post('/categorias', faulty), 400, 'invalid-body')
    assertError(await own.post('/categorias', { nome: 'Marketing' }), 409, 'duplicate-name')
    assert.equal((await eventsOf(service, own.empresa)).length, 1)
  })
})

describe('7 405, 413, 415', () => {
  test('7 405: a method that the path does not take, with Allow', async () => {
    const answer = await caller.call('PUT', '/lancamentos')
    assertError(answer, 405, 'method-not-allowed')
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST')
    const one = await caller.call('POST', `/lancamentos/${UNKNOWN_ID}`)
    assertError(one, 405, 'method-not-allowed')
    assert.equal(one.headers.get('allow'), 'DELETE, GET, HEAD, PATCH')
  })

  test('7 413: a body above 1 MiB', async () => {
    const body = JSON.stringify({ ...aLancamento, descricao: 'x'.repeat(1024 * 1024) })
    assertError(await caller.post('/lancamentos', body), 413, 'payload-too-large')
  })

  test('7 415: a body of another content type', async () => {
    const headers = { 'content-type': 'text/plain' }
    const answer = await caller.call('POST', '/lancamentos', { body: 'x', headers })
    assertError(answer, 415, 'unsupported-media-type')
  })
})

describe('7 429 and 500', () => {
  test('7 429: rate limit exceeded; header Retry-After present', async () => {
    const limited = await (await startService({ RATE_LIMIT_PER_MINUTE: '60' })).caller()
    await Promise.all(Array.from({ length: 60 }, () => limited.get('/lancamentos')))
    const answer = await limited.get('/lancamentos')
    assertError(answer, 429, 'rate-limited')
    assert.match(answer.headers.get('retry-after')!, /^[1-9]\d*$/)
  })

  test('7 500: internal error, which says nothing of the inside', async () => {
    const broken = await startService()
    const own = await broken.caller()
    await broken.pool.query('alter table lancamentos rename to canary')
    const answers = [
      await own.get('/lancamentos'),
      await own.post('/lancamentos', { ...aLancamento, descricao: 'canary' }),
    ]
    for (const answer of answers) {
      assertError(answer, 500, 'internal-error')
      assert.doesNotMatch(JSON.stringify(answer.body), /canary|lancamentos|relation|select|insert/i)
    }
  })
})

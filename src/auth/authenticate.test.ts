import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startService, type TestService } from '../../test/support/service.ts'
import { createChave, listChaves, revokeChave } from '../chaves/chaves.ts'
import { makeKey } from './api-key.ts'

const service = await startService({ TRUST_PROXY: '127.0.0.1' })
const PATH = '/lancamentos'

const get = (headers: Record<string, string>, path = PATH) => service.call('GET', path, { headers })

async function lastKeyId(empresa: string): Promise<string> {
  return (await listChaves(service.db, empresa)).at(-1)!.id
}

describe('the key', () => {
  test('goes in Authorization, scheme in any case, or in x-api-key', async () => {
    const { key } = await service.caller()
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: `bearer ${key}` },
      { authorization: `BEARER   ${key}` },
      { 'x-api-key': key },
      { 'x-api-key': key, authorization: 'Basic dXNlcjpwYXNz' },
    ]) {
      assert.equal((await get(headers)).status, 200, JSON.stringify(Object.keys(headers)))
    }
  })

  test('of Authorization wins over the one of x-api-key', async () => {
    const { key } = await service.caller()
    const wrong = makeKey()
    const good = await get({ authorization: `Bearer ${key}`, 'x-api-key': wrong })
    assert.equal(good.status, 200)
    const bad = await get({ authorization: `Bearer ${wrong}`, 'x-api-key': key })
    assert.equal(bad.body.code, 'invalid-api-key')
  })

  test('missing: 401 missing-api-key', async () => {
    for (const headers of [
      {},
      { authorization: 'Basic dXNlcjpwYXNz' },
      { authorization: 'Bearer' },
    ]) {
      const { status, body, headers: sent } = await get(headers as Record<string, string>)
      assert.equal(status, 401)
      assert.equal(body.code, 'missing-api-key')
      assert.equal(sent.get('www-authenticate'), 'Bearer')
      assert.equal(sent.get('ratelimit-limit'), null)
    }
  })

  test('that cannot be one, is mistyped or is unknown: 401 invalid-api-key', async () => {
    const { key } = await service.caller()
    const mistyped = key.slice(0, 12) + (key[12] === 'a' ? 'b' : 'a') + key.slice(13)
    for (const text of ['x', 'svc_live_', mistyped, makeKey(), `${key}, ${key}`, key.slice(9)]) {
      const { status, body } = await get({ authorization: `Bearer ${text}` })
      assert.equal(status, 401, text)
      assert.equal(body.code, 'invalid-api-key')
    }
  })

  test('revoked: 401 revoked-api-key within a moment, though it was just used', async () => {
    const caller = await service.caller()
    assert.equal((await caller.get(PATH)).status, 200)
    await revokeChave(service.db, await lastKeyId(caller.empresa))
    let answer = await caller.get(PATH)
    for (let n = 0; n < 100 && answer.status === 200; n++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      answer = await caller.get(PATH)
    }
    assert.equal(answer.status, 401)
    assert.equal(answer.body.code, 'revoked-api-key')
  })

  test('expired: 401 expired-api-key, from the instant on', async () => {
    const caller = await service.caller({ expiresAt: '2026-12-31T12:00:00Z' })
    service.clock.now = () => Date.parse('2026-12-31T11:59:59.999Z')
    assert.equal((await caller.get(PATH)).status, 200)
    service.clock.now = () => Date.parse('2026-12-31T12:00:00Z')
    const { status, body } = await caller.get(PATH)
    service.clock.now = Date.now
    assert.equal(status, 401)
    assert.equal(body.code, 'expired-api-key')
  })

  test('valid to a day is valid to its end in the company, not in UTC', async () => {
    for (const [fusoHorario, end] of [
      ['America/Sao_Paulo', '2027-01-01T03:00:00Z'],
      ['America/Manaus', '2027-01-01T04:00:00Z'],
    ] as const) {
      const caller = await service.caller({ expiresAt: '2026-12-31', fusoHorario })
      service.clock.now = () => Date.parse(end) - 1
      assert.equal((await caller.get(PATH)).status, 200)
      service.clock.now = () => Date.parse(end)
      assert.equal((await caller.get(PATH)).body.code, 'expired-api-key')
    }
    service.clock.now = Date.now
  })

  test('is kept as a hash alone', async () => {
    const { key, empresa } = await service.caller()
    const rows = await service.db.reader(empresa).query('select c::text from chaves c')
    assert.equal(rows.length, 1)
    assert.ok(!JSON.stringify(rows).includes(key.slice(9, 30)))
  })

  test('comes before everything else: no address and no method is told without it', async () => {
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['PUT', PATH],
      ['POST', PATH],
      ['GET', '/%zz'],
    ] as const) {
      const { status } = await service.call(method, path)
      assert.equal(status, 401, `${method} ${path}`)
    }
    const caller = await service.caller()
    assert.equal((await caller.get('/nowhere')).status, 404)
    assert.equal((await caller.get('')).status, 404)
    const put = await caller.call('PUT', PATH, { body: '{broken' })
    assert.equal(put.status, 405)
    assert.equal(put.headers.get('allow'), 'GET, HEAD, POST')
  })
})

describe('the scope', () => {
  test('that is missing is named: 403 insufficient-scope', async () => {
    const caller = await service.caller({ scopes: ['parceiros:delete', 'lancamentos:read'] })
    assert.equal((await caller.get(PATH)).status, 200)
    const { status, body } = await caller.post(PATH, {})
    assert.equal(status, 403)
    assert.equal(body.error, 'insufficient-scope')
    assert.equal(body.code, 'insufficient-scope')
    assert.equal(body.scope, 'lancamentos:write')
    assert.match(body.detail, /lancamentos:write/)
  })

  test('of legacy keys: write also deletes, read only reads', async () => {
    const writer = await service.caller({ scopes: ['write'] })
    const reader = await service.caller({ scopes: ['read'] })
    const nowhere = `${PATH}/${crypto.randomUUID()}`
    assert.equal((await writer.delete(nowhere)).status, 404)
    assert.equal((await reader.get(nowhere)).status, 404)
    assert.equal((await reader.delete(nowhere)).status, 403)
  })

  test('cannot be one that does not exist', async () => {
    const { empresa } = await service.caller()
    for (const scopes of [['lancamentos:admin'], ['*'], []]) {
      await assert.rejects(createChave(service.db, { empresa, scopes }), /scope/)
    }
  })
})

describe('the rate', () => {
  let limited: TestService
  const start = async () => {
    limited ??= await startService({ RATE_LIMIT_PER_MINUTE: '60' })
    return limited
  }

  test('is 60 a minute for each key; refused calls count; the 61st is 429', async () => {
    const { caller: makeCaller } = await start()
    const caller = await makeCaller({ scopes: ['lancamentos:read'] })
    for (let n = 1; n <= 60; n++) {
      const path = ['', '/nowhere', '?unknown=1', `/${crypto.randomUUID()}`][n % 4]
      const answer = await caller.call(n % 5 === 0 ? 'POST' : 'GET', `${PATH}${path}`)
      assert.notEqual(answer.status, 429)
      assert.equal(answer.headers.get('ratelimit-limit'), '60')
      assert.equal(answer.headers.get('ratelimit-remaining'), String(60 - n))
      assert.match(answer.headers.get('ratelimit-reset')!, /^([1-9]|[1-5]\d|60)$/)
    }
    // 429 comes before 403 and 404: the order of the checks.
    for (const answer of [await caller.get(PATH), await caller.delete(`${PATH}/x`)]) {
      assert.equal(answer.status, 429)
      assert.equal(answer.body.code, 'rate-limited')
      assert.equal(answer.headers.get('ratelimit-remaining'), '0')
      assert.match(answer.headers.get('retry-after')!, /^([1-9]|[1-5]\d|60)$/)
    }
    const second = await makeCaller({ empresa: caller.empresa })
    assert.equal((await second.get(PATH)).status, 200)
  })

  test('of failed authentications is 300 a minute for each address, and never touches a valid key', async () => {
    const caller = await service.caller()
    const from = (address: string) => ({ 'x-forwarded-for': address })
    for (let n = 1; n <= 300; n++) {
      const headers = { ...from('203.0.113.1'), ...(n % 2 && { 'x-api-key': makeKey() }) }
      assert.equal((await get(headers)).status, 401)
    }
    const over = await get(from('203.0.113.1'))
    assert.equal(over.status, 429)
    assert.equal(over.body.code, 'rate-limited')
    assert.match(over.headers.get('retry-after')!, /^[1-9]\d?$/)
    assert.equal((await get(from('203.0.113.2'))).status, 401)
    const headers = { ...from('203.0.113.1'), 'x-api-key': caller.key }
    assert.equal((await get(headers)).status, 200)
  })
})

test('no key and no document is in any log line, at any level', async () => {
  const caller = await service.caller({ scopes: ['lancamentos:write'] })
  const canary = makeKey()
  const document = '52998224725'
  service.log.length = 0
  await caller.get(PATH)
  await get({ authorization: `Bearer ${canary}` })
  await get({ 'x-api-key': `${canary}x` })
  await caller.get(`${PATH}/${canary}`)
  await caller.get(`${PATH}?centro_custo=${document}&x=${canary}`)
  await caller.post(PATH, { descricao: document, contraparte: canary })
  await caller.post(PATH, `{"descricao": "${document}`)
  // A failure inside must not quote the values of its statement either.
  await service.pool.query('alter table lancamentos add constraint t check (descricao = $$x$$)')
  const failed = await caller.post(PATH, {
    data: '2026-01-01',
    descricao: document,
    tipo: 'receita',
    valor: 1,
    contraparte: canary,
  })
  await service.pool.query('alter table lancamentos drop constraint t')
  assert.equal(failed.status, 500)
  assert.doesNotMatch(JSON.stringify(failed.body), /constraint|lancamentos/)
  const log = service.log.join('')
  assert.match(log, /"constraint":"t"/)
  for (const secret of [caller.key, canary, document]) assert.ok(!log.includes(secret))
})

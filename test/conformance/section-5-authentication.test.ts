import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LEGACY_SCOPES, PRESETS, SCOPES } from '../../src/auth/scopes.ts'
import { createChave, revokeChave } from '../../src/chaves/chaves.ts'
import { aLancamento, createLancamento } from '../support/lancamento.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const caller = await service.caller()

const listWith = (headers: Record<string, string>) =>
  service.call('GET', '/lancamentos', { headers })

/** How to make one of each resource, what can be done to it, and a body that a PATCH of it takes. */
const RESOURCES = {
  lancamentos: {
    body: () => aLancamento,
    patch: { valor: 1 },
    ofOne: ['find', 'PATCH', 'DELETE'],
  },
  parceiros: {
    body: () => ({ nome: 'Parceiro' }),
    patch: { nome: 'Outro' },
    ofOne: ['find', 'PATCH', 'DELETE'],
  },
  categorias: {
    body: () => ({ nome: `Área ${crypto.randomUUID()}` }),
    patch: undefined,
    ofOne: [],
  },
  webhooks: {
    body: () => ({ url: 'https://receiver.example/hook', events: ['lancamento.created'] }),
    patch: undefined,
    ofOne: ['DELETE'],
  },
}

/** Which calls a key with these scopes may make; each refusal must name what is missing. */
async function reach(
  scopes: string[],
  resource: keyof typeof RESOURCES = 'lancamentos',
): Promise<string[]> {
  const { body, patch, ofOne } = RESOURCES[resource]
  const owner = await service.caller()
  const limited = await service.caller({ empresa: owner.empresa, scopes })
  const created = await owner.post(`/${resource}`, body())
  assert.equal(created.status, 201)
  const one = `/${resource}/${created.body.item.id}`
  const calls = [
    { name: 'list', method: 'GET', path: `/${resource}`, action: 'read' },
    { name: 'POST', method: 'POST', path: `/${resource}`, action: 'write', body: body() },
    ...[
      { name: 'find', method: 'GET', path: one, action: 'read' },
      { name: 'PATCH', method: 'PATCH', path: one, action: 'write', body: patch },
      { name: 'DELETE', method: 'DELETE', path: one, action: 'delete' },
    ].filter(({ name }) => (ofOne as string[]).includes(name)),
  ]
  const allowed: string[] = []
  for (const { name, method, path, action, body } of calls) {
    const answer = await limited.call(method, path, { body })
    if (answer.status < 300) {
      allowed.push(name)
      continue
    }
    assert.equal(answer.status, 403, name)
    assert.equal(answer.body.code, 'insufficient-scope')
    assert.equal(answer.body.scope, `${resource}:${action}`)
  }
  return allowed
}

describe('5.1 the key on every call', () => {
  test('5.1 in the header Authorization: Bearer <API_KEY>', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const { status } = await listWith({ authorization: `${scheme} ${caller.key}` })
      assert.equal(status, 200, scheme)
    }
  })

  test('5.1 or in the header x-api-key: <API_KEY>', async () => {
    assert.equal((await listWith({ 'x-api-key': caller.key })).status, 200)
  })

  test('5.1 Bearer wins where both are sent', async () => {
    const other = await service.caller()
    const item = await createLancamento(other)
    const headers = { authorization: `Bearer ${other.key}`, 'x-api-key': caller.key }
    assert.deepEqual((await listWith(headers)).body.items, [item])
    const invalid = { authorization: 'Bearer nonsense', 'x-api-key': caller.key }
    assert.equal((await listWith(invalid)).body.code, 'invalid-api-key')
  })

  test('5.1 another scheme of Authorization is ignored where x-api-key is there', async () => {
    const authorization = `Basic ${btoa('user:password')}`
    assert.equal((await listWith({ authorization, 'x-api-key': caller.key })).status, 200)
    assert.equal((await listWith({ authorization })).body.code, 'missing-api-key')
  })
})

describe('5.2 one key, one tenant', () => {
  test('5.2 key format: svc_live_ + 32 characters', () => {
    assert.match(caller.key, /^svc_live_[0-9A-Za-z]{32}$/)
  })

  test('5.2 the list is filtered to the tenant of the key', async () => {
    const [one, other] = [await service.caller(), await service.caller()]
    const ofOne = await createLancamento(one)
    const ofOther = await createLancamento(other)
    assert.deepEqual((await one.get('/lancamentos')).body.items, [ofOne])
    assert.equal((await one.get('/lancamentos')).body.total, 1)
    assert.deepEqual((await other.get('/lancamentos')).body.items, [ofOther])
  })

  test('5.2 an entry of another tenant is neither read, changed nor removed', async () => {
    const other = await service.caller()
    const item = await createLancamento(other)
    const path = `/lancamentos/${item.id}`
    assert.equal((await caller.get(path)).status, 404)
    assert.equal((await caller.patch(path, { valor: 1 })).status, 404)
    assert.equal((await caller.delete(path)).status, 404)
    assert.deepEqual((await other.get(path)).body.item, item)
  })

  test('5.2 keys of one tenant see the same data', async () => {
    const item = await createLancamento(caller)
    const sibling = await service.caller({ empresa: caller.empresa })
    assert.deepEqual((await sibling.get(`/lancamentos/${item.id}`)).body.item, item)
  })
})

describe('5.3 refused keys', () => {
  test('5.3 missing key: 401', async () => {
    for (const headers of [{}, { authorization: '' }, { 'x-api-key': '' }]) {
      const { status, body, headers: answered } = await listWith(headers)
      assert.equal(status, 401)
      assert.equal(body.code, 'missing-api-key')
      assert.equal(answered.get('www-authenticate'), 'Bearer')
    }
  })

  test('5.3 invalid key: 401', async () => {
    const mistyped = caller.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    // Well formed, and of a company that is not in this database.
    const stranger = await (await startService()).caller()
    for (const key of ['nonsense', 'svc_live_', mistyped, `${caller.key}x`, stranger.key]) {
      const { status, body, headers } = await listWith({ authorization: `Bearer ${key}` })
      assert.equal(status, 401, key)
      assert.equal(body.code, 'invalid-api-key')
      assert.equal(headers.get('www-authenticate'), 'Bearer')
    }
  })

  test('5.3 revoked key: 401', async () => {
    const { id, key } = await createChave(service.db, { empresa: caller.empresa, scopes: SCOPES })
    await revokeChave(service.db, id)
    const { status, body, headers } = await listWith({ 'x-api-key': key })
    assert.equal(status, 401)
    assert.equal(body.code, 'revoked-api-key')
    assert.equal(headers.get('www-authenticate'), 'Bearer')
  })

  test('5.3 expired key: 401 with code expired-api-key', async () => {
    const expired = await service.caller({ expiresAt: '2020-01-01' })
    const { status, body, headers } = await expired.get('/lancamentos')
    assert.equal(status, 401)
    assert.equal(body.code, 'expired-api-key')
    assert.equal(headers.get('www-authenticate'), 'Bearer')
  })
})

describe('5.4 missing scope', () => {
  test('5.4 403 with code insufficient-scope; the response names the missing scope', async () => {
    const reader = await service.caller({ scopes: ['lancamentos:read'] })
    const { status, body } = await reader.post('/lancamentos', aLancamento)
    assert.equal(status, 403)
    assert.equal(body.code, 'insufficient-scope')
    assert.equal(body.scope, 'lancamentos:write')
    assert.match(body.detail, /lancamentos:write/)
  })
})

describe('5.5 creation of keys', () => {
  test('5.5 scopes and an optional validity date are chosen at creation', async () => {
    const options = { scopes: ['lancamentos:read'], expiresAt: '2099-12-31' }
    const chosen = await service.caller(options)
    assert.equal((await chosen.get('/lancamentos')).status, 200)
    assert.equal((await chosen.post('/lancamentos', aLancamento)).status, 403)
  })

  test('5.5 a scope that does not exist cannot be chosen', async () => {
    for (const scope of ['lancamentos:admin', 'lancamentos', 'resumo:read', '']) {
      await assert.rejects(service.caller({ scopes: [scope] }), /Unknown scope/)
    }
  })
})

describe('5 scopes', () => {
  const ALL = ['list', 'POST', 'find', 'PATCH', 'DELETE']

  test('5 lancamentos:read authorizes GET', async () => {
    assert.deepEqual(await reach(['lancamentos:read']), ['list', 'find'])
  })

  test('5 lancamentos:write authorizes POST and PATCH, and includes read', async () => {
    assert.deepEqual(await reach(['lancamentos:write']), ['list', 'POST', 'find', 'PATCH'])
  })

  test('5 lancamentos:delete authorizes DELETE, and includes write and read', async () => {
    assert.deepEqual(await reach(['lancamentos:delete']), ALL)
  })

  test('5 the hierarchy is within one resource: other scopes open no lançamento', async () => {
    const others = SCOPES.filter((scope) => !scope.startsWith('lancamentos:'))
    assert.equal(others.length, 10)
    assert.deepEqual(await reach(others), [])
  })

  test('5 legacy read keeps its reach: GET', async () => {
    assert.deepEqual(await reach(['read']), ['list', 'find'])
  })

  test('5 legacy write keeps its reach, and also authorizes DELETE', async () => {
    assert.deepEqual(await reach(['write']), ALL)
  })

  test('5 parceiros:read authorizes GET', async () => {
    assert.deepEqual(await reach(['parceiros:read'], 'parceiros'), ['list', 'find'])
  })

  test('5 parceiros:write authorizes POST and PATCH, and includes read', async () => {
    const allowed = await reach(['parceiros:write'], 'parceiros')
    assert.deepEqual(allowed, ['list', 'POST', 'find', 'PATCH'])
  })

  test('5 parceiros:delete authorizes DELETE, and includes write and read', async () => {
    assert.deepEqual(await reach(['parceiros:delete'], 'parceiros'), ALL)
  })

  test('5 categorias:read authorizes GET', async () => {
    assert.deepEqual(await reach(['categorias:read'], 'categorias'), ['list'])
  })

  test('5 categorias:write authorizes POST, and includes read', async () => {
    assert.deepEqual(await reach(['categorias:write'], 'categorias'), ['list', 'POST'])
  })

  test('5 webhooks:read authorizes GET', async () => {
    assert.deepEqual(await reach(['webhooks:read'], 'webhooks'), ['list'])
  })

  test('5 webhooks:write authorizes POST, and includes read', async () => {
    assert.deepEqual(await reach(['webhooks:write'], 'webhooks'), ['list', 'POST'])
  })

  test('5 webhooks:delete authorizes DELETE, and includes write and read', async () => {
    assert.deepEqual(await reach(['webhooks:delete'], 'webhooks'), ['list', 'POST', 'DELETE'])
  })

  for (const word of LEGACY_SCOPES) {
    test(`5 webhook scopes are not part of the legacy scope ${word}`, async () => {
      assert.deepEqual(await reach([word], 'webhooks'), [])
    })
  }

  for (const [preset, scopes] of Object.entries(PRESETS)) {
    test(`5 webhook scopes are not part of the preset ${preset}`, async () => {
      assert.deepEqual(await reach(scopes, 'webhooks'), [])
    })

    test(`5 webhook scopes are on a key of the preset ${preset} when explicitly ticked`, async () => {
      assert.deepEqual(await reach([...scopes, 'webhooks:read'], 'webhooks'), ['list'])
    })
  }

  for (const resource of ['parceiros', 'categorias', 'webhooks'] as const) {
    test(`5 the hierarchy is within one resource: other scopes open no ${resource}`, async () => {
      const others = SCOPES.filter((scope) => !scope.startsWith(`${resource}:`))
      assert.deepEqual(await reach(others, resource), [])
    })
  }

  test('5 legacy read and write reach parceiros and categorias too', async () => {
    assert.deepEqual(await reach(['read'], 'parceiros'), ['list', 'find'])
    assert.deepEqual(await reach(['write'], 'parceiros'), ALL)
    assert.deepEqual(await reach(['read'], 'categorias'), ['list'])
    assert.deepEqual(await reach(['write'], 'categorias'), ['list', 'POST'])
  })

  test('5 several scopes give together what each gives', async () => {
    const scopes = ['webhooks:delete', 'lancamentos:read', 'parceiros:write']
    assert.deepEqual(await reach(scopes), ['list', 'find'])
  })
})

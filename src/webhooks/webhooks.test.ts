import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deliveriesOf } from '../../test/support/delivery.ts'
import { eventsOf } from '../../test/support/events.ts'
import { createLancamento, UNKNOWN_ID } from '../../test/support/lancamento.ts'
import { refusalsOf } from '../../test/support/refusal.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import type { Webhook } from './schema.ts'

const service = await startService()

const URL_OF_RECEIVER = 'https://receiver.example/hook'
const A_WEBHOOK = { url: URL_OF_RECEIVER, events: ['lancamento.created'] }
/** The specification's table, in its order. */
const KINDS = [
  'lancamento.created',
  'lancamento.updated',
  'lancamento.deleted',
  'lancamento.paid',
  'lancamento.unpaid',
  'parceiro.created',
  'parceiro.updated',
  'parceiro.deleted',
  'categoria.created',
  'categoria.updated',
  'categoria.deleted',
  'conta_bancaria.created',
  'conta_bancaria.updated',
  'conta_bancaria.deleted',
  'nfse.emitida',
  'nfse.cancelada',
  'cobranca.criada',
  'cobranca.paga',
  'cobranca.cancelada',
  'orcamento.criado',
  'orcamento.atualizado',
  'anexo.adicionado',
]

async function create(caller: Caller, fields: object = {}) {
  const { status, body } = await caller.post('/webhooks', { ...A_WEBHOOK, ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  const { secret, ...item } = body.item as Webhook & { secret: string }
  return { item, secret }
}

async function list(caller: Caller, query = '') {
  const { status, body } = await caller.get(`/webhooks${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { items: Webhook[]; total: number; limit: number; offset: number }
}

describe('creating', () => {
  test('the answer shows the subscription, and its secret inside it and beside it', async () => {
    const caller = await service.caller()
    const { status, body } = await caller.post('/webhooks', { ...A_WEBHOOK, name: 'ERP' })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body).sort(), ['item', 'secret'])
    const { id, criado_em, atualizado_em, ...rest } = body.item
    const { secret } = body
    assert.deepEqual(rest, {
      ...{ ...A_WEBHOOK, name: 'ERP', ativo: true, secret },
      ...{ inativo_desde: null, inativo_motivo: null, segredo_anterior_ate: null },
    })
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.match(criado_em, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(atualizado_em >= criado_em)
  })

  test('the secret is whsec_ and the base64 of 32 bytes, each time another', async () => {
    const caller = await service.caller()
    const secrets = [(await create(caller)).secret, (await create(caller)).secret]
    for (const secret of secrets) {
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.equal(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 32)
    }
    assert.notEqual(secrets[0], secrets[1])
  })

  test('the secret is shown in no other answer, whether listed or removed', async () => {
    const caller = await service.caller()
    const { item, secret } = await create(caller)
    const answers = [
      await caller.get('/webhooks'),
      await caller.get('/eventos'),
      await caller.delete(`/webhooks/${item.id}`),
    ]
    for (const { status, body } of answers) {
      assert.equal(status, 200)
      assert.ok(!JSON.stringify(body).includes('secret'))
      assert.ok(!JSON.stringify(body).includes(secret.slice('whsec_'.length)))
    }
  })

  test('the secret is kept sealed, for its company and subscription alone', async () => {
    const caller = await service.caller()
    const { item, secret } = await create(caller)
    const [row] = await service.db
      .reader(caller.empresa)
      .query<{ secret: string; row: string }>(
        'select secret, to_jsonb(w)::text as row from webhooks w where tenant_id = $1 and id = $2',
        [caller.empresa, item.id],
      )
    assert.ok(!row!.row.includes(secret.slice('whsec_'.length)))
    assert.equal(service.secrets.open(row!.secret, caller.empresa, item.id), secret)
    const other = await service.caller()
    assert.throws(() => service.secrets.open(row!.secret, other.empresa, item.id))
  })

  test('the secret is in no line of the log', async () => {
    const { secret } = await create(await service.caller())
    assert.ok(service.log.length > 0)
    assert.ok(!service.log.some((line) => line.includes(secret.slice('whsec_'.length))))
  })

  test('a subscription is no event: nothing is recorded or delivered', async () => {
    const caller = await service.caller()
    const { item } = await create(caller, { events: KINDS })
    await caller.delete(`/webhooks/${item.id}`)
    assert.deepEqual(await eventsOf(service, caller.empresa), [])
    assert.deepEqual(await deliveriesOf(service, caller), [])
  })

  test('two may have the same address, kinds and name', async () => {
    const caller = await service.caller()
    const one = await create(caller, { name: 'ERP' })
    const other = await create(caller, { name: 'ERP' })
    assert.deepEqual((await list(caller)).items, [one.item, other.item])
  })
})

describe('the kinds of event', () => {
  test('all 22 can be chosen at once', async () => {
    const { item } = await create(await service.caller(), { events: KINDS })
    assert.equal(item.events.length, 22)
    assert.deepEqual(item.events, KINDS)
  })

  for (const kind of KINDS) {
    test(`${kind} can be chosen alone`, async () => {
      const { item } = await create(await service.caller(), { events: [kind] })
      assert.deepEqual(item.events, [kind])
    })
  }

  test('are kept in the order in which they were sent', async () => {
    const caller = await service.caller()
    const { item } = await create(caller, { events: KINDS.toReversed() })
    assert.deepEqual(item.events, KINDS.toReversed())
    assert.deepEqual((await list(caller)).items[0]!.events, KINDS.toReversed())
  })
})

describe('the name', () => {
  test('left out or null is null', async () => {
    const caller = await service.caller()
    assert.equal((await create(caller)).item.name, null)
    assert.equal((await create(caller, { name: null })).item.name, null)
  })

  test('is kept exactly as sent, of up to 200 characters', async () => {
    const caller = await service.caller()
    for (const name of ['x', '  ERP  ', 'Ação'.normalize('NFD'), '💸'.repeat(200)]) {
      assert.equal((await create(caller, { name })).item.name, name)
    }
  })
})

describe('the address', () => {
  const accepted = {
    'any port': 'https://receiver.example:8443/hook',
    'a path and a query': 'https://receiver.example/a/b?c=d&e=%20',
    'no path': 'https://receiver.example',
    'a public IPv4 address': 'https://8.8.8.8/hook',
    'a public IPv6 address': 'https://[2606:4700::1111]/hook',
    '2048 characters': `https://receiver.example/${'x'.repeat(2048 - 25)}`,
    'a name that does not resolve': 'https://not-yet.example/hook',
  }
  for (const [name, url] of Object.entries(accepted)) {
    test(`with ${name} is accepted, and kept as sent`, async () => {
      assert.equal((await create(await service.caller(), { url })).item.url, url)
    })
  }

  test('with a name that resolves to public addresses is accepted', async () => {
    service.dns['public.example'] = ['8.8.8.8', '1.1.1.1']
    await create(await service.caller(), { url: 'https://public.example/hook' })
  })

  service.dns['private.example'] = ['10.0.0.1']
  service.dns['half-private.example'] = ['8.8.8.8', '10.0.0.1']
  service.dns['metadata.example'] = ['169.254.169.254']
  const refused = {
    'http instead of https': ['http://receiver.example/hook', /https/],
    'another scheme': ['ftp://receiver.example/hook', /https/],
    'no scheme': ['receiver.example/hook', /URL válida/],
    'no host': ['https://', /URL válida/],
    'a private IPv4 address': ['https://10.0.0.1/hook', /10\.0\.0\.1 não é público/],
    'a private IPv4 address and http': ['http://192.168.0.1/hook', /https/],
    'a loopback address': ['https://127.0.0.2/hook', /127\.0\.0\.2 não é público/],
    'the IPv6 loopback address': ['https://[::1]/hook', /::1 não é público/],
    'a private IPv6 address': ['https://[fd00::1]/hook', /fd00::1 não é público/],
    'an IPv4 address as one number': ['https://167772161/hook', /10\.0\.0\.1 não é público/],
    'the metadata address of a cloud': [
      'https://169.254.169.254/latest/meta-data',
      /169\.254\.169\.254 não é público/,
    ],
    'a name below localhost': ['https://receiver.localhost/hook', /nome do host/],
    'a name of a single label': ['https://intranet/hook', /nome do host/],
    'a name below .local': ['https://printer.local/hook', /nome do host/],
    'a name below .localdomain': ['https://receiver.localdomain/hook', /nome do host/],
    'a name below .internal': ['https://metadata.google.internal/hook', /nome do host/],
    'a name below .home.arpa': ['https://router.home.arpa/hook', /nome do host/],
    'a user': ['https://user@receiver.example/hook', /usuário/],
    'a user and a password': ['https://user:password@receiver.example/hook', /usuário/],
    'a name that resolves to a private address': ['https://private.example/hook', /não é público/],
    'a name that resolves to a public and to a private address': [
      'https://half-private.example/hook',
      /não é público/,
    ],
    'a name that resolves to a metadata address': [
      'https://metadata.example/hook',
      /não é público/,
    ],
  } as const
  for (const [name, [url, reason]] of Object.entries(refused)) {
    test(`with ${name} is refused, with the reason`, async () => {
      const caller = await service.caller()
      const isRefused = refusalsOf(service, caller, '/webhooks')
      const { body } = await isRefused(() => caller.post('/webhooks', { ...A_WEBHOOK, url }), {
        code: 'webhook-url-refused',
      })
      assert.equal(body.errors.length, 1)
      const [{ field, message }] = body.errors
      assert.equal(field, 'url')
      assert.match(message, reason)
      assert.ok(body.detail.includes(message))
    })
  }

  test('is refused without a word of what its name resolves to', async () => {
    const url = 'https://private.example/hook'
    const { body } = await (await service.caller()).post('/webhooks', { ...A_WEBHOOK, url })
    assert.ok(!JSON.stringify(body).includes('10.0.0.1'))
  })

  test('of this machine is refused where the operator allows no target for development', async () => {
    const strict = await startService({}, [])
    const caller = await strict.caller()
    for (const url of ['https://localhost/hook', 'https://127.0.0.1/hook']) {
      const { status, body } = await caller.post('/webhooks', { ...A_WEBHOOK, url })
      assert.deepEqual([status, body.code], [400, 'webhook-url-refused'], url)
    }
    assert.equal((await list(caller)).total, 0)
  })

  test('is judged after the rest of the body', async () => {
    const caller = await service.caller()
    const isRefused = refusalsOf(service, caller, '/webhooks')
    const body = { url: 'http://10.0.0.1/', events: [] }
    await isRefused(() => caller.post('/webhooks', body), { fields: ['events'] })
  })
})

describe('a faulty body', () => {
  const faulty: Record<string, { body: unknown; fields: string[] }> = {
    'without anything': { body: {}, fields: ['events', 'url'] },
    'without an address': { body: { events: A_WEBHOOK.events }, fields: ['url'] },
    'without kinds': { body: { url: URL_OF_RECEIVER }, fields: ['events'] },
    'with an unknown kind': {
      body: { ...A_WEBHOOK, events: ['lancamento.created', 'lancamento.exploded'] },
      fields: ['events[1]'],
    },
    'with a kind in another case': {
      body: { ...A_WEBHOOK, events: ['Lancamento.Created'] },
      fields: ['events[0]'],
    },
    'with a wildcard for a kind': { body: { ...A_WEBHOOK, events: ['*'] }, fields: ['events[0]'] },
    'with no kind in the list': { body: { ...A_WEBHOOK, events: [] }, fields: ['events'] },
    'with a kind twice': {
      body: { ...A_WEBHOOK, events: ['lancamento.paid', 'nfse.emitida', 'lancamento.paid'] },
      fields: ['events'],
    },
    'with kinds that are no list': {
      body: { ...A_WEBHOOK, events: 'lancamento.created' },
      fields: ['events'],
    },
    'with null for the kinds': { body: { ...A_WEBHOOK, events: null }, fields: ['events'] },
    'with a kind that is no text': {
      body: { ...A_WEBHOOK, events: [1, null] },
      fields: ['events[0]', 'events[1]'],
    },
    'with an address that is no text': { body: { ...A_WEBHOOK, url: 1 }, fields: ['url'] },
    'with null for the address': { body: { ...A_WEBHOOK, url: null }, fields: ['url'] },
    'with an empty address': { body: { ...A_WEBHOOK, url: '' }, fields: ['url'] },
    'with an address that is too long': {
      body: { ...A_WEBHOOK, url: `${URL_OF_RECEIVER}/${'x'.repeat(2048)}` },
      fields: ['url'],
    },
    'with U+0000 in the address': {
      body: { ...A_WEBHOOK, url: `${URL_OF_RECEIVER}/\u0000` },
      fields: ['url'],
    },
    'with an empty name': { body: { ...A_WEBHOOK, name: '' }, fields: ['name'] },
    'with a name that is too long': {
      body: { ...A_WEBHOOK, name: 'x'.repeat(201) },
      fields: ['name'],
    },
    'with a name that is no text': { body: { ...A_WEBHOOK, name: 1 }, fields: ['name'] },
    'with U+0000 in the name': { body: { ...A_WEBHOOK, name: 'a\u0000b' }, fields: ['name'] },
    'with a field that is not known': { body: { ...A_WEBHOOK, evento: 'x' }, fields: ['evento'] },
    'with a secret of its own': {
      body: { ...A_WEBHOOK, secret: 'whsec_x' },
      fields: ['secret'],
    },
    'with fields that are only shown': {
      body: { ...A_WEBHOOK, id: UNKNOWN_ID, ativo: false, criado_em: null },
      fields: ['id', 'ativo', 'criado_em'],
    },
    'with several faults': {
      body: { url: 1, events: ['x'], name: 2, foo: 3 },
      fields: ['url', 'events[0]', 'name', 'foo'],
    },
    'that is a list': { body: [A_WEBHOOK], fields: ['corpo'] },
  }
  for (const [name, { body, fields }] of Object.entries(faulty)) {
    test(`${name} is refused, naming ${fields.join(', ')}, and says why`, async () => {
      const caller = await service.caller()
      const isRefused = refusalsOf(service, caller, '/webhooks')
      const answer = await isRefused(() => caller.post('/webhooks', body), { fields })
      // That something is wrong is no reason: whoever reads it must know what to change.
      assert.doesNotMatch(answer.body.detail, /é inválido/)
    })
  }

  test('with an unknown kind is told the kinds there are', async () => {
    const caller = await service.caller()
    const { body } = await caller.post('/webhooks', { ...A_WEBHOOK, events: ['x'] })
    for (const kind of KINDS) assert.ok(body.detail.includes(kind), kind)
  })

  test('that is no JSON, or a parameter in the address, is refused', async () => {
    const caller = await service.caller()
    const isRefused = refusalsOf(service, caller, '/webhooks')
    await isRefused(() => caller.post('/webhooks', '{'), { code: 'invalid-json' })
    await isRefused(() => caller.post('/webhooks?foo=1', A_WEBHOOK), {
      code: 'invalid-query',
      fields: ['foo'],
    })
  })
})

describe('listing', () => {
  test('a company without subscriptions has an empty list', async () => {
    const empty = { items: [], total: 0, limit: 100, offset: 0 }
    assert.deepEqual(await list(await service.caller()), empty)
  })

  test('the oldest come first, a page at a time', async () => {
    const caller = await service.caller()
    const items: Webhook[] = []
    for (const name of ['b', 'a', 'd', 'c', 'e']) items.push((await create(caller, { name })).item)
    assert.deepEqual(await list(caller), { items, total: 5, limit: 100, offset: 0 })
    const page = { items: items.slice(2, 4), total: 5, limit: 2, offset: 2 }
    assert.deepEqual(await list(caller, '?limit=2&offset=2'), page)
    const beyond = { items: [], total: 5, limit: 100, offset: 5 }
    assert.deepEqual(await list(caller, '?offset=5'), beyond)
  })

  test('a parameter that is out of bounds, no number or unknown is refused', async () => {
    const caller = await service.caller()
    const faulty = { limit: ['0', '1001', 'x', '1.5', ''], offset: ['-1', 'x'], ativo: ['true'] }
    for (const [field, values] of Object.entries(faulty)) {
      for (const value of values) {
        const { status, body } = await caller.get(`/webhooks?${field}=${value}`)
        assert.deepEqual([status, body.code], [400, 'invalid-query'], `${field}=${value}`)
        assert.equal(body.errors[0].field, field)
      }
    }
  })

  test('shows nothing of another company', async () => {
    const [one, other] = [await service.caller(), await service.caller()]
    const { item } = await create(one)
    assert.equal((await list(other)).total, 0)
    assert.deepEqual((await list(one)).items, [item])
  })

  test('one subscription alone has no address to be fetched at', async () => {
    const caller = await service.caller()
    const { item } = await create(caller)
    for (const method of ['GET', 'PUT']) {
      const { status, headers } = await caller.call(method, `/webhooks/${item.id}`)
      assert.deepEqual([status, headers.get('allow')], [405, 'DELETE, PATCH'], method)
    }
  })
})

describe('removing', () => {
  test('answers the subscription as it last was, and it is gone', async () => {
    const caller = await service.caller()
    const kept = await create(caller)
    const { item } = await create(caller, { name: 'ERP' })
    const { status, body } = await caller.delete(`/webhooks/${item.id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { item })
    assert.deepEqual((await list(caller)).items, [kept.item])
  })

  test('a second time is 404', async () => {
    const caller = await service.caller()
    const { item } = await create(caller)
    assert.equal((await caller.delete(`/webhooks/${item.id}`)).status, 200)
    const { status, body } = await caller.delete(`/webhooks/${item.id}`)
    assert.deepEqual([status, body.code], [404, 'not-found'])
  })

  test('by many at once succeeds for just one of them', async () => {
    const caller = await service.caller()
    const { item } = await create(caller)
    const calls = Array.from({ length: 5 }, () => caller.delete(`/webhooks/${item.id}`))
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, 404, 404, 404, 404])
  })

  test('an id of another company, of nothing, or no id at all is 404, and nothing is gone', async () => {
    const [owner, stranger] = [await service.caller(), await service.caller()]
    const { item } = await create(owner)
    const answers = await Promise.all(
      [item.id, UNKNOWN_ID, 'x', '1'].map((id) => stranger.delete(`/webhooks/${id}`)),
    )
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.code], [404, 'not-found'])
    }
    // Nothing tells an id of another company from one of nothing.
    assert.equal(answers[0]!.body.detail, answers[1]!.body.detail)
    assert.deepEqual((await list(owner)).items, [item])
  })

  test('ends what was still to be delivered, of this subscription alone', async () => {
    const caller = await service.caller()
    const [removed, kept] = [await create(caller), await create(caller)]
    await createLancamento(caller)
    await caller.delete(`/webhooks/${removed.item.id}`)
    const rows = await deliveriesOf(service, caller)
    const byId = Object.fromEntries(rows.map((row) => [row.subscription_id, row]))
    const { state, reason, attempts } = byId[removed.item.id]!
    assert.deepEqual([state, reason, attempts], ['dead', 'subscription-removed', 0n])
    assert.deepEqual([byId[kept.item.id]!.state, byId[kept.item.id]!.reason], ['pending', null])
  })
})

describe('at most 10', () => {
  const TEN = Array.from({ length: 10 })

  test('of 20 that are made at once just 10 are, and the others are refused', async () => {
    const caller = await service.caller()
    const calls = [...TEN, ...TEN].map(() => caller.post('/webhooks', A_WEBHOOK))
    const answers = await Promise.all(calls)
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [...TEN.map(() => 201), ...TEN.map(() => 409)])
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      assert.equal(body.code, 'webhook-limit-reached')
      assert.match(body.detail, /10/)
    }
    assert.equal((await list(caller)).total, 10)
  })

  test('after one is removed another can be made, and no more', async () => {
    const caller = await service.caller()
    for (const _ of TEN) await create(caller)
    const isRefused = refusalsOf(service, caller, '/webhooks')
    const limit = { status: 409, code: 'webhook-limit-reached' }
    await isRefused(() => caller.post('/webhooks', A_WEBHOOK), limit)
    const [first] = (await list(caller)).items
    await caller.delete(`/webhooks/${first!.id}`)
    await create(caller)
    await isRefused(() => caller.post('/webhooks', A_WEBHOOK), limit)
  })

  test('is of the company: its keys share it, and another company has its own', async () => {
    const caller = await service.caller()
    const sibling = await service.caller({ empresa: caller.empresa })
    for (const _ of TEN) await create(caller)
    assert.equal((await sibling.post('/webhooks', A_WEBHOOK)).status, 409)
    await create(await service.caller())
  })

  test('a faulty body and a refused address are told first', async () => {
    const caller = await service.caller()
    for (const _ of TEN) await create(caller)
    const answers = [
      await caller.post('/webhooks', {}),
      await caller.post('/webhooks', { ...A_WEBHOOK, url: 'https://10.0.0.1/' }),
    ]
    const codes = answers.map(({ body }) => body.code)
    assert.deepEqual(codes, ['invalid-body', 'webhook-url-refused'])
  })
})

describe('who may', () => {
  const reach = async (scopes: string[]): Promise<string[]> => {
    const owner = await service.caller()
    const { item } = await create(owner)
    const limited = await service.caller({ empresa: owner.empresa, scopes })
    const calls = {
      read: () => limited.get('/webhooks'),
      write: () => limited.post('/webhooks', A_WEBHOOK),
      delete: () => limited.delete(`/webhooks/${item.id}`),
    }
    const allowed: string[] = []
    for (const [action, call] of Object.entries(calls)) {
      const { status, body } = await call()
      if (status < 300) {
        allowed.push(action)
        continue
      }
      assert.deepEqual([status, body.code], [403, 'insufficient-scope'])
      assert.equal(body.scope, `webhooks:${action}`)
    }
    return allowed
  }

  test('webhooks:read lists', async () => {
    assert.deepEqual(await reach(['webhooks:read']), ['read'])
  })

  test('webhooks:write lists and creates', async () => {
    assert.deepEqual(await reach(['webhooks:write']), ['read', 'write'])
  })

  test('webhooks:delete lists, creates and removes', async () => {
    assert.deepEqual(await reach(['webhooks:delete']), ['read', 'write', 'delete'])
  })

  test('no other scope opens any of it, and no legacy word', async () => {
    const others = ['lancamentos:delete', 'parceiros:delete', 'categorias:write', 'cobrancas:write']
    assert.deepEqual(await reach([...others, 'read', 'write']), [])
  })
})

describe('without the module integracoes', () => {
  const CALLS = [
    ['GET', '/webhooks', undefined],
    ['GET', '/webhooks?limit=0', undefined],
    ['POST', '/webhooks', A_WEBHOOK],
    ['POST', '/webhooks', {}],
    ['DELETE', `/webhooks/${UNKNOWN_ID}`, undefined],
  ] as const

  for (const [method, path, body] of CALLS) {
    const sent = body ? ` ${JSON.stringify(body)}` : ''
    test(`${method} ${path}${sent} is 403 module-required`, async () => {
      const caller = await service.caller({ modulos: ['cobrancas'] })
      const answer = await caller.call(method, path, { body })
      assert.deepEqual([answer.status, answer.body.code], [403, 'module-required'])
      assert.match(answer.body.detail, /integra/i)
    })
  }

  test('a key without the scope is told of the scope first', async () => {
    const options = { modulos: ['cobrancas' as const], scopes: ['webhooks:read'] }
    const { body } = await (await service.caller(options)).post('/webhooks', A_WEBHOOK)
    assert.equal(body.code, 'insufficient-scope')
  })

  test('that module alone is enough', async () => {
    await create(await service.caller({ modulos: ['integracoes'] }))
  })
})

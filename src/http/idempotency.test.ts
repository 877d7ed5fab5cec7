import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import pg from 'pg'
import { eventsOf } from '../../test/support/events.ts'
import { aLancamento } from '../../test/support/lancamento.ts'
import { CPF } from '../../test/support/parceiro.ts'
import { refusalsOf } from '../../test/support/refusal.ts'
import { type Answer, type Caller, startService } from '../../test/support/service.ts'
import { buildApp } from '../app.ts'
import type { Actor } from '../auth/actor.ts'
import { readConfig } from '../config.ts'
import { createLogger } from '../logger.ts'
import { answerErrors } from './error-reply.ts'
import { Idempotent } from './idempotency.ts'

const service = await startService()
const KEY = 'pedido-42'

interface Collection {
  path: string
  body: Record<string, unknown>
  /** What the body is refused for. */
  faults: Record<string, unknown>
  /** Changes and removes a record, as far as the API can, else as the application would. */
  edit(caller: Caller, id: string): Promise<unknown>
  remove(caller: Caller, id: string): Promise<unknown>
}

const overTheApi = (path: string, change: object): Pick<Collection, 'edit' | 'remove'> => ({
  edit: (caller, id) => caller.patch(`${path}/${id}`, change),
  remove: (caller, id) => caller.delete(`${path}/${id}`),
})

// The bodies of partners and categories hold what cannot be there twice.
const collections: Collection[] = [
  {
    path: '/lancamentos',
    body: aLancamento,
    faults: { valor: -1, data: 'x' },
    ...overTheApi('/lancamentos', { descricao: 'Editado' }),
  },
  {
    path: '/parceiros',
    body: { nome: 'Maria', documento: CPF },
    faults: { nome: '', documento: 1 },
    ...overTheApi('/parceiros', { nome: 'Editado' }),
  },
  {
    path: '/categorias',
    body: { nome: 'Marketing' },
    faults: { nome: '', area_id: 'x' },
    edit: ({ empresa }, id) =>
      service.db.write(empresa, (tx) =>
        tx.query(
          `update categorias set nome = 'Editado', nome_chave = 'editado'
           where tenant_id = $1 and id = $2`,
          [empresa, id],
        ),
      ),
    remove: ({ empresa }, id) =>
      service.db.write(empresa, (tx) =>
        tx.query('delete from categorias where tenant_id = $1 and id = $2', [empresa, id]),
      ),
  },
]

function send(caller: Caller, { path, body }: Pick<Collection, 'path' | 'body'>, key = KEY) {
  return caller.post(path, body, { 'idempotency-key': key })
}

async function create(caller: Caller, collection: Collection, key = KEY) {
  const { status, body } = await send(caller, collection, key)
  assert.equal(status, 201, JSON.stringify(body))
  return body.item as { id: string }
}

/** How many records and events a company has of a collection. */
async function counts(caller: Caller, { path }: Collection) {
  const { total } = (await caller.get(path)).body
  return { records: total, events: (await eventsOf(service, caller.empresa)).length }
}

const ONE = { records: 1, events: 1 }

/** Holds that of many answers one made the record and the others found it. */
function assertOneMade(answers: Pick<Answer, 'status' | 'body'>[]): void {
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(answers.length - 1).fill(200), 201])
  assert.equal(new Set(answers.map(({ body }) => body.item.id)).size, 1)
}

for (const collection of collections) {
  const { path, body, faults } = collection

  describe(`a repeated key on ${path}`, () => {
    test('answers 200 with the same record, and makes no other', async () => {
      const caller = await service.caller()
      const item = await create(caller, collection)
      for (const _ of [1, 2]) {
        const repeat = await send(caller, collection)
        assert.equal(repeat.status, 200)
        assert.deepEqual(repeat.body, { item })
      }
      assert.deepEqual(await counts(caller, collection), ONE)
    })

    test('answers with the record as it is now', async () => {
      const caller = await service.caller()
      const { id } = await create(caller, collection)
      await collection.edit(caller, id)
      const [now] = (await caller.get(path)).body.items
      const repeat = await send(caller, collection)
      assert.equal(repeat.status, 200)
      assert.deepEqual(repeat.body, { item: now })
      assert.match(JSON.stringify(now), /Editado/)
    })

    test('answers 404 when the record was deleted, and makes no other', async () => {
      const caller = await service.caller()
      const { id } = await create(caller, collection)
      await collection.remove(caller, id)
      const before = await counts(caller, collection)
      for (const _ of [1, 2]) {
        const repeat = await send(caller, collection)
        assert.equal(repeat.status, 404)
        assert.equal(repeat.body.code, 'not-found')
      }
      assert.deepEqual(await counts(caller, collection), before)
      assert.equal(before.records, 0)
    })

    const broken: Record<string, unknown> = {
      'another body': { ...body, nome: 'Outro' },
      'a faulty body': faults,
      'an empty body': {},
      'no body': undefined,
      'a list': [body],
    }
    for (const [name, sent] of Object.entries(broken)) {
      test(`is known whatever the body says: ${name}`, async () => {
        const caller = await service.caller()
        const item = await create(caller, collection)
        const repeat = await caller.post(path, sent, { 'idempotency-key': KEY })
        assert.equal(repeat.status, 200, JSON.stringify(repeat.body))
        assert.deepEqual(repeat.body, { item })
      })
    }

    test('is known before the query is judged', async () => {
      const caller = await service.caller()
      const item = await create(caller, collection)
      const repeat = await send(caller, { ...collection, path: `${path}?foo=1` })
      assert.equal(repeat.status, 200)
      assert.deepEqual(repeat.body, { item })
    })

    test('is known only after the scope is judged', async () => {
      const caller = await service.caller()
      await create(caller, collection)
      const scopes = [`${path.slice(1)}:read`]
      const reader = await service.caller({ empresa: caller.empresa, scopes })
      assert.equal((await send(reader, collection)).status, 403)
    })

    test('is known to every API key of the company', async () => {
      const caller = await service.caller()
      const item = await create(caller, collection)
      const sibling = await service.caller({ empresa: caller.empresa })
      const repeat = await send(sibling, collection)
      assert.deepEqual([repeat.status, repeat.body], [200, { item }])
    })
  })

  describe(`a key on ${path}`, () => {
    test('is left unused by a body that was refused', async () => {
      const caller = await service.caller()
      const refused = refusalsOf(service, caller, path)
      const sent = { path, body: { ...body, ...faults } }
      await refused(() => send(caller, sent), { fields: Object.keys(faults) })
      await refused(() => caller.post(path, '{', { 'idempotency-key': KEY }), {
        code: 'invalid-json',
      })
      const item = await create(caller, collection)
      assert.deepEqual((await send(caller, sent)).body, { item })
    })

    test('belongs to one company', async () => {
      const [one, other] = [await service.caller(), await service.caller()]
      const ids = [(await create(one, collection)).id, (await create(other, collection)).id]
      assert.notEqual(ids[0], ids[1])
      for (const [index, caller] of [one, other].entries()) {
        assert.equal((await send(caller, collection)).body.item.id, ids[index])
      }
    })

    test('sent 20 times at the same moment makes one record', async () => {
      const caller = await service.caller()
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(caller, collection)))
      assertOneMade(answers)
      assert.deepEqual(await counts(caller, collection), ONE)
    })

    test('sent many times at the same moment with a faulty body stays unused', async () => {
      const caller = await service.caller()
      const sent = { path, body: { ...body, ...faults } }
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(caller, sent)))
      for (const { status } of answers) assert.equal(status, 400)
      await create(caller, collection)
    })

    test('sent at the same moment with good and faulty bodies makes one record', async () => {
      const caller = await service.caller()
      const faulty = { path, body: { ...body, ...faults } }
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => send(caller, index % 2 ? faulty : collection)),
      )
      // A faulty one that came before the record was made is refused.
      assertOneMade(answers.filter(({ status }) => status !== 400))
      assert.deepEqual(await counts(caller, collection), ONE)
    })
  })
}

describe('a key', () => {
  test('belongs to one collection', async () => {
    const caller = await service.caller()
    const ids = new Set<string>()
    for (const collection of collections) ids.add((await create(caller, collection)).id)
    assert.equal(ids.size, collections.length)
  })

  test('is told from others by its exact text', async () => {
    const caller = await service.caller()
    const ids = new Set<string>()
    for (const key of ['a', 'A', 'aa', '%61', '"a"']) {
      ids.add((await create(caller, collections[0]!, key)).id)
    }
    assert.equal(ids.size, 5)
  })

  const duplicates = [
    { path: '/parceiros', body: { nome: 'Maria', documento: CPF }, other: { nome: 'João' } },
    { path: '/categorias', body: { nome: 'Marketing' }, other: { nome: 'Vendas' } },
  ]
  for (const { path, body, other } of duplicates) {
    test(`is left unused by a duplicate that was refused on ${path}`, async () => {
      const caller = await service.caller()
      assert.equal((await caller.post(path, body)).status, 201)
      const refused = refusalsOf(service, caller, path)
      const { code } = (await send(caller, { path, body })).body
      await refused(() => send(caller, { path, body }), { status: 409, code })
      assert.match(code, /^duplicate-/)
      const made = await send(caller, { path, body: other })
      assert.equal(made.status, 201)
      const repeat = await send(caller, { path, body })
      assert.deepEqual([repeat.status, repeat.body], [200, made.body])
    })
  }

  const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('')
  const valid = { 'one character': '!', 'every visible character': visible }
  for (const [name, key] of Object.entries({ ...valid, '255 characters': 'x'.repeat(255) })) {
    test(`may be ${name}`, async () => {
      const caller = await service.caller()
      for (const collection of collections) {
        const item = await create(caller, collection, key)
        assert.deepEqual((await send(caller, collection, key)).body, { item })
      }
    })
  }

  const invalid = {
    empty: '',
    'of 256 characters': 'x'.repeat(256),
    'with a space': 'pedido 42',
    'with a tab': 'pedido\t42',
    'with a letter that is not ASCII': 'é',
    'with bytes of UTF-8': Buffer.from('ação').toString('latin1'),
    'given twice': 'a, b',
  }
  for (const [name, key] of Object.entries(invalid)) {
    test(`${name} is refused`, async () => {
      const caller = await service.caller()
      for (const collection of collections) {
        const refused = refusalsOf(service, caller, collection.path)
        await refused(() => send(caller, collection, key), { fields: ['Idempotency-Key'] })
      }
    })
  }

  test('is not needed: without one, each request makes a record', async () => {
    const caller = await service.caller()
    for (const _ of [1, 2]) {
      assert.equal((await caller.post('/lancamentos', aLancamento)).status, 201)
    }
    assert.equal((await caller.get('/lancamentos')).body.total, 2)
  })
})

async function connect(t: TestContext): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  return client
}

/** Keeps every writer of a company waiting until it is released. */
async function holdCompany(t: TestContext, empresa: string) {
  // Of the test's own: the service may have no connection left.
  const [holder, observer] = [await connect(t), await connect(t)]
  await holder.query('begin')
  await holder.query(
    `select set_config('role', 'lastro_app', true), set_config('app.tenant', $1, true)`,
    [empresa],
  )
  const lock = 'select 1 from empresa_counters where tenant_id = $1 for no key update'
  assert.equal((await holder.query(lock, [empresa])).rowCount, 1)

  /** How many connections of the service wait for a lock. */
  const waiting = async () => {
    const { rows } = await observer.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]!.waiting
  }
  /** Resolves when so many connections wait, or when a call is answered without. */
  const untilWaiting = async (count: number, calls: Promise<unknown>[]) => {
    let answered = false
    const stop = () => {
      answered = true
    }
    Promise.race(calls).then(stop, stop)
    while (!answered && (await waiting()) < count);
  }
  return { waiting, untilWaiting, release: () => holder.query('commit') }
}

/** Resolves when the service has taken up so many calls of a key: each counts as it comes in. */
async function untilTakenUp(caller: Caller, calls: number): Promise<void> {
  const limit = 1_000_000
  for (let own = 1; ; own++) {
    const { status, headers } = await caller.get('/categorias?limit=1')
    assert.equal(status, 200)
    if (limit - Number(headers.get('ratelimit-remaining')) === calls + own) return
  }
}

describe('while the first request is under way', () => {
  for (const collection of collections) {
    test(`those that wait on ${collection.path} hold up no other company`, async (t) => {
      const [caller, other] = [await service.caller(), await service.caller()]
      const held = await holdCompany(t, caller.empresa)
      // More than the pool has connections.
      const calls = Array.from({ length: 15 }, () => send(caller, collection))
      await untilTakenUp(caller, calls.length)
      await held.untilWaiting(1, calls)
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => other.get(collection.path)),
      )
      for (const { status } of answers) assert.equal(status, 200)
      assert.equal((await send(other, collection)).status, 201)
      assert.equal(await held.waiting(), 1)
      await held.release()
      assertOneMade(await Promise.all(calls))
      assert.deepEqual(await counts(caller, collection), ONE)
    })

    test(`a caller of ${collection.path} that hung up and tries again finds its record`, async (t) => {
      const caller = await service.caller()
      const held = await holdCompany(t, caller.empresa)
      const hangUp = new AbortController()
      const lost = fetch(`${service.url}/api/v1${collection.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${caller.key}`, 'idempotency-key': KEY },
        body: Buffer.from(JSON.stringify(collection.body)),
        signal: hangUp.signal,
      })
      await held.untilWaiting(1, [lost])
      hangUp.abort()
      await assert.rejects(lost)
      const again = send(caller, collection)
      await untilTakenUp(caller, 2)
      // Whether it waits in the service or in the database, it comes as far as it can.
      for (let round = 0; round < 5; round++) await held.waiting()
      await held.release()
      const { status, body } = await again
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(await counts(caller, collection), ONE)
    })
  }

  test('one that hangs up while it waits does not keep the key from the next', async (t) => {
    const [collection] = collections
    const caller = await service.caller()
    const held = await holdCompany(t, caller.empresa)
    const first = send(caller, collection!)
    await held.untilWaiting(1, [first])
    const hangUp = new AbortController()
    const lost = fetch(`${service.url}/api/v1${collection!.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.key}`, 'idempotency-key': KEY },
      body: Buffer.from(JSON.stringify(collection!.body)),
      signal: hangUp.signal,
    })
    await untilTakenUp(caller, 2)
    hangUp.abort()
    await assert.rejects(lost)
    await held.release()
    assert.equal((await first).status, 201)
    assert.equal((await send(caller, collection!)).status, 200)
  })

  test('one that waits too long is told to come back', async (t) => {
    const { empresa } = await service.caller()
    const app = Fastify()
    answerErrors(app)
    app.addHook('onRequest', async (request) => {
      request.actor = { tenantId: empresa } as Actor
    })
    const idempotent = new Idempotent(service.db, 1)
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const thing = { id: crypto.randomUUID() }
    app.post(
      '/things',
      { preValidation: idempotent.lookUp('things', async () => thing) },
      (request, reply) =>
        idempotent.create(request, reply, async () => {
          begun.resolve()
          await gate.promise
          return thing
        }),
    )
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    t.after(() => app.close())
    const post = (key: string) =>
      fetch(`${url}/things`, { method: 'POST', headers: { 'idempotency-key': key } })

    const first = post(KEY)
    await begun.promise
    const late = await post(KEY)
    assert.equal(late.status, 409)
    assert.match(late.headers.get('retry-after')!, /^[1-9]\d*$/)
    const { code } = (await late.json()) as { code: string }
    assert.equal(code, 'idempotency-in-progress')
    gate.resolve()
    assert.equal((await first).status, 201)
    const known = await post(KEY)
    assert.equal(known.status, 200)
    assert.deepEqual(await known.json(), { item: thing })
  })
})

describe('two instances on one database', async () => {
  const second = await buildApp({
    config: readConfig({ RATE_LIMIT_PER_MINUTE: '1000000' }),
    db: service.db,
    guard: service.guard,
    secrets: service.secrets,
    payments: service.payments,
    logger: createLogger('silent'),
  })
  const urls = [service.url, await second.listen({ host: '127.0.0.1', port: 0 })]
  after(() => second.close())

  /** Sends the same request 20 times, to either instance in turn. */
  const sendToBoth = (caller: Caller, { path, body }: Collection) =>
    Array.from({ length: 20 }, async (_, index) => {
      const response = await fetch(`${urls[index % 2]}/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${caller.key}`, 'idempotency-key': KEY },
        body: Buffer.from(JSON.stringify(body)),
      })
      return { status: response.status, body: (await response.json()) as Answer['body'] }
    })

  for (const collection of collections) {
    test(`make one record of ${collection.path} of one key`, async () => {
      const caller = await service.caller()
      assertOneMade(await Promise.all(sendToBoth(caller, collection)))
      assert.deepEqual(await counts(caller, collection), ONE)
    })

    test(`make one record of ${collection.path}, both being at it`, async (t) => {
      const caller = await service.caller()
      const held = await holdCompany(t, caller.empresa)
      const calls = sendToBoth(caller, collection)
      await held.untilWaiting(2, calls)
      await held.release()
      assertOneMade(await Promise.all(calls))
      assert.deepEqual(await counts(caller, collection), ONE)
    })
  }
})

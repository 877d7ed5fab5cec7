// P11: three instances on one PostgreSQL, behind a balancer, are one service.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SCOPES } from '../src/auth/scopes.ts'
import { createChave, revokeChave } from '../src/chaves/chaves.ts'
import { verifyTotais } from '../src/lancamentos/totais.ts'
import { startBalancer } from './support/balancer.ts'
import { whenDone } from './support/cleanup.ts'
import { callAs, createCompany } from './support/company.ts'
import { createTestDatabase } from './support/database.ts'
import { eventually } from './support/delivery.ts'
import { aLancamento } from './support/lancamento.ts'
import { serve } from './support/process.ts'
import { startReceiver } from './support/receiver.ts'

const LIMIT = 20
const { databaseUrl, db, pool } = await createTestDatabase({ empty: true })
const ENV = {
  DATABASE_URL: databaseUrl,
  WEBHOOK_DEV_TARGETS: '127.0.0.1/32',
  RATE_LIMIT_PER_MINUTE: String(LIMIT),
}
const instances = await Promise.all([serve(ENV), serve(ENV), serve(ENV)])
whenDone(() => Promise.all(instances.map((instance) => instance.end())))
const balancer = await startBalancer(instances.map(({ url }) => url))

const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

/** How many rows of a company a table holds. */
async function countOf(table: string, empresa: string): Promise<number> {
  const sql = `select count(*) from ${table} where tenant_id = $1`
  const [row] = await db.reader(empresa).query<{ count: bigint }>(sql, [empresa])
  return Number(row!.count)
}

test('started at once on an empty database, they have run each migration once', async () => {
  const { rows } = await pool.query<{ name: string }>('select name from migrations order by name')
  const all = readdirSync(new URL('../src/db/migrations', import.meta.url)).sort()
  assert.deepEqual(
    rows.map(({ name }) => name),
    all,
  )
})

test('the rate limit of a key is exact over all of them', async () => {
  const { call } = await createCompany(db)
  const answers = await times(60, () => call(balancer.url, 'GET', '/lancamentos'))
  const passed = answers.filter(({ status }) => status === 200)
  assert.equal(passed.length, LIMIT)
  assert.deepEqual(
    passed.map(({ headers }) => Number(headers.get('ratelimit-remaining'))).sort((a, b) => a - b),
    Array.from({ length: LIMIT }, (_, n) => n),
  )
  for (const { status, headers } of answers) {
    if (status === 200) continue
    assert.equal(status, 429)
    assert.match(headers.get('retry-after')!, /^([1-9]|[1-5]\d|60)$/)
  }
})

test('a key that is revoked is soon refused by each of them', async () => {
  const { empresa } = await createCompany(db)
  const { id, key } = await createChave(db, { empresa, scopes: SCOPES })
  const ask = () => Promise.all(instances.map(({ url }) => callAs(key, url, 'GET', '/lancamentos')))
  for (const { status } of await ask()) assert.equal(status, 200)
  await revokeChave(db, id)
  await eventually(ask, (answers) => answers.every(({ body }) => body.code === 'revoked-api-key'))
})

test('30 subscriptions at once leave ten', async () => {
  const { empresa, call } = await createCompany(db, 2)
  const answers = await times(30, (n) =>
    call(balancer.url, 'POST', '/webhooks', {
      body: { url: `http://127.0.0.1:9/${n}`, events: ['lancamento.created'] },
    }),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 10)
  assert.equal(await countOf('webhooks', empresa), 10)
})

test('one Idempotency-Key sent to all of them makes one entry', async () => {
  const { empresa, call } = await createCompany(db, 2)
  const answers = await times(30, () =>
    call(balancer.url, 'POST', '/lancamentos', { body: aLancamento, idempotencyKey: 'one' }),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(29).fill(200), 201])
  assert.equal(new Set(answers.map(({ body }) => body.item.id)).size, 1)
  assert.equal(await countOf('lancamentos', empresa), 1)
})

test('while all of them live, nothing is delivered twice', async () => {
  const { empresa, call } = await createCompany(db, 12)
  const receiver = await startReceiver()
  const subscription = { url: receiver.url, events: ['lancamento.created'] }
  const { status } = await call(balancer.url, 'POST', '/webhooks', { body: subscription })
  assert.equal(status, 201)
  // A few at a time: who waits too long for a connection is told to come back.
  await times(15, async () => {
    for (let n = 0; n < 14; n++) {
      const made = await call(balancer.url, 'POST', '/lancamentos', { body: aLancamento })
      assert.equal(made.status, 201)
    }
  })
  await eventually(
    () => countOf('webhook_queue', empresa),
    (waiting) => waiting === 0,
  )
  const sequence = receiver.received.map(({ headers }) => Number(headers['x-svc-sequence']))
  assert.deepEqual(
    sequence.sort((a, b) => a - b),
    Array.from({ length: 210 }, (_, n) => n + 1),
  )
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 210)
})

test('one that is killed and replaced under load loses nothing and doubles nothing', async (t) => {
  const WRITERS = 8
  const { empresa, call } = await createCompany(db, 60)
  const acknowledged = new Map<string, string>()
  let repeated = 0
  let replaced = false
  /** What an integrator does: the same again, with the same key, until there is an answer. */
  const write = async (descricao: string) => {
    for (;;) {
      try {
        const { status, body } = await call(balancer.url, 'POST', '/lancamentos', {
          body: { ...aLancamento, descricao },
          idempotencyKey: descricao,
        })
        assert.ok(status === 201 || status === 200, JSON.stringify(body))
        acknowledged.set(descricao, body.item.id)
        return
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        repeated++
        await sleep(50)
      }
    }
  }
  const writing = times(WRITERS, async (writer) => {
    // No more than the keys may call in a minute, however long the replacement takes to start.
    for (let n = 0; n < 5 || (!replaced && n < 100); n++) {
      await write(`escrita-${writer}-${n}`)
      await sleep(50)
    }
  })
  await eventually(
    async () => acknowledged.size,
    (size) => size >= WRITERS * 2,
  )
  await instances[1]!.end('SIGKILL')
  instances[1] = await serve(ENV)
  balancer.targets = instances.map(({ url }) => url)
  replaced = true
  await writing
  t.diagnostic(`${acknowledged.size} writes acknowledged, ${repeated} repeated`)
  assert.ok(repeated > 0)

  const rows = await db
    .reader(empresa)
    .query<{ id: string; descricao: string }>(
      'select id, descricao from lancamentos where tenant_id = $1',
      [empresa],
    )
  const byName = (entries: (readonly [string, string])[]) =>
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
  assert.deepEqual(
    byName(rows.map(({ id, descricao }) => [descricao, id] as const)),
    byName([...acknowledged]),
  )
  assert.equal(await countOf('events', empresa), rows.length)
  assert.equal(await verifyTotais(db, empresa, false), 0)
})

// Behind PgBouncer in transaction mode, where each transaction may be on another connection of the server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { whenDone } from './support/cleanup.ts'
import { type Company, createCompany } from './support/company.ts'
import { createTestDatabase } from './support/database.ts'
import { eventually } from './support/delivery.ts'
import { aLancamento } from './support/lancamento.ts'
import { NO_PGBOUNCER, PGBOUNCER, startPgBouncer } from './support/pgbouncer.ts'
import { serve } from './support/process.ts'
import { startReceiver } from './support/receiver.ts'

/** Fewer than the service has of its own, so that its transactions share them with each other and with ours. */
const CONNECTIONS = 3

const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

test('PgBouncer in transaction mode', { skip: NO_PGBOUNCER }, async (t) => {
  t.diagnostic(PGBOUNCER!)
  const { databaseUrl, db } = await createTestDatabase()
  const pooled = await startPgBouncer(databaseUrl, CONNECTIONS)
  const service = await serve({
    DATABASE_URL: pooled,
    DATABASE_DIRECT_URL: databaseUrl,
    WEBHOOK_DEV_TARGETS: '127.0.0.1/32',
    RATE_LIMIT_PER_MINUTE: '1000',
  })
  whenDone(() => service.end())
  const companies = [await createCompany(db), await createCompany(db)]
  const post = (company: Company, path: string, body: object, idempotencyKey = '') =>
    company.call(service.url, 'POST', path, { body, idempotencyKey })

  await t.test('calls, refusals and keys work, and companies stay apart', async () => {
    await Promise.all(
      companies.map(async (company, which) => {
        const made = await times(15, (n) =>
          post(company, '/lancamentos', { ...aLancamento, descricao: `De ${which}, ${n}` }),
        )
        for (const { status, body } of made) assert.equal(status, 201, JSON.stringify(body))
        const named = await times(5, () => post(company, '/categorias', { nome: 'Serviços' }))
        assert.deepEqual(named.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
        const repeated = await times(5, () => post(company, '/lancamentos', aLancamento, 'one'))
        assert.equal(new Set(repeated.map(({ body }) => body.item.id)).size, 1)
        const { body } = await company.call(service.url, 'GET', '/lancamentos?limit=100')
        assert.equal(body.items.length, 16)
        const ofOthers = new RegExp(`^De ${1 - which}`)
        for (const { descricao } of body.items) assert.doesNotMatch(descricao, ofOthers)
      }),
    )
  })

  await t.test('deliveries arrive, each once', async () => {
    const receiver = await startReceiver()
    const events = ['lancamento.created']
    await post(companies[0]!, '/webhooks', { url: receiver.url, events })
    await times(20, () => post(companies[0]!, '/lancamentos', aLancamento))
    await eventually(
      async () => receiver.received.length,
      (count) => count >= 20,
    )
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 20)
  })

  await t.test('no role and no company is left on a connection', async () => {
    const writing = times(30, (n) => post(companies[n % 2]!, '/lancamentos', aLancamento))
    const clients = await times(CONNECTIONS, async () => {
      const client = new pg.Client({ connectionString: pooled })
      await client.connect()
      return client
    })
    const backends = new Set<number>()
    for (let n = 0; n < 20; n++) {
      for (const { rows } of await Promise.all(clients.map((client) => client.query(LEFT)))) {
        const { backend, ...left } = rows[0]
        backends.add(backend)
        assert.deepEqual(left, { same: true, role: 'none', company: '' })
      }
    }
    await writing
    await Promise.all(clients.map((client) => client.end()))
    assert.ok(backends.size > 1)
  })
})

/** What somebody finds who gets a connection after a transaction of the service. */
const LEFT = `select pg_backend_pid() as backend, current_user = session_user as same,
  current_setting('role') as role, coalesce(current_setting('app.tenant', true), '') as company`

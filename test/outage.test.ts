// R4: PostgreSQL stopped and started under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyTotais } from '../src/lancamentos/totais.ts'
import { openPayments } from '../src/payments.ts'
import { connect } from '../src/provedores/contas.ts'
import { SecretBox } from '../src/secret-box.ts'
import { whenDone } from './support/cleanup.ts'
import { aCobranca } from './support/cobranca.ts'
import { createCompany } from './support/company.ts'
import { eventually, expireLeases } from './support/delivery.ts'
import { aLancamento } from './support/lancamento.ts'
import { startPostgres } from './support/own-postgres.ts'
import { serve } from './support/process.ts'
import { startReceiver } from './support/receiver.ts'

const WRITERS = 6

const postgres = await startPostgres()
const { db, pool } = postgres
const service = await serve({
  DATABASE_URL: postgres.databaseUrl,
  WEBHOOK_DEV_TARGETS: '127.0.0.1/32',
  RATE_LIMIT_PER_MINUTE: '1000000',
})
whenDone(() => service.end())

test('PostgreSQL goes and comes back', async (t) => {
  const company = await createCompany(db)
  const { empresa } = company
  const call = company.call.bind(company, service.url)
  await connectSandbox(empresa)
  const charge = await call('POST', '/cobrancas', { body: aCobranca })
  assert.equal(charge.status, 201)
  const receiver = await startReceiver()
  await call('POST', '/webhooks', { body: { url: receiver.url, events: ['lancamento.created'] } })

  const acknowledged = new Map<string, string>()
  let refused = 0
  let ending = false
  /** The same again, with the same key, until it is taken. */
  const write = async (descricao: string) => {
    for (;;) {
      const body = { ...aLancamento, descricao }
      const answer = await call('POST', '/lancamentos', { body, idempotencyKey: descricao })
      if (answer.status !== 503) {
        assert.ok(answer.status === 201 || answer.status === 200, JSON.stringify(answer.body))
        acknowledged.set(descricao, answer.body.item.id)
        return
      }
      assert.equal(answer.body.code, 'unavailable')
      assert.match(answer.headers.get('retry-after')!, /^[1-9]\d*$/)
      refused++
      await sleep(20)
    }
  }
  const writing = Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; !ending; n++) await write(`escrita-${writer}-${n}`)
    }),
  )
  const written = (more: number) => {
    const before = acknowledged.size
    return eventually(
      async () => acknowledged.size - before,
      (size) => size >= more,
    )
  }

  await t.test('503 with Retry-After meanwhile, and the process lives', async () => {
    await written(WRITERS * 3)
    await postgres.stop()
    await eventually(
      async () => refused,
      (count) => count > WRITERS * 20,
    )
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
    const ready = await fetch(`${service.url}/readyz`)
    assert.equal(ready.status, 503)
    assert.ok(ready.headers.get('retry-after'))
    const read = await call('GET', '/lancamentos')
    assert.equal(read.status, 503)
  })

  await t.test(
    'afterwards it serves again by itself, and every acknowledged write is there',
    async () => {
      await postgres.start()
      await written(WRITERS * 3)
      ending = true
      await writing
      assert.equal(service.child.exitCode, null)
      t.diagnostic(`${acknowledged.size} acknowledged, ${refused} times 503`)
      const rows = await db
        .reader(empresa)
        .query<{ id: string; descricao: string }>(
          'select id, descricao from lancamentos where tenant_id = $1',
          [empresa],
        )
      const stored = new Map(rows.map(({ id, descricao }) => [descricao, id]))
      assert.equal(stored.size, rows.length)
      assert.deepEqual(stored, acknowledged)
      assert.equal(await verifyTotais(db, empresa, false), 0)
    },
  )

  await t.test('it listens again, and what fell due is delivered', async () => {
    await eventually(
      () => pool.query(`select 1 from pg_stat_activity where query = 'listen lastro_deliveries'`),
      ({ rows }) => rows.length === 1,
    )
    // What was claimed when PostgreSQL went falls due at once, not when its lease runs out.
    await expireLeases(postgres, { empresa })
    const delivered = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    await eventually(
      async () => delivered().size,
      (size) => size === acknowledged.size,
    )
  })

  await t.test('it looks after charges again', async () => {
    const due = (condition: string) =>
      pool.query(`select 1 from cobrancas where conferir_em ${condition} clock_timestamp()`)
    await pool.query('update cobrancas set conferir_em = clock_timestamp()')
    await eventually(
      () => due('>'),
      ({ rows }) => rows.length === 1,
    )
  })
})

async function connectSandbox(empresa: string): Promise<void> {
  // The same key of the box as the process is started with.
  const secrets = new SecretBox(Buffer.alloc(32, 1))
  const config = { publicUrl: 'http://localhost' }
  const payments = openPayments({ db, config, secrets, clock: Date.now })
  const account = { empresa, provedor: 'sandbox', apiKey: null, baseUrl: null }
  await connect(db, payments.accounts, account)
  await payments.close()
}

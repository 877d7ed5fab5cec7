// A long range of deliveries is sent again while the process that does it is killed: each exactly once more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChave } from '../src/chaves/chaves.ts'
import { createEmpresa } from '../src/empresas/empresas.ts'
import { createTestDatabase } from './support/database.ts'
import { deliveriesOf, eventually, expireLeases } from './support/delivery.ts'
import { aLancamento } from './support/lancamento.ts'
import { type Service, serve } from './support/process.ts'
import { startReceiver } from './support/receiver.ts'

const MANY = 1_000
const database = await createTestDatabase()
const { db, pool } = database
const ENV = { DATABASE_URL: database.databaseUrl, WEBHOOK_DEV_TARGETS: '127.0.0.1/32' }

test(`a range of ${MANY} while the process is killed twice`, async (t) => {
  const empresa = await createEmpresa(db, { nome: 'Acme' })
  const scopes = ['lancamentos:write', 'webhooks:write']
  const { key } = await createChave(db, { empresa, scopes })
  let service: Service = await serve(ENV)
  t.after(() => service.end())
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail where it is not.
    return ((await response.json()) as any).item
  }
  const receiver = await startReceiver()
  const { id } = await call('POST', '/webhooks', { url: receiver.url, events: ['lancamento.paid'] })
  await call('POST', '/lancamentos', aLancamento)
  const desde = new Date().toISOString()
  await pool.query(
    `insert into webhook_deliveries
       (tenant_id, id, subscription_id, event_id, event_seq, event_kind, state, attempts)
     select $1, uuid_v7(), $2, id, seq, kind, 'dead', 4
     from events, generate_series(1, $3) where tenant_id = $1`,
    [empresa, id, MANY],
  )

  const job = await call('POST', `/webhooks/${id}/redeliver`, { desde })
  assert.equal(job.total, MANY)
  for (const received of [MANY / 5, MANY / 2]) {
    await receiver.until(received)
    await service.end('SIGKILL')
    service = await serve(ENV)
    // What was in flight falls due at once, not when its lease runs out.
    await expireLeases(database, { empresa })
  }
  const progress = await eventually(
    () => call('GET', `/webhooks/${id}/redeliver/${job.id}`),
    ({ concluido_em }) => concluido_em !== null,
  )
  assert.equal(progress.reenviadas, MANY)
  const deliveries = await eventually(
    () => deliveriesOf(database, { empresa }),
    (all) => all.every(({ state }) => state === 'delivered'),
  )
  assert.equal(deliveries.length, MANY)
  assert.deepEqual(new Set(deliveries.map(({ attempts }) => attempts)), new Set([5n]))
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  assert.deepEqual(ids, new Set(deliveries.map((delivery) => delivery.id)))
})

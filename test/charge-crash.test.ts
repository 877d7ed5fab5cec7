// R1 and R2: a charge is issued once, whatever happens to those who issue it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createChave } from '../src/chaves/chaves.ts'
import { createEmpresa } from '../src/empresas/empresas.ts'
import { SYSTEM } from '../src/events/outbox.ts'
import { createParceiro } from '../src/parceiros/parceiros.ts'
import { openPayments } from '../src/payments.ts'
import { connect } from '../src/provedores/contas.ts'
import { SecretBox } from '../src/secret-box.ts'
import { startAsaas } from './support/asaas.ts'
import { createTestDatabase } from './support/database.ts'
import { eventually } from './support/delivery.ts'
import { type Service, serve } from './support/process.ts'

const database = await createTestDatabase()
const { db, pool } = database
const ENV = { DATABASE_URL: database.databaseUrl, RATE_LIMIT_PER_MINUTE: '1000' }
const asaas = await startAsaas()
const KILL = new URL('./support/kill-at-write.ts', import.meta.url).href

// The same key of the box as the processes are started with.
const payments = openPayments({
  db,
  config: { publicUrl: 'http://localhost' },
  secrets: new SecretBox(Buffer.alloc(32, 1)),
  clock: Date.now,
})
test.after(() => payments.close())

async function newCompany() {
  const empresa = await createEmpresa(db, { nome: 'Acme' })
  const account = { empresa, provedor: 'asaas', apiKey: asaas.apiKey, baseUrl: asaas.url }
  await connect(db, payments.accounts, account)
  const { key } = await createChave(db, { empresa, scopes: ['cobrancas:write'] })
  return { empresa, key }
}

type Company = Awaited<ReturnType<typeof newCompany>>

async function post(url: string, { key }: Company, path: string, body: object, idempotency = '') {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(idempotency && { 'idempotency-key': idempotency }),
    },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail where it is not.
  return { status: response.status, body: (await response.json()) as any }
}

async function aCharge({ empresa }: Company) {
  const payer = { nome: 'Cliente', documento: '52998224725' }
  const { id } = await db.write(empresa, (tx) => createParceiro(tx, SYSTEM, payer))
  return { valor: 50, vencimento: '2099-01-31', parceiro_id: id }
}

/** What is there of a company's charges: rows, what the provider has for them, and their events. */
async function accounted({ empresa }: Company) {
  const { rows } = await pool.query('select id, status from cobrancas where tenant_id = $1', [
    empresa,
  ])
  const { rows: events } = await pool.query(
    `select record_id from events where tenant_id = $1 and kind = 'cobranca.criada'`,
    [empresa],
  )
  const references = new Set(rows.map(({ id }) => id))
  const issued = [...asaas.payments.values()].filter(({ externalReference }) =>
    references.has(externalReference),
  )
  return {
    states: rows.map(({ status }) => status),
    issued: issued.length,
    criadas: events.length,
  }
}

/** As if the time that a charge is left alone for had passed. */
const passTime = () =>
  pool.query(
    `update cobrancas set emissao_ate = null, conferir_em = clock_timestamp()
     where status = 'emitindo'`,
  )

/** Where a process can die, in the order of a request; those at the provider by what it is asked. */
const STEPS = [
  ['before the intent is written', { KILL_AT: 'before 1' }],
  ['after the intent is written', { KILL_AT: 'after 1' }],
  ['when the payer is looked up', 'before GET /customers'],
  ['when the payer has been made', 'after POST /customers'],
  ['before the charge is issued', 'before POST /payments'],
  ['after the charge is issued', 'after POST /payments'],
  ['when the codes are read', 'before GET /payments/*'],
  ['before the result is written', { KILL_AT: 'before 2' }],
  ['after the result is written', { KILL_AT: 'after 2' }],
] as const

test('killed at any step of an issue, and repeated: one charge, one row, one event', async (t) => {
  const other = await serve(ENV)
  for (const [name, where] of STEPS) {
    await t.test(name, async () => {
      const company = await newCompany()
      const charge = await aCharge(company)
      asaas.customers.clear()

      const atProvider = typeof where === 'string'
      const doomed = await serve(
        atProvider ? ENV : { ...ENV, ...where, NODE_OPTIONS: `--import ${KILL}` },
      )
      if (atProvider) killWhen(where, doomed)
      await assert.rejects(post(doomed.url, company, '/cobrancas', charge, 'once'))
      asaas.before = asaas.after = () => {}
      await doomed.end('SIGKILL')

      await passTime()
      const repeated = await post(other.url, company, '/cobrancas', charge, 'once')
      assert.ok(repeated.status === 200 || repeated.status === 201, JSON.stringify(repeated.body))
      await eventually(
        () => accounted(company),
        ({ states }) => states.every((status) => status === 'pendente'),
      )
      assert.deepEqual(await accounted(company), { states: ['pendente'], issued: 1, criadas: 1 })
      const last = await post(other.url, company, '/cobrancas', charge, 'once')
      assert.deepEqual([last.status, last.body.reaproveitada], [200, true])
      assert.equal(last.body.item.id, repeated.body.item.id)
    })
  }
  await other.end()
})

function killWhen(where: string, service: Service): void {
  const [when, method, path] = where.split(' ') as ['before' | 'after', string, string]
  const pattern = new RegExp(`^(/v3)?${path.replace('*', '.+')}$`)
  asaas[when] = async (request) => {
    if (request.method !== method || !pattern.test(request.path)) return
    service.child.kill('SIGKILL')
    await sleep(50)
  }
}

test('100 requests with one key on three processes: one 201, the rest 200 with the same id', async () => {
  const company = await newCompany()
  const services = await Promise.all([serve(ENV), serve(ENV), serve(ENV)])
  const charge = await aCharge(company)
  // Long enough for all to be under way.
  asaas.before = () => sleep(50)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      post(services[i % 3]!.url, company, '/cobrancas', charge, 'one-key'),
    ),
  )
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(99).fill(200), 201])
  assert.equal(new Set(answers.map(({ body }) => body.item.id)).size, 1)
  for (const { status, body } of answers) assert.equal(body.reaproveitada, status === 200)
  assert.deepEqual(await accounted(company), { states: ['pendente'], issued: 1, criadas: 1 })
  await Promise.all(services.map((service) => service.end()))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillBooks } from '../../test/support/care.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { lastro } from '../../test/support/process.ts'
import { startService } from '../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { openServer } from '../db/connect.ts'
import { examine } from './doctor.ts'

const service = await startService()
const caller = await service.caller()
await fillBooks(service, caller)
const care = service.db.system('lastro_care')

const keyOf = (n: number) => Buffer.alloc(32, n).toString('base64')

async function found(env: Record<string, string> = {}) {
  const config = readConfig({
    DATABASE_URL: service.databaseUrl,
    LASTRO_SECRET_KEY: keyOf(1),
    ...env,
  })
  const findings = await examine({
    db: service.db,
    config,
    server: await openServer(config),
    totals: true,
  })
  return Object.fromEntries(findings.map((finding) => [finding.check, finding]))
}

test('a sound installation is all ok, and the command says so', async () => {
  const findings = await found()
  for (const { check, state, message } of Object.values(findings)) {
    assert.equal(state, 'ok', `${check}: ${message}`)
  }
  const env = { DATABASE_URL: service.databaseUrl }
  const { code, out } = await lastro(['doctor', '--json'], env)
  assert.equal(code, 0, out)
  const checks = JSON.parse(out).map(({ check }: { check: string }) => check)
  assert.deepEqual(checks, Object.keys(findings))
})

const FAULTS: { fault: string; check: string; says: RegExp; plant: string; mend: string }[] = [
  {
    fault: 'a delivery that nobody makes',
    check: 'deliveries',
    says: /oldest for 3 h/,
    plant: "update webhook_queue set due = clock_timestamp() - interval '3 hours'",
    mend: 'update webhook_queue set due = clock_timestamp()',
  },
  {
    fault: 'a lease that has expired',
    check: 'leases',
    says: /expired/,
    plant: `update webhook_queue
      set token = gen_random_uuid(), due = clock_timestamp() - interval '1 hour'`,
    mend: 'update webhook_queue set token = null, due = clock_timestamp()',
  },
  {
    fault: 'a charge that is never issued',
    check: 'charges',
    says: /being issued/,
    plant: `update cobrancas
      set status = 'emitindo', criado_em = clock_timestamp() - interval '2 days'`,
    mend: "update cobrancas set status = 'pendente'",
  },
  {
    fault: 'a redelivery that does not end',
    check: 'redeliveries',
    says: /1 open/,
    plant: `insert into webhook_redeliveries (tenant_id, id, subscription_id, desde, ate, status,
        events, total, criado_em)
      select tenant_id, id, id, now(), now(), 'x', '{}', 1, now() - interval '2 days' from webhooks`,
    mend: 'delete from webhook_redeliveries',
  },
  {
    fault: 'a total that is wrong',
    check: 'totals',
    says: new RegExp(caller.empresa),
    plant: 'update totais_por_data set soma = soma + 1',
    mend: 'update totais_por_data set soma = soma - 1',
  },
]

for (const { fault, check, says, plant, mend } of FAULTS) {
  test(`it finds ${fault}`, async () => {
    await care.query(plant)
    const { [check]: finding, ...others } = await found()
    await care.query(mend)
    assert.equal(finding!.state, 'failed')
    assert.match(finding!.message, says)
    assert.ok(finding!.action)
    for (const other of Object.values(others)) assert.equal(other.state, 'ok', other.check)
  })
}

test('it finds a table that is not under row-level security, or shows more than one company', async () => {
  const faults = [
    ['alter table parceiros no force row level security', /parceiros: .*not forced/],
    ['create policy open on parceiros to lastro_app using (true)', /more than one company/],
    ['create policy open on parceiros for select using (true)', /more than one company/],
    ['drop policy care on parceiros', /care is missing/],
    ['drop policy company on parceiros', /company is missing/],
  ] as const
  for (const [plant, says] of faults) {
    const copy = await createTestDatabase()
    await copy.pool.query(plant)
    const { tables } = await found({ DATABASE_URL: copy.databaseUrl })
    assert.equal(tables!.state, 'failed', plant)
    assert.match(tables!.message, says)
  }
})

test('it finds partitions that are missing, and migrations', async () => {
  const copy = await createTestDatabase()
  const { rows } = await copy.pool.query(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'events'::regclass order by 1`,
  )
  for (const { name } of rows.slice(1)) await copy.pool.query(`drop table ${name}`)
  const { partitions } = await found({ DATABASE_URL: copy.databaseUrl })
  assert.equal(partitions!.state, 'failed')
  await copy.pool.query("delete from migrations where name = '0001_empresas.sql'")
  const { migrations, secrets } = await found({ DATABASE_URL: copy.databaseUrl })
  assert.equal(migrations!.state, 'failed')
  assert.match(migrations!.message, /0001_empresas/)
  assert.equal(secrets, undefined)
})

test('it finds a key that opens nothing, and secrets that are still under the previous one', async () => {
  const { secrets } = await found({ LASTRO_SECRET_KEY: keyOf(9) })
  assert.equal(secrets!.state, 'failed')
  assert.match(secrets!.action!, new RegExp(service.secrets.keyId))
  const rotating = await found({
    LASTRO_SECRET_KEY: keyOf(9),
    LASTRO_SECRET_KEY_PREVIOUS: keyOf(1),
  })
  assert.equal(rotating.secrets!.state, 'warning')
  const env = { DATABASE_URL: service.databaseUrl, LASTRO_SECRET_KEY: keyOf(9) }
  const { code, out } = await lastro(['doctor', '--no-totals'], env)
  assert.equal(code, 1)
  assert.match(out, /^failed +secrets +key/m)
  assert.match(out, /^secrets: Set LASTRO_SECRET_KEY/m)
})

test('a database that cannot be reached, or a wrong variable, is a finding', async () => {
  const absent = { DATABASE_URL: 'postgresql://x@localhost:1/x' }
  for (const env of [absent, { PORT: 'x' }]) {
    const { code, out } = await lastro(['doctor', '--json'], env)
    assert.equal(code, 1)
    assert.equal(JSON.parse(out)[0].state, 'failed')
  }
})

test('each command of care explains itself', async () => {
  const commands = ['auditoria list', 'doctor', 'backup', 'restore', 'secrets rotate']
  for (const command of [...commands, 'empresas export', 'empresas delete']) {
    const { code, out } = await lastro([...command.split(' '), '--help'], {})
    assert.equal(code, 0)
    assert.match(out, new RegExp(`^Usage: lastro ${command}`))
    assert.match(out, /--json/)
  }
})

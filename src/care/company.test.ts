import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { contents, fillBooks, recordAttempts } from '../../test/support/care.ts'
import { createLancamento } from '../../test/support/lancamento.ts'
import { lastro, temporaryFolder } from '../../test/support/process.ts'
import { startService } from '../../test/support/service.ts'
import { createEmpresa, listEmpresas } from '../empresas/empresas.ts'
import { deleteEmpresa } from './delete.ts'
import { exportEmpresa } from './export.ts'
import { SECRET_COLUMNS } from './sealed.ts'

const service = await startService()
const env = { DATABASE_URL: service.databaseUrl }
const [one, other] = [await service.caller(), await service.caller()]
for (const caller of [one, other]) {
  await fillBooks(service, caller)
  await recordAttempts(service, caller)
}

test('an export has every row of the company, and none of another', async () => {
  const file = join(temporaryFolder(), 'one.jsonl')
  const counts = await exportEmpresa(service.db, one.empresa, file)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const { row } of lines) assert.equal(row.tenant_id, one.empresa)
  assert.doesNotMatch(readFileSync(file, 'utf8'), new RegExp(other.empresa))
  const { totais_data, totais_vencimento, ...all } = await contents(service.db, one.empresa)
  for (const [table, rows] of Object.entries(all)) {
    assert.equal(lines.filter((line) => line.table === table).length, rows.length, table)
    assert.equal(counts[table], rows.length, table)
  }
  for (const table of ['lancamentos', 'events', 'webhook_attempts', 'cobrancas', 'chaves']) {
    assert.ok(counts[table]! > 0, table)
  }
})

test('an export has no secret', async () => {
  const { out } = await lastro(['empresas', 'export', one.empresa, '-'], env)
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const { table, row } of lines) {
    for (const column of SECRET_COLUMNS[table] ?? []) assert.ok(!(column in row), column)
  }
  assert.ok(!out.includes(`${service.secrets.keyId}.`))
})

test('a column that sounds like a secret is left out of exports, or known to be none', async () => {
  const { rows } = await service.pool.query(
    `select c.relname as table, a.attname as column from pg_attribute a
     join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace
     join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id'
     where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
       and a.attname ~ 'secret|hash|token|api_key|senha|password'`,
  )
  // The lease of a delivery, which ends in seconds.
  const harmless = ['webhook_queue.token']
  const listed = Object.entries(SECRET_COLUMNS).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`),
  )
  for (const { table, column } of rows) {
    assert.ok([...harmless, ...listed].includes(`${table}.${column}`), `${table}.${column}`)
  }
})

test('nothing is deleted without the exact name', async () => {
  const before = await contents(service.db)
  for (const nome of ['empresa', 'Empresa ', '']) {
    await assert.rejects(deleteEmpresa(service.db, one.empresa, nome), /nothing was deleted/)
  }
  const { code } = await lastro(['empresas', 'delete', one.empresa], env)
  assert.equal(code, 1)
  assert.deepEqual(await contents(service.db), before)
})

test('a company is deleted from every table, and the other one is as it was', async () => {
  const before = await contents(service.db, other.empresa)
  const had = await contents(service.db, one.empresa)
  const args = ['empresas', 'delete', one.empresa, '--confirm', 'Empresa', '--json']
  const { code, out, err } = await lastro(args, env)
  assert.equal(code, 0, err)
  const { rows } = JSON.parse(out)
  assert.equal(rows.lancamentos, had.lancamentos!.length)
  for (const [table, left] of Object.entries(await contents(service.db, one.empresa))) {
    assert.deepEqual(left, [], table)
  }
  assert.deepEqual(await contents(service.db, other.empresa), before)
  await createLancamento(other)
})

test('a company that is written to meanwhile is gone all the same', async () => {
  const caller = await service.caller()
  let writing = true
  let written = 0
  const writer = (async () => {
    while (writing) {
      const { status } = await caller
        .post('/parceiros', { nome: 'Parceiro' })
        .catch(() => ({ status: 0 }))
      if (status === 201) written++
    }
  })()
  while (written < 3) await new Promise((resolve) => setTimeout(resolve, 5))
  await deleteEmpresa(service.db, caller.empresa, 'Empresa')
  writing = false
  await writer
  for (const [table, left] of Object.entries(await contents(service.db, caller.empresa))) {
    assert.deepEqual(left, [], table)
  }
})

test('a company without anything is exported and deleted too', async () => {
  const empresa = await createEmpresa(service.db, { nome: 'Nova' })
  const file = join(temporaryFolder(), 'nova.jsonl')
  assert.equal((await exportEmpresa(service.db, empresa, file)).empresas, 1)
  await deleteEmpresa(service.db, empresa, 'Nova')
  assert.ok((await listEmpresas(service.db)).every(({ id }) => id !== empresa))
})

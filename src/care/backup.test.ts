import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { contents, fillBooks, recordAttempts } from '../../test/support/care.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { aLancamento } from '../../test/support/lancamento.ts'
import { dataFolder, lastro, serve, temporaryFolder } from '../../test/support/process.ts'
import { startService } from '../../test/support/service.ts'
import { findEmpresa } from '../empresas/empresas.ts'
import { verifyTotais } from '../lancamentos/totais.ts'
import { backup } from './backup.ts'
import { restore } from './restore.ts'

const service = await startService()
const folder = temporaryFolder()
const callers = [await service.caller(), await service.caller()]
for (const caller of callers) {
  await fillBooks(service, caller)
  await recordAttempts(service, caller)
}

async function emptyDatabase() {
  const database = await createTestDatabase()
  return {
    ...database,
    restore: (file: string) =>
      restore(database.db, { connectionString: database.databaseUrl }, file),
  }
}

const whole = join(folder, 'whole.backup')
const { rows, secret_keys } = await backup(service.db, whole)
const kept = await contents(service.db)
const text = gunzipSync(readFileSync(whole)).toString()
const target = await emptyDatabase()
const untouched = await contents(target.db)

test('what is restored is what was backed up, to the last character', async () => {
  assert.equal(rows.empresas, 2)
  assert.deepEqual(secret_keys, [service.secrets.keyId])
  assert.equal(statSync(whole).mode & 0o777, 0o600)
  const copy = await emptyDatabase()
  await copy.restore(whole)
  assert.deepEqual(await contents(copy.db), kept)
})

test('a month that has long passed is restored with its partition', async () => {
  const old = await emptyDatabase()
  const [empresa, record] = [crypto.randomUUID(), crypto.randomUUID()]
  await old.pool.query("select make_partition('events', '2020-02-01')")
  await old.db.care(async (tx) => {
    await tx.query(
      `insert into empresas (tenant_id, nome, modulo_cobrancas, modulo_integracoes)
       values ($1, 'Antiga', true, true)`,
      [empresa],
    )
    await tx.query('insert into empresa_counters (tenant_id, seq) values ($1, 1)', [empresa])
    await tx.query(
      `insert into events (tenant_id, id, seq, kind, record_id, actor_kind, data)
       values ($1, uuid_v7_floor('2020-02-29T23:59:59Z'), 1, 'lancamento.created', $2, 'sistema', '{}')`,
      [empresa, record],
    )
  })
  const file = join(folder, 'old.backup')
  await backup(old.db, file)
  const copy = await emptyDatabase()
  await copy.restore(file)
  assert.deepEqual(await contents(copy.db), await contents(old.db))
})

test('taken while many write, it has every write that was acknowledged before, and is of one moment', async () => {
  const acknowledged: string[] = []
  let writing = true
  const writers = callers.flatMap((caller) =>
    [1, 2].map(async () => {
      while (writing) {
        const { status, body } = await caller.post('/lancamentos', {
          ...aLancamento,
          centro_custo: `Centro ${acknowledged.length % 3}`,
        })
        assert.equal(status, 201)
        acknowledged.push(body.item.id)
      }
    }),
  )
  while (acknowledged.length < 20) await new Promise((resolve) => setTimeout(resolve, 10))
  const before = [...acknowledged]
  const file = join(folder, 'busy.backup')
  const env = { DATABASE_URL: service.databaseUrl }
  const outcome = await lastro(['backup', file, '--json'], env)
  writing = false
  await Promise.all(writers)
  assert.equal(outcome.code, 0, outcome.err)
  assert.ok(acknowledged.length > before.length)

  const copy = await createTestDatabase()
  const restored = await lastro(['restore', file], { DATABASE_URL: copy.databaseUrl })
  assert.equal(restored.code, 0, restored.err)
  assert.match(restored.out, /^Restored \d+ rows of 2 companies\.\n/)
  const ids = new Set<string>()
  for (const { empresa } of callers) {
    assert.equal(await verifyTotais(copy.db, empresa, false), 0)
    const reader = copy.db.reader(empresa)
    const entries = await reader.query<{ id: string }>(
      'select id from lancamentos where tenant_id = $1',
      [empresa],
    )
    for (const { id } of entries) ids.add(id)
    const [events] = await reader.query<{ count: bigint; last: bigint; counter: bigint }>(
      `select count(*), max(seq) as last,
         (select seq from empresa_counters where tenant_id = $1) as counter
       from events where tenant_id = $1`,
      [empresa],
    )
    assert.equal(events!.count, events!.last)
    assert.equal(events!.counter, events!.last)
    // Each entry is there together with the event of its creation.
    const [odd] = await reader.query<{ count: bigint }>(
      `select count(*) from (select id from lancamentos where tenant_id = $1) as l
       full join (select record_id from events
         where tenant_id = $1 and kind = 'lancamento.created') as e on e.record_id = l.id
       where l.id is null or e.record_id is null`,
      [empresa],
    )
    assert.equal(odd!.count, 0n)
  }
  for (const id of before) assert.ok(ids.has(id), id)
})

describe('a file is refused, and nothing of it is left', () => {
  const refused = async (content: Buffer | string, reason: RegExp) => {
    const file = join(folder, 'bad.backup')
    writeFileSync(file, content)
    await assert.rejects(target.restore(file), reason)
    assert.deepEqual(await contents(target.db), untouched)
  }

  test('cut off anywhere', async () => {
    const bytes = readFileSync(whole)
    for (const part of [0, 0.3, 0.9, 0.999]) {
      await refused(bytes.subarray(0, Math.floor(bytes.length * part)), /not a whole backup/)
    }
    const lines = text.split('\n')
    for (const cut of [1, 5, lines.length - 2]) {
      await refused(gzipSync(`${lines.slice(0, cut).join('\n')}\n`), /its end is missing/)
    }
    await refused(gzipSync(text.slice(0, -1)), /last line is cut off/)
  })

  test('changed by one character, or with a row more or less', async () => {
    await refused(gzipSync(text.replace('1234', '1235')), /checksum|no backup/)
    const lines = text.split('\n')
    await refused(gzipSync(lines.toSpliced(6, 1).join('\n')), /checksum|not a whole backup/)
    await refused(gzipSync(`${text}{}\n`), /something follows/)
  })

  test('that is something else', async () => {
    await refused('not even compressed', /not a whole backup/)
    await refused(gzipSync('{"a":1}\n'), /not a whole backup/)
    await assert.rejects(target.restore(join(folder, 'absent')), /absent cannot be read/)
  })

  test('of a newer version', async () => {
    const newer = /made by a newer version/
    await refused(gzipSync(text.replace('0001_empresas.sql', '9999_future.sql')), newer)
    await refused(gzipSync(text.replace('"format":1', '"format":2')), newer)
  })

  test('where there is a company already', async () => {
    await assert.rejects(
      restore(service.db, { connectionString: service.databaseUrl }, whole),
      /has companies already/,
    )
  })

  test('and the whole one is still welcome', async () => {
    await target.restore(whole)
    assert.deepEqual(await contents(target.db), kept)
  })
})

test('of an older version, without a column that has a default and a table that is new', async () => {
  const older = await emptyDatabase()
  await older.pool.query('alter table empresas drop column fuso_horario')
  const empresa = crypto.randomUUID()
  await older.db.system('lastro_care').query(
    `insert into empresas (tenant_id, nome, modulo_cobrancas, modulo_integracoes)
     values ($1, 'Antiga', true, true)`,
    [empresa],
  )
  await older.pool.query('drop table webhook_redeliveries')
  const file = join(folder, 'older.backup')
  await backup(older.db, file)
  const copy = await emptyDatabase()
  await copy.restore(file)
  assert.equal((await findEmpresa(copy.db, empresa)).fuso_horario, 'America/Sao_Paulo')
})

test('where it cannot be written it says so, and leaves nothing behind', async () => {
  const before = await readdir(folder)
  await assert.rejects(backup(service.db, join(folder, 'absent', 'x')), /cannot be written/)
  assert.deepEqual(await readdir(folder), before)
})

test('the embedded server: beside the running service, with a word about the key', async () => {
  const env = { LASTRO_DATA_DIR: await dataFolder(), LASTRO_SECRET_KEY: '' }
  const running = await serve(env)
  const created = await lastro(['empresas', 'create', '--nome', 'Acme'], env)
  assert.equal(created.code, 0, created.err)
  const file = join(folder, 'embedded.backup')
  const made = await lastro(['backup', file], env)
  assert.equal(made.code, 0, made.err)
  assert.match(made.out, /^Wrote \d+ rows of 1 companies to \S+\nKeep \S+\/secret\.key too/)
  const again = await lastro(['restore', file], env)
  assert.equal(again.code, 1)
  assert.match(again.err, /^The database has companies already.*LASTRO_DATA_DIR/)
  await running.end()
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, dropDatabase } from '../../test/support/database.ts'
import { migrate, refuseOldVersion } from './migrate.ts'
import { ensureRoles } from './roles.ts'

const { databaseUrl, pool } = await createTestDatabase()
const all = readdirSync(new URL('./migrations', import.meta.url)).sort()

/** An empty database beside the test's own. */
async function emptyDatabase(name: string): Promise<string> {
  const url = new URL(databaseUrl)
  const empty = `${url.pathname.slice(1)}_${name}`
  await pool.query(`create database ${empty} template template0`)
  url.pathname = `/${empty}`
  return url.href
}

async function drop(url: string): Promise<void> {
  await dropDatabase(pool, new URL(url).pathname.slice(1))
}

test('however many instances start at once, each migration runs once', async () => {
  const url = await emptyDatabase('together')
  const ran = await Promise.all(Array.from({ length: 5 }, () => migrate({ connectionString: url })))
  assert.deepEqual(ran.flat().sort(), all)
  assert.deepEqual(await migrate({ connectionString: url }), [])
  await drop(url)
})

test('databases of one server are migrated at once, though they share their roles', async () => {
  const urls = await Promise.all(['a', 'b', 'c'].map(emptyDatabase))
  const ran = await Promise.all(urls.map((url) => migrate({ connectionString: url })))
  for (const migrations of ran) assert.deepEqual(migrations, all)
  await Promise.all(urls.map(drop))
})

test('who writes and reads entries while their totals are moved does not notice', async () => {
  const url = await emptyDatabase('beside')
  const clients = Array.from({ length: 5 }, () => new pg.Client({ connectionString: url }))
  await Promise.all(clients.map((client) => client.connect()))
  const [owner, ...writers] = clients as [pg.Client, ...pg.Client[]]
  await ensureRoles(owner)
  await owner.query('create table migrations (name text primary key)')
  for (const name of all.filter((each) => each < '0017')) {
    await owner.query(readFileSync(new URL(`./migrations/${name}`, import.meta.url), 'utf8'))
    await owner.query('insert into migrations (name) values ($1)', [name])
  }
  let stop = false
  const writing = writers.map(async (client) => {
    const empresa = crypto.randomUUID()
    await client.query(`set role lastro_app; set app.tenant = '${empresa}'`)
    let written = 0
    for (; !stop; written += 100) {
      await client.query({
        name: 'write',
        text: `insert into lancamentos (tenant_id, id, data, descricao, tipo, valor, status,
            vencimento, juros, desconto)
          select $1, gen_random_uuid(), current_date, '', 'receita', 1, 'em_aberto',
            current_date, 0, 0
          from generate_series(1, 100)`,
        values: [empresa],
      })
    }
    const text = `select sum(quantidade)::int as total from totais_data
      where tenant_id = $1 and centro = '*' and grao = 'dia'`
    assert.equal((await client.query(text, [empresa])).rows[0].total, written)
  })
  await migrate({ connectionString: url }).finally(() => {
    stop = true
  })
  await Promise.all(writing)
  await Promise.all(clients.map((client) => client.end()))
  await drop(url)
})

test('a migration of a newer version is left alone', async () => {
  await pool.query("insert into migrations (name) values ('9999_from_the_future.sql')")
  assert.deepEqual(await migrate({ connectionString: databaseUrl }), [])
})

test('a user who may not create roles is told what to have run', async () => {
  const url = await emptyDatabase('poor')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const name = `poor_${process.pid}`
  // Stands for a database user without CREATEROLE: it is not a member of Lastro's roles.
  await client.query(`create role ${name} nologin`)
  await client.query(`grant ${name} to current_user`)
  await client.query(`set role ${name}`)
  await assert.rejects(ensureRoles(client), ({ message }: Error) => {
    assert.match(message, new RegExp(`grant lastro_app to "${name}";`))
    return true
  })
  await client.query('reset role')
  await client.query(`drop role ${name}`)
  await client.end()
  await drop(url)
})

test('PostgreSQL before 15.14 is refused in one sentence', () => {
  assert.throws(() => refuseOldVersion(150_013, '15.13'), /PostgreSQL 15\.13 is too old.*15\.14/)
  assert.throws(() => refuseOldVersion(140_020, '14.20'), /too old/)
  refuseOldVersion(150_014, '15.14')
  refuseOldVersion(180_004, '18.4')
})

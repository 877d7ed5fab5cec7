import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { createEmpresa } from '../empresas/empresas.ts'
import { ApiError } from '../errors.ts'
import { Database, type WriteTx } from './database.ts'
import { createPool } from './pool.ts'

const database = await createTestDatabase()
const company = await createEmpresa(database.db, { nome: 'Acme' })
// Notes of a company: enough to write to, and to see what was written.
await database.pool.query(`
  create table notes (tenant_id uuid not null, body text not null, check (body <> 'refused'));
  alter table notes enable row level security;
  alter table notes force row level security;
  grant select, insert on notes to lastro_app;
  create policy company on notes to lastro_app
    using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid))`)

const add = (tx: WriteTx, body: unknown) =>
  tx.query('insert into notes (tenant_id, body) values ($1, $2)', [tx.tenantId, body as string])

async function bodies(tenant = company): Promise<string[]> {
  const rows = await database.db
    .reader(tenant)
    .query<{ body: string }>('select body from notes order by body')
  return rows.map((row) => row.body)
}

describe('row-level security', () => {
  test('a company sees its own rows even where a query forgets to name it', async () => {
    const other = await createEmpresa(database.db, { nome: 'Outra' })
    await database.db.write(company, (tx) => add(tx, 'own'))
    await database.db.write(other, (tx) => add(tx, "the other's"))
    assert.deepEqual(await bodies(), ['own'])
    assert.deepEqual(await bodies(other), ["the other's"])
  })

  test('a row of another company cannot be written', async () => {
    const foreign = database.db.write(company, (tx) =>
      tx.query('insert into notes (tenant_id, body) values ($1, $2)', [
        crypto.randomUUID(),
        'foreign',
      ]),
    )
    await assert.rejects(foreign, { code: '42501' })
  })

  test('the role and the company end with the transaction', async () => {
    await database.db.reader(company).query('select 1')
    await database.db.write(company, (tx) => tx.query('select 1'))
    const { rows } = await database.pool.query(
      "select current_user = session_user as same, current_setting('app.tenant', true) as tenant",
    )
    assert.equal(rows[0].same, true)
    assert.ok(!rows[0].tenant)
  })
})

describe('one flush, and never half', () => {
  test('a parameter that cannot be serialized leaves nothing behind', async () => {
    const before = await bodies()
    for (const unserializable of [undefined, {}, Symbol('x'), Number.NaN, [1]]) {
      const half = database.db.write(company, async (tx) => {
        await add(tx, 'half')
        await add(tx, unserializable)
      })
      await assert.rejects(half, TypeError)
    }
    const deferred = database.db.write(company, async (tx) => {
      await add(tx, 'half')
      tx.defer('insert into notes (tenant_id, body) values ($1, $2)', [
        company,
        undefined as unknown as string,
      ])
    })
    await assert.rejects(deferred, TypeError)
    assert.deepEqual(await bodies(), before)
  })

  test('a server error before COMMIT leaves nothing behind, though it shares the flush', async () => {
    const before = await bodies()
    const half = database.db.write(company, async (tx) => {
      await add(tx, 'half')
      tx.defer('insert into notes (tenant_id, body) values ($1, $2)', [company, 'refused'])
      tx.defer('insert into notes (tenant_id, body) values ($1, $2)', [company, 'after'])
    })
    await assert.rejects(half, { code: '23514' })
    assert.deepEqual(await bodies(), before)
  })

  test('a server error that a rule swallows still commits nothing', async () => {
    const before = await bodies()
    const swallowed = database.db.write(company, async (tx) => {
      await add(tx, 'half')
      await add(tx, 'refused').catch(() => {})
    })
    await assert.rejects(swallowed, /rolled back/)
    assert.deepEqual(await bodies(), before)
  })

  test('a refusal by a rule rolls back and is passed on', async () => {
    const before = await bodies()
    const refused = database.db.write(company, async (tx) => {
      await add(tx, 'half')
      throw new ApiError('not-found')
    })
    await assert.rejects(refused, { code: 'not-found' })
    assert.deepEqual(await bodies(), before)
  })

  test('a connection lost in the middle is 503, leaves nothing behind, and is not used again', async () => {
    const before = await bodies()
    const lost = database.db.write(company, async (tx) => {
      await add(tx, 'half')
      const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
      await database.pool.query('select pg_terminate_backend($1)', [own!.pid])
      await add(tx, 'second half')
    })
    await assert.rejects(lost, { code: 'unavailable', status: 503 })
    assert.deepEqual(await bodies(), before)
  })

  test('statements of one connection keep working after a failure among them', async () => {
    for (let round = 0; round < 3; round++) {
      await assert.rejects(
        database.db.write(company, (tx) => add(tx, 'refused')),
        { code: '23514' },
      )
      await assert.rejects(database.db.reader(company).query('select nonsense'), { code: '42703' })
      assert.deepEqual(await database.db.reader(company).query('select 1 as one'), [{ one: 1 }])
    }
  })

  test('an array, a null, a bigint and a quote arrive as they were sent', async () => {
    const list = ['plain', 'with "quotes"', 'back\\slash', '{braces}', 'comma,', '']
    const [row] = await database.db
      .reader(company)
      .query('select $1::text[] as list, $2::text as nothing, $3::bigint as big', [
        list,
        null,
        2n ** 60n,
      ])
    assert.deepEqual(row, { list, nothing: null, big: 2n ** 60n })
  })
})

describe('one writer per company', () => {
  test('the second writer sees what the first has committed', async () => {
    const tenant = await createEmpresa(database.db, { nome: 'Contador' })
    const countAndAdd = () =>
      database.db.write(tenant, async (tx) => {
        const [row] = await tx.query<{ count: bigint }>(
          'select count(*) as count from notes where tenant_id = $1',
          [tenant],
        )
        await add(tx, String(row!.count))
      })
    await Promise.all(Array.from({ length: 20 }, countAndAdd))
    const numbers = (await bodies(tenant)).map(Number).sort((a, b) => a - b)
    assert.deepEqual(numbers, [...Array(20).keys()])
  })

  test('companies do not wait for each other', async () => {
    const other = await createEmpresa(database.db, { nome: 'Ligeira' })
    await database.db.write(company, async (tx) => {
      await add(tx, 'slow')
      await database.db.write(other, (fast) => add(fast, 'fast'))
    })
    assert.deepEqual(await bodies(other), ['fast'])
  })

  test('a company that does not exist cannot be written for', async () => {
    const nowhere = database.db.write(crypto.randomUUID(), (tx) => tx.query('select 1'))
    await assert.rejects(nowhere, /does not exist/)
  })
})

test('who waits too long for a connection is told to come back', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, () => database.pool.connect()))
  try {
    const waiting = database.db.reader(company).query('select 1')
    await assert.rejects(waiting, { code: 'unavailable', headers: { 'retry-after': '1' } })
  } finally {
    for (const client of all) client.release()
  }
})

test('a server that only reads, as a standby before it takes over, is 503 to a writer', async () => {
  const options = '-c default_transaction_read_only=on'
  const pool = createPool({ connectionString: database.databaseUrl, options }, () => {})
  try {
    const writing = new Database(pool).write(company, (tx) => add(tx, 'never'))
    await assert.rejects(writing, { code: 'unavailable' })
  } finally {
    await pool.end()
  }
})

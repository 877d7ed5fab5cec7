import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'

/** Tables that hold nothing of a company. */
const NOT_OF_A_COMPANY = ['migrations', 'retention', 'usuarios', 'sessoes', 'entradas_falhas']

const database = await createTestDatabase()

const names = (rows: { name: string }[]) => rows.map((row) => row.name)

test('every table of company data is led by tenant_id, with row-level security enabled and forced', async () => {
  const { rows } = await database.pool.query(
    `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as secured,
       (select a.attname from pg_index i
        join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indrelid = c.oid and i.indisprimary) as leads
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and c.relname <> all ($1)`,
    [NOT_OF_A_COMPANY],
  )
  assert.ok(rows.length >= 2)
  for (const table of rows) {
    assert.equal(table.leads, 'tenant_id', `primary key of ${table.name}`)
    assert.equal(table.secured, true, `row-level security of ${table.name}`)
  }
})

test('tenant_id leads every unique index and every foreign key', async () => {
  const { rows: indexes } = await database.pool.query(
    `select i.indexrelid::regclass::text as name
     from pg_index i
     join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
     left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where i.indisunique and c.relname <> all ($1) and a.attname is distinct from 'tenant_id'`,
    [NOT_OF_A_COMPANY],
  )
  assert.deepEqual(names(indexes), [])
  const { rows: keys } = await database.pool.query(
    `select k.conname as name from pg_constraint k
     join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
     join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and a.attname <> 'tenant_id' and c.relname <> all ($1)`,
    [NOT_OF_A_COMPANY],
  )
  assert.deepEqual(names(keys), [])
})

test('a company key is never null', async () => {
  const { rows } = await database.pool.query(
    `select c.relname as name from pg_attribute a
     join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace
     where c.relkind in ('r', 'p') and a.attname = 'tenant_id' and not a.attnotnull`,
  )
  assert.deepEqual(names(rows), [])
})

test('the roles own nothing, cannot sign in and cannot pass by row-level security', async () => {
  const { rows } = await database.pool.query(
    `select rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole,
       (select count(*)::int from pg_class c where c.relowner = r.oid) as owned
     from pg_roles r where rolname like 'lastro\\_%' order by rolname`,
  )
  assert.deepEqual(names(rows.map((row) => ({ name: row.rolname }))), [
    'lastro_app',
    'lastro_auth',
    'lastro_care',
    'lastro_operator',
    'lastro_worker',
  ])
  for (const { rolname, owned, ...rights } of rows) {
    assert.equal(owned, 0, rolname)
    for (const [right, has] of Object.entries(rights))
      assert.equal(has, false, `${rolname}: ${right}`)
  }
})

test('every table that holds something to keep is in the hands of care: a backup holds just those', async () => {
  const { rows } = await database.pool.query(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relpersistence = 'p' and c.relname <> 'migrations'
       and not ((select bool_and(has_table_privilege('lastro_care', c.oid, wanted))
           from unnest('{select,insert,update,delete}'::text[]) as wanted)
         and (not c.relrowsecurity or exists (select from pg_policy p
           where p.polrelid = c.oid and p.polname = 'care' and p.polcmd = '*'
             and p.polroles = array['lastro_care'::regrole::oid]
             and pg_get_expr(p.polqual, c.oid) = 'true'
             and pg_get_expr(p.polwithcheck, c.oid) = 'true')))`,
  )
  assert.deepEqual(names(rows), [])
})

test('nothing counts in a sequence: a backup holds none', async () => {
  const { rows } = await database.pool.query(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'S'`,
  )
  assert.deepEqual(names(rows), [])
})

test('columns that an index compares under row-level security are of leakproof types', async () => {
  const { rows } = await database.pool.query(
    `select distinct c.relname || '.' || a.attname as name
     from pg_index i
     join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
     where a.atttypid <> all ('{uuid,text,date,bigint,timestamptz,bytea,boolean}'::regtype[])
       and c.relname <> all ($1)`,
    [NOT_OF_A_COMPANY],
  )
  assert.deepEqual(names(rows), [])
})

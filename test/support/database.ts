import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { Database } from '../../src/db/database.ts'
import { createPool } from '../../src/db/pool.ts'
import { whenDone } from './cleanup.ts'

/**
 * A database of the test file's own: a copy of the migrated template, or an empty one; gone when the file is
 * done.
 */
export interface TestDatabase {
  databaseUrl: string
  db: Database
  pool: pg.Pool
}

export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const { LASTRO_TEST_URL: server, LASTRO_TEST_TEMPLATE: template } = process.env
  if (!server || !template) throw new Error('Run tests with `npm test`, or `npm test -- FILE`.')
  const name = `lastro_test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await copyTemplate(admin, name, empty ? 'template0' : template)
  const own = new URL(server)
  own.pathname = `/${name}`
  const pool = createPool({ connectionString: own.href }, () => {})
  whenDone(async () => {
    await pool.end()
    await dropDatabase(admin, name).finally(() => admin.end())
  })
  return { databaseUrl: own.href, pool, db: new Database(pool) }
}

/**
 * Without force PostgreSQL asks its own vacuum to leave; with it, it asks every client, but only a superuser
 * may ask the vacuum.
 */
export async function dropDatabase(admin: pg.Client | pg.Pool, name: string): Promise<void> {
  await admin.query(`drop database ${name}`).catch((error) => {
    if ((error as { code?: string }).code !== '55006') throw error
    return admin.query(`drop database ${name} with (force)`)
  })
}

/** Two files may copy at the same moment; PostgreSQL lets one of them wait, or refuses (55006). */
async function copyTemplate(admin: pg.Client, name: string, template: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.query(`create database ${name} template ${template} strategy file_copy`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error
    }
  }
}

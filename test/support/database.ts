import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { Database } from '../../src/db/database.ts'
import { createPool } from '../../src/db/pool.ts'

/** A database of the test file's own: a copy of the migrated template, gone when the file is done. */
export interface TestDatabase {
  databaseUrl: string
  db: Database
  pool: pg.Pool
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const { LASTRO_TEST_URL: server, LASTRO_TEST_TEMPLATE: template } = process.env
  if (!server || !template) throw new Error('Run tests with `npm test`, or `npm test -- FILE`.')
  const name = `lastro_test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await copyTemplate(admin, name, template)
  const own = new URL(server)
  own.pathname = `/${name}`
  const pool = createPool({ connectionString: own.href }, () => {})
  after(async () => {
    await pool.end()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  return { databaseUrl: own.href, pool, db: new Database(pool) }
}

/** Two files may copy at the same moment; PostgreSQL lets one of them wait, or refuses (55006). */
async function copyTemplate(admin: pg.Client, name: string, template: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.query(`create database ${name} template ${template}`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error
    }
  }
}

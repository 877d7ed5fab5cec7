import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '../errors.ts'
import { makePartitions } from './partitions.ts'
import { ensureRoles } from './roles.ts'
import { sqlState } from './sql-state.ts'

const FOLDER = new URL('./migrations/', import.meta.url)
/** Any number will do, as long as every version of Lastro uses the same. */
const MIGRATION_LOCK = 7_305_808_869_231_650_000n

/** For a minute or so. */
const TRIES = 100

/**
 * Brings the database up to this version and returns what was run. However many instances start at once,
 * one does the work and the others wait for it. Migrations that a newer version has run are left alone:
 * the versions live side by side.
 */
export async function migrate(connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await requireVersion(client)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await ensureRoles(client)
    await client.query(
      'create table if not exists migrations (name text primary key, run_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const done = new Set(rows.map((row) => row.name))
    const pending = (await knownMigrations()).filter((name) => !done.has(name))
    for (const name of pending) {
      await runBesideOthers(client, name, await readFile(new URL(name, FOLDER), 'utf8'))
    }
    await makePartitions(client)
    return pending
  } finally {
    await client.end()
  }
}

/**
 * The version before may be serving meanwhile. Whoever waits for a table makes everybody else wait behind them,
 * so this gives up before a request would, or a deadlock be seen, and comes again.
 */
async function runBesideOthers(client: pg.Client, name: string, sql: string): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      await client.query("begin; set local lock_timeout = '400ms'")
      await client.query(sql)
      await client.query('insert into migrations (name) values ($1)', [name])
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      // lock_not_available, deadlock_detected
      const waited = ['55P03', '40P01'].includes(sqlState(error) ?? '')
      if (!waited || left === 0) throw error
      await sleep(100 + Math.random() * 400)
    }
  }
}

/** What this version brings, in order. */
export async function knownMigrations(): Promise<string[]> {
  return (await readdir(FOLDER)).sort()
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number,
      current_setting('server_version') as version`,
  )
  refuseOldVersion(rows[0]!.number, rows[0]!.version)
}

/** Fifteen is the first with the permissions that the roles rely on; 15.14 closes its known holes. */
export function refuseOldVersion(number: number, version: string): void {
  if (number >= 150_014) return
  throw new OperatorError(
    `PostgreSQL ${version} is too old: Lastro needs 15.14 or later. Upgrade the server that DATABASE_URL names, or unset DATABASE_URL to use the embedded one.`,
  )
}

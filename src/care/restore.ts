import pg from 'pg'
import type { CareTx, Database } from '../db/database.ts'
import { knownMigrations } from '../db/migrate.ts'
import { makePartitionsOf } from '../db/partitions.ts'
import { sqlState } from '../db/sql-state.ts'
import { OperatorError } from '../errors.ts'
import { type Header, newer, readBackup } from './backup-file.ts'
import { keptTables, listOf, quote } from './tables.ts'

export interface RestoreSummary {
  rows: Record<string, number>
  secret_keys: string[]
}

/**
 * Puts a backup into a database that has no company yet: all of it in one transaction, or nothing. The file is
 * read twice, so that a damaged one is refused before anything is touched.
 */
export async function restore(
  db: Database,
  connection: pg.ClientConfig,
  file: string,
): Promise<RestoreSummary> {
  await refuseCompanies(db.system('lastro_care'))
  const header = await inspect(file)
  await makePartitionsOn(connection, header)
  const rows = await db
    .care((tx) => load(tx, file))
    .catch((error: unknown) => {
      if (!sqlState(error)?.startsWith('23')) throw error
      throw new OperatorError(
        `${file} cannot be put into this database: ${(error as Error).message}. Nothing was restored.`,
      )
    })
  return { rows, secret_keys: header.secret_keys }
}

async function inspect(file: string): Promise<Header> {
  const known = await knownMigrations()
  let header: Header | undefined
  await readBackup(file, {
    header: (found) => {
      if (found.migrations.some((name) => !known.includes(name))) throw newer(file)
      header = found
    },
  })
  return header!
}

/** As the tables' owner, whom no role stands in for. */
async function makePartitionsOn(connection: pg.ClientConfig, { partitions }: Header) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await makePartitionsOf(client, partitions)
  } finally {
    await client.end()
  }
}

async function load(tx: CareTx, file: string): Promise<Record<string, number>> {
  await tx.query('lock table empresas in share row exclusive mode')
  await refuseCompanies(tx)
  const here = new Map((await keptTables(tx)).map((table) => [table.name, table.columns]))
  let insert = ''
  const rows = await readBackup(file, {
    table: ({ table, columns }) => {
      const missing = columns.filter((column) => !here.get(table)?.includes(column))
      if (missing.length > 0) {
        throw new OperatorError(
          `${file} holds ${table} (${missing.join(', ')}), which this version of Lastro no longer has. Nothing was restored.`,
        )
      }
      // Only what was there then: columns that came later have their defaults.
      insert = `insert into ${quote(table)} (${listOf(columns)}) select ${listOf(columns)}
        from json_populate_recordset(null::${quote(table)}, $1::json)`
    },
    rows: async (batch) => {
      await tx.query(insert, [`[${batch.join(',')}]`])
    },
  })
  for (const [table, count] of Object.entries(rows)) {
    const [found] = await tx.query<{ count: bigint }>(`select count(*) from ${quote(table)}`)
    if (Number(found!.count) !== count) {
      throw new Error(`${table} has ${found!.count} rows, but the backup holds ${count}`)
    }
  }
  return rows
}

async function refuseCompanies(tx: CareTx): Promise<void> {
  const companies = await tx.query('select tenant_id from empresas limit 1')
  if (companies.length === 0) return
  throw new OperatorError(
    'The database has companies already, and a backup is restored only into one that has none: set LASTRO_DATA_DIR to a new folder, or DATABASE_URL to a new database.',
  )
}

import type { CareTx, Database } from '../db/database.ts'
import { type Content, FORMAT, type Header, linesOf, readBackup } from './backup-file.ts'
import { writeWhole } from './file.ts'
import { keysOf, sealedSecrets } from './sealed.ts'
import { DERIVED, keptTables, quote, rowsOf, type Table } from './tables.ts'

export interface BackupSummary {
  rows: Record<string, number>
  secret_keys: string[]
}

/** Everything of every company as it is at one moment, while the service goes on. */
export async function backup(db: Database, file: string): Promise<BackupSummary> {
  return db.care(
    async (tx) => {
      const tables = (await keptTables(tx)).filter(({ name }) => !DERIVED.includes(name))
      // No migration and no retention takes anything away meanwhile.
      const names = tables.map(({ name }) => quote(name)).join(', ')
      await tx.query(`lock table ${names} in access share mode`)
      const header = await headerOf(tx)
      let rows: BackupSummary['rows'] = {}
      const check = async (path: string) => {
        rows = await readBackup(path)
      }
      await writeWhole(file, linesOf(header, contentOf(tx, tables)), { gzip: true, check })
      return { rows, secret_keys: header.secret_keys }
    },
    { snapshot: true },
  )
}

async function* contentOf(tx: CareTx, tables: Table[]): AsyncGenerator<Content> {
  for (const table of tables) {
    yield { table: table.name, columns: table.columns, rows: rowsOf(tx, table) }
  }
}

async function headerOf(tx: CareTx): Promise<Header> {
  const migrations = await tx.query<{ name: string }>('select name from migrations order by name')
  const histories = await tx.query<{ history: string; months: string[] }>(
    `select p.relname::text as history,
       array_agg(to_date(right(c.relname, 7), 'YYYY_MM')::text) as months
     from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
     where p.relkind = 'p' and c.relkind = 'r' group by 1`,
  )
  return {
    format: FORMAT,
    created_at: new Date().toISOString(),
    migrations: migrations.map(({ name }) => name),
    partitions: Object.fromEntries(histories.map(({ history, months }) => [history, months])),
    secret_keys: keysOf(await sealedSecrets(tx)),
  }
}

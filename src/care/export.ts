import { pipeline } from 'node:stream/promises'
import type { CareTx, Database } from '../db/database.ts'
import { findEmpresa } from '../empresas/empresas.ts'
import { writeWhole } from './file.ts'
import { SECRET_COLUMNS } from './sealed.ts'
import { DERIVED, keptTables, rowsOf } from './tables.ts'

/**
 * Everything of one company as it is at one moment, as lines of JSON, to a file or (`-`) to standard output.
 * Returns how many rows of each table it has.
 */
export async function exportEmpresa(db: Database, id: string, file: string) {
  const empresa = await findEmpresa(db, id)
  const counts: Record<string, number> = {}
  await db.care(
    (tx) => {
      const lines = linesOf(tx, empresa.id, counts)
      return file === '-'
        ? pipeline(lines, process.stdout, { end: false })
        : writeWhole(file, lines)
    },
    { snapshot: true },
  )
  return counts
}

async function* linesOf(tx: CareTx, empresa: string, counts: Record<string, number>) {
  const tables = (await keptTables(tx)).filter(({ ofCompanies }) => ofCompanies)
  for (const table of tables.filter(({ name }) => !DERIVED.includes(name))) {
    const secret = SECRET_COLUMNS[table.name] ?? []
    const columns = table.columns.filter((column) => !secret.includes(column))
    counts[table.name] = 0
    for await (const rows of rowsOf(tx, { ...table, columns }, empresa)) {
      counts[table.name]! += rows.length
      yield rows.map((row) => `{"table":"${table.name}","row":${row}}\n`).join('')
    }
  }
}

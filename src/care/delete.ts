import type { Database } from '../db/database.ts'
import { findEmpresa } from '../empresas/empresas.ts'
import { OperatorError } from '../errors.ts'
import { keptTables, quote } from './tables.ts'

/** Every row of a company, in every table. Returns how many there were in each. */
export async function deleteEmpresa(db: Database, id: string, confirm: string) {
  const empresa = await findEmpresa(db, id)
  if (confirm !== empresa.nome) {
    throw new OperatorError(
      `Company ${empresa.id} is not named "${confirm}", so nothing was deleted: --confirm takes its exact name, which \`empresas list\` shows.`,
    )
  }
  return db.care(async (tx) => {
    // Its writers wait, and then find that it is gone.
    await tx.query('select seq from empresa_counters where tenant_id = $1 for update', [empresa.id])
    const tables = (await keptTables(tx)).filter(({ ofCompanies }) => ofCompanies).reverse()
    const counts: Record<string, number> = {}
    const deleteAll = async () => {
      let deleted = 0
      for (const { name } of tables) {
        const [row] = await tx.query<{ count: bigint }>(
          `with gone as (delete from ${quote(name)} where tenant_id = $1 returning 1)
           select count(*) from gone`,
          [empresa.id],
        )
        deleted += Number(row!.count)
        counts[name] = (counts[name] ?? 0) + Number(row!.count)
      }
      return deleted
    }
    // Until nothing is left: a worker may just have noted what came of an attempt.
    while ((await deleteAll()) > 0);
    return counts
  })
}

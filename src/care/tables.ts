import type { CareTx } from '../db/database.ts'

export interface Table {
  name: string
  /** Its rows belong to companies, by their `tenant_id`. */
  ofCompanies: boolean
  columns: string[]
  /** The column in which a row names another of the same table, where there is one. */
  parent: string | null
}

/** Kept by triggers as entries are written, as are their items: they come with the entries. */
export const DERIVED = ['totais_pendentes', 'totais_por_data', 'totais_por_vencimento']

/**
 * Every table that holds something to keep, each after those that it refers to, as the catalogue has them: a
 * table that a migration adds, and lets this role write, is here by itself. What is UNLOGGED may be gone any
 * moment.
 */
export async function keptTables(tx: CareTx): Promise<Table[]> {
  const rows = await tx.query<Table & { refers: string[] }>(
    `select c.relname::text as name,
       exists (select from pg_attribute a
         where a.attrelid = c.oid and a.attname = 'tenant_id') as "ofCompanies",
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
           and a.attgenerated = '' and (c.relname, a.attname) <> ('lancamentos', 'item')
         order by a.attnum) as columns,
       array(select t.relname::text from pg_constraint k join pg_class t on t.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as refers,
       (select a.attname::text from pg_constraint k
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[cardinality(k.conkey)]
         where k.conrelid = c.oid and k.confrelid = c.oid) as parent
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relpersistence = 'p' and has_table_privilege(c.oid, 'insert')
     order by c.relname`,
  )
  const ordered = new Map<string, Table>()
  const add = ({ refers, ...table }: (typeof rows)[number]) => {
    for (const row of rows) if (refers.includes(row.name)) add(row)
    ordered.set(table.name, table)
  }
  rows.forEach(add)
  return [...ordered.values()]
}

const ROWS_AT_ONCE = 500

/** The rows of a table, each as one line of JSON that is never parsed here: numbers stay as they are. */
export async function* rowsOf(
  tx: CareTx,
  { name, columns, parent }: Pick<Table, 'name' | 'columns' | 'parent'>,
  empresa?: string,
): AsyncGenerator<string[]> {
  await tx.query(
    `declare lines no scroll cursor for select row_to_json(r)::text as line
     from (select ${listOf(columns)} from ${quote(name)}
       ${empresa === undefined ? '' : 'where tenant_id = $1'}
       -- A tree of two levels: a row comes after the one it names.
       ${parent === null ? '' : `order by ${quote(parent)} nulls first`}) as r`,
    empresa === undefined ? [] : [empresa],
  )
  for (;;) {
    const rows = await tx.query<{ line: string }>(`fetch ${ROWS_AT_ONCE} from lines`)
    if (rows.length > 0) yield rows.map(({ line }) => line)
    if (rows.length < ROWS_AT_ONCE) break
  }
  await tx.query('close lines')
}

export function listOf(columns: readonly string[]): string {
  return columns.map(quote).join(', ')
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

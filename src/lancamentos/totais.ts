import type { Database, Tx } from '../db/database.ts'
import type { Add } from '../db/params.ts'

export interface Period {
  from?: string | undefined
  to?: string | undefined
}

/** What is kept and what waits to be added to it: see migration 0017. */
type Table = 'totais_data' | 'totais_vencimento'

/**
 * The kept rows of a period, both ends included, as a query: whole months by month, the edges by day. `$1` is
 * the company; the other values are added.
 */
export function keptRows(
  table: Table,
  centroCusto: string | undefined,
  period: Period,
  add: Add,
): string {
  return rowsOf(table, `centro = ${add(keyOf(centroCusto))}`, period, add)
}

/** As `keptRows`, of each cost centre by itself. */
export function keptRowsByCentro(table: Table, period: Period, add: Add): string {
  const rows = rowsOf(table, `centro <> '${ALL}'`, period, add)
  return `select *, substr(centro, 2) as centro_custo from (${rows}) as centros`
}

/** As `keptRows`, by day alone. */
export function keptDays(
  table: Table,
  centroCusto: string | undefined,
  { from, to }: { from: string; to: string },
  add: Add,
): string {
  return `select * from ${table} where tenant_id = $1 and centro = ${add(keyOf(centroCusto))}
    and grao = 'dia' and inicio between ${add(from)} and ${add(to)}`
}

/** The cost centres of a company's entries, as far as there are no more than so many. */
export async function listCentros(tx: Tx, limit: number): Promise<string[]> {
  // From each to the one after it by the key: however many totals there are, only these are read.
  const after = (centro: string) =>
    `(select min(centro) from totais_por_data where tenant_id = $1 and centro > ${centro})`
  const rows = await tx.query<{ nome: string }>(
    `with recursive centros (centro) as (
       select ${after("''")}
       union all select ${after('centros.centro')} from centros where centro is not null
     ), nomes as (
       select substr(centro, 2) as nome from centros where centro <> '${ALL}'
       union select centro_custo from totais_pendentes
       where tenant_id = $1 and centro_custo is not null limit $2
     )
     select nome from nomes
     -- What waits may have taken the last entry of one: only then is there anything to add up.
     where not exists (select from totais_pendentes
         where tenant_id = $1 and centro_custo = nome and quantidade < 0)
       or (select sum(quantidade) from totais_data
         where tenant_id = $1 and centro = '=' || nome and grao = 'mes') > 0
     order by nome collate "pt-BR-x-icu", nome`,
    [tx.tenantId, limit],
  )
  return rows.map(({ nome }) => nome)
}

/** No cost centre is kept like this: each begins with '='. */
const ALL = '*'

function keyOf(centroCusto: string | undefined): string {
  return centroCusto === undefined ? ALL : `=${centroCusto}`
}

function rowsOf(table: Table, ofCentro: string, { from, to }: Period, add: Add): string {
  const rows = (grao: 'dia' | 'mes', first?: string, after?: string) =>
    [
      `select * from ${table} where tenant_id = $1 and ${ofCentro} and grao = '${grao}'`,
      ...(first === undefined ? [] : [`inicio >= ${add(first)}`]),
      ...(after === undefined ? [] : [`inicio < ${add(after)}`]),
    ].join(' and ')
  const end = to === undefined ? undefined : Temporal.PlainDate.from(to).add({ days: 1 }).toString()
  const firstMonth = from === undefined ? undefined : nextMonthStart(from)
  const lastMonth = end === undefined ? undefined : `${end.slice(0, 7)}-01`
  if (firstMonth !== undefined && lastMonth !== undefined && firstMonth >= lastMonth) {
    return rows('dia', from, end)
  }
  return [
    rows('mes', firstMonth, lastMonth),
    ...(from === firstMonth ? [] : [rows('dia', from, firstMonth)]),
    ...(end === lastMonth ? [] : [rows('dia', lastMonth, end)]),
  ].join(' union all ')
}

/** The first day of a month on or after a day. */
function nextMonthStart(day: string): string {
  if (day.endsWith('-01')) return day
  return Temporal.PlainDate.from(day).with({ day: 1 }).add({ months: 1 }).toString()
}

/** The totals as they should be, beside the columns that tell one from another. */
const TABLES = {
  totais_por_data: {
    key: 'centro, grao, inicio, tipo, status',
    recomputed: `select centro, grao, inicio, tipo, status, count(*) as quantidade,
        sum(soma_de(status, valor, juros, desconto))::bigint as soma
      from lancamentos, grupos_de(centro_custo, data)
      where tenant_id = $1 group by centro, grao, inicio, tipo, status`,
  },
  totais_por_vencimento: {
    key: 'centro, grao, inicio, tipo',
    recomputed: `select centro, grao, inicio, tipo, count(*) as quantidade, sum(valor)::bigint as soma
      from lancamentos, grupos_de(centro_custo, vencimento)
      where tenant_id = $1 and status = 'em_aberto' group by centro, grao, inicio, tipo`,
  },
} as const

/** How many kept rows differ from what the entries say. With `fix`, they are written anew. */
export async function verifyTotais(db: Database, empresa: string, fix: boolean): Promise<number> {
  // As the company's only writer: nothing moves while it is counted.
  return db.write(empresa, async (tx) => {
    await tx.query('select somar_totais($1)', [tx.tenantId])
    let wrong = 0
    for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
      wrong += await countWrong(tx, table)
      if (fix) await recompute(tx, table)
    }
    return wrong
  })
}

async function countWrong(tx: Tx, table: keyof typeof TABLES): Promise<number> {
  const { key, recomputed } = TABLES[table]
  const [row] = await tx.query<{ wrong: bigint }>(
    `select count(*) as wrong
     from (select * from ${table} where tenant_id = $1) as kept
     full join (${recomputed}) as counted using (${key})
     where (kept.quantidade, kept.soma) is distinct from (counted.quantidade, counted.soma)`,
    [tx.tenantId],
  )
  return Number(row!.wrong)
}

async function recompute(tx: Tx, table: keyof typeof TABLES): Promise<void> {
  const { key, recomputed } = TABLES[table]
  const columns = `${key}, quantidade, soma`
  await tx.query(`delete from ${table} where tenant_id = $1`, [tx.tenantId])
  await tx.query(
    `insert into ${table} (tenant_id, ${columns}) select $1, ${columns} from (${recomputed}) as entries`,
    [tx.tenantId],
  )
}

import type { Database, Tx } from '../db/database.ts'

/** Under which cost centre the kept totals are looked up; `*` is all of them. */
export function centroKey(centroCusto: string | undefined): string {
  return centroCusto === undefined ? '*' : `=${centroCusto}`
}

/** The totals as they should be, beside the columns that are compared. */
const TABLES = {
  totais_dia: {
    columns: 'centro, data, tipo, status, quantidade, soma',
    recomputed: `select centro, data, tipo, status, count(*) as quantidade,
        sum(soma_de(status, valor, juros, desconto))::bigint as soma
      from lancamentos, unnest(centros_de(centro_custo)) as centro
      where tenant_id = $1 group by centro, data, tipo, status`,
  },
  totais_vencimento: {
    columns: 'centro, vencimento, tipo, quantidade, soma',
    recomputed: `select centro, vencimento, tipo, count(*) as quantidade, sum(valor)::bigint as soma
      from lancamentos, unnest(centros_de(centro_custo)) as centro
      where tenant_id = $1 and status = 'em_aberto' group by centro, vencimento, tipo`,
  },
} as const

/** How many kept rows differ from what the entries say. With `fix`, they are written anew. */
export async function verifyTotais(db: Database, empresa: string, fix: boolean): Promise<number> {
  // As the company's only writer: nothing moves while it is counted.
  return db.write(empresa, async (tx) => {
    let wrong = 0
    for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
      wrong += await countWrong(tx, table)
      if (fix) await recompute(tx, table)
    }
    return wrong
  })
}

async function countWrong(tx: Tx, table: keyof typeof TABLES): Promise<number> {
  const { columns, recomputed } = TABLES[table]
  const [row] = await tx.query<{ wrong: bigint }>(
    `with kept as (select ${columns} from ${table} where tenant_id = $1),
       counted as (select ${columns} from (${recomputed}) as entries)
     select (select count(*) from (select * from kept except select * from counted) as a)
       + (select count(*) from (select * from counted except select * from kept) as b) as wrong`,
    [tx.tenantId],
  )
  return Number(row!.wrong)
}

async function recompute(tx: Tx, table: keyof typeof TABLES): Promise<void> {
  const { columns, recomputed } = TABLES[table]
  await tx.query(`delete from ${table} where tenant_id = $1`, [tx.tenantId])
  await tx.query(
    `insert into ${table} (tenant_id, ${columns}) select $1, ${columns} from (${recomputed}) as entries`,
    [tx.tenantId],
  )
}

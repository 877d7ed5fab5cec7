import type { World } from './world.ts'

const AT_ONCE = 10_000

/**
 * Gives a company many entries, in SQL: five years, 20 cost centres, due 0 to 60 days after their date, most
 * of the past paid. They pass through the triggers like any other write.
 */
export async function fill({ db }: World, empresa: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) {
    progress(`${count} entries`, done / count)
    await db.write(empresa, (tx) =>
      tx.query(
        `insert into lancamentos (tenant_id, id, data, descricao, tipo, valor, status, vencimento,
           data_pagamento, juros, desconto, contraparte, centro_custo)
         select $1, uuid_v7(), dia, 'Entrada ' || n, tipo, valor, status, dia + prazo,
           case when status = 'pago' then dia + prazo end, 0, 0, 'Cliente ' || n % 500,
           'Centro ' || n % 20
         from (
           select n, current_date - (random() * 1825)::int as dia, (random() * 60)::int as prazo,
             (array['receita', 'despesa', 'despesa', 'transferencia'])[1 + (random() * 3)::int] as tipo,
             1 + (random() * 500000)::bigint as valor,
             (array['pago', 'pago', 'em_aberto', 'pago', 'cancelado'])[1 + (random() * 4)::int] as status
           from generate_series($2::int, $3::int) as n
         ) as spread`,
        [tx.tenantId, done + 1, Math.min(done + AT_ONCE, count)],
      ),
    )
  }
  progress(`${count} entries`, 1)
}

function progress(what: string, part: number): void {
  const filled = Math.round(part * 40)
  process.stderr.write(`\r${what} [${'#'.repeat(filled)}${'.'.repeat(40 - filled)}]`)
  if (part === 1) process.stderr.write('\n')
}

/** What the planner knows of a table that was just filled is nothing; a service in use has long been told. */
export async function settle({ pool }: World): Promise<void> {
  await pool.query('vacuum analyze')
}

import type { TestService } from './service.ts'

/** Each column of many entries, as SQL over `n`, which counts from 1. Money is in centavos. */
const COLUMNS = {
  data: "date '2026-06-22'",
  descricao: "'Em lote'",
  tipo: "'receita'",
  valor: '100',
  status: "'em_aberto'",
  vencimento: "date '2026-06-22'",
  juros: '0',
  desconto: '0',
  centro_custo: 'null::text',
}

/** Writes many entries of a company in one statement: no API could be waited for so often. */
export async function insertEntries(
  service: TestService,
  empresa: string,
  count: number,
  columns: Partial<typeof COLUMNS> = {},
): Promise<void> {
  const all = Object.entries({ ...COLUMNS, ...columns })
  const names = all.map(([name]) => name).join(', ')
  const values = all.map(([name, sql]) => `${sql} as ${name}`).join(', ')
  await service.db.write(empresa, (tx) =>
    tx.query(
      `insert into lancamentos (tenant_id, id, data_pagamento, ${names})
       select $1, uuid_v7(), case when status = 'pago' then data end, ${names}
       from (select ${values} from generate_series(1, ${count}) as n) as entries`,
      [empresa],
    ),
  )
}

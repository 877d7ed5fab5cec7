import type { Tx } from '../db/database.ts'
import { toReais } from '../http/money.ts'
import { refuseReversedPeriod } from '../lancamentos/lancamentos.ts'
import { type ResumoRow, sumLancamentos } from './queries.ts'
import type { Resumo, ResumoFilter } from './schema.ts'

/** Above so many entries the answer says that a client could not have summed them itself. */
const LARGE = 20_000

export async function getResumo(
  tx: Tx,
  filter: ResumoFilter,
  today: string,
  now: number,
): Promise<Resumo> {
  refuseReversedPeriod(filter)
  const day = Temporal.PlainDate.from(today)
  const rows = await sumLancamentos(tx, filter, {
    yesterday: day.subtract({ days: 1 }).toString(),
    today,
    in30Days: day.add({ days: 30 }).toString(),
  })
  const total = rows.reduce((sum, { quantidade }) => sum + quantidade, 0n)
  // Transfers are counted, but belong to no sum.
  const receita = rows.find(({ tipo }) => tipo === 'receita') ?? NOTHING
  const despesa = rows.find(({ tipo }) => tipo === 'despesa') ?? NOTHING
  return {
    realizado: {
      recebido: toReais(receita.realizado),
      pago: toReais(despesa.realizado),
      saldo: toReais(receita.realizado - despesa.realizado),
    },
    em_aberto: {
      a_receber: toReais(receita.em_aberto),
      a_pagar: toReais(despesa.em_aberto),
      saldo: toReais(receita.em_aberto - despesa.em_aberto),
    },
    vencido: { a_receber: toReais(receita.vencido), a_pagar: toReais(despesa.vencido) },
    proximos_30_dias: { a_receber: toReais(receita.proximos), a_pagar: toReais(despesa.proximos) },
    total_lancamentos: Number(total),
    truncado: total > LARGE,
    atualizado_em: new Date(now).toISOString(),
  }
}

const NOTHING: Omit<ResumoRow, 'tipo' | 'quantidade'> = {
  realizado: 0n,
  em_aberto: 0n,
  vencido: 0n,
  proximos: 0n,
}

import { type Static, Type } from 'typebox'
import { Day, Exactly, Ref } from '../http/schemas.ts'
import { Resumo } from '../resumo/schema.ts'

const FAIXAS = ['1-30', '31-60', '61-90', '90+'] as const
export type Faixa = (typeof FAIXAS)[number]

const reais = Type.Number()
const aReceberEPagar = { a_receber: reais, a_pagar: reais }

export const Painel = Exactly({
  /** The day it is in the company, which everything below but `centros` is about. */
  hoje: Day(),
  resumo: Ref(Resumo),
  /** Twelve months up to the current one, and the twelve after it. */
  meses: Type.Array(
    Exactly({ mes: Type.String(), recebido: reais, pago: reais, ...aReceberEPagar }),
  ),
  /** What is open, by how many days it is overdue. */
  vencidos: Type.Array(Exactly({ faixa: Type.Enum([...FAIXAS]), ...aReceberEPagar })),
  /** Each day from today to thirty days from now. */
  proximos_30_dias: Type.Array(Exactly({ dia: Day(), ...aReceberEPagar })),
  /** Those of the period in which most was moved, the largest first. */
  centros: Type.Array(Exactly({ centro_custo: Type.String(), receitas: reais, despesas: reais })),
})
export type Painel = Static<typeof Painel>

export const CentrosCusto = Exactly({ items: Type.Array(Type.String()), limit: Type.Integer() })
export type CentrosCusto = Static<typeof CentrosCusto>

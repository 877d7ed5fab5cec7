import { type Static, Type } from 'typebox'
import { Day, Exactly, Instant, Text } from '../http/schemas.ts'

const reais = Type.Number({ examples: [1234.56] })
const aReceberEPagar = { a_receber: reais, a_pagar: reais }

export const Resumo = Exactly(
  {
    realizado: Exactly(
      { recebido: reais, pago: reais, saldo: reais },
      { description: 'Lançamentos pagos, com juros e desconto.' },
    ),
    em_aberto: Exactly(
      { ...aReceberEPagar, saldo: reais },
      { description: 'Lançamentos em aberto, inclusive os vencidos.' },
    ),
    vencido: Exactly(aReceberEPagar, { description: 'Em aberto com vencimento antes de hoje.' }),
    proximos_30_dias: Exactly(aReceberEPagar, {
      description: 'Em aberto com vencimento de hoje até daqui a 30 dias.',
    }),
    total_lancamentos: Type.Integer({ description: 'Quantos lançamentos o filtro alcança.' }),
    truncado: Type.Boolean({
      description: 'true acima de 20.000 lançamentos. As somas são exatas assim mesmo.',
    }),
    atualizado_em: Instant(),
  },
  {
    $id: 'Resumo',
    title: 'Resumo',
    description: 'Transferências e lançamentos cancelados não entram em nenhuma soma.',
  },
)
export type Resumo = Static<typeof Resumo>

export const ResumoFilter = Exactly({
  data_de: Type.Optional(Day({ description: 'Data a partir de, inclusive.' })),
  data_ate: Type.Optional(Day({ description: 'Data até, inclusive.' })),
  centro_custo: Type.Optional(
    Text(0, 200, { description: 'Centro de custo, texto exato.', examples: ['Matriz'] }),
  ),
})
export type ResumoFilter = Static<typeof ResumoFilter>

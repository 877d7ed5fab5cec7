import { type Static, Type } from 'typebox'
import { Day, Enum, Exactly, Id, Instant, Nullable, PAGE, Reais, Text } from '../http/schemas.ts'

const TIPOS = ['receita', 'despesa', 'transferencia'] as const
const STATUS = ['em_aberto', 'pago', 'cancelado'] as const
/** What the list can be filtered by: `vencido` is open and past its due date, not a status of its own. */
const STATUS_FILTER = [...STATUS, 'vencido'] as const

const data = Day({ description: 'Data do lançamento.' })
const descricao = Text(1, 500, { description: 'Descrição.', examples: ['Mensalidade de junho'] })
const tipo = Enum(TIPOS, { description: 'Receita, despesa ou transferência entre contas.' })
const valor = Reais(0.01, { description: 'Valor em reais.' })
const status = Enum(STATUS, { description: 'Situação do pagamento.' })
const vencimento = Day({ description: 'Vencimento; se omitido, a data do lançamento.' })
const dataPagamento = Nullable(Day(), {
  description: 'Dia do pagamento; somente quando pago. Se omitido, a data na criação, hoje depois.',
})
export const juros = Reais(0, { description: 'Juros do pagamento.', examples: [0] })
export const desconto = Reais(0, {
  description: 'Desconto do pagamento; no máximo valor + juros.',
  examples: [0],
})
const contraparte = Nullable(Text(0, 200), {
  description: 'Nome de quem paga ou recebe.',
  examples: ['Cliente Exemplo Ltda'],
})
const centroCusto = Nullable(Text(0, 200), {
  description: 'Centro de custo, texto livre.',
  examples: ['Matriz'],
})
const observacoes = Nullable(Text(0, 5000), { description: 'Observações.' })
const parceiroId = Nullable(Id(), { description: 'Parceiro do lançamento.' })
const categoriaId = Nullable(Id(), { description: 'Categoria do lançamento.' })
const contaBancariaId = Nullable(Id(), { description: 'Conta bancária do lançamento.' })

const readOnly = {
  id: Id(),
  valor_pago: Nullable(Type.Number(), {
    description: 'valor + juros − desconto quando pago; senão null.',
    examples: [1234.56],
  }),
  criado_em: Instant(),
  atualizado_em: Instant(),
}

export const Lancamento = Exactly(
  {
    id: readOnly.id,
    data,
    descricao,
    tipo,
    valor,
    status,
    vencimento,
    data_pagamento: dataPagamento,
    juros,
    desconto,
    valor_pago: readOnly.valor_pago,
    contraparte,
    centro_custo: centroCusto,
    observacoes,
    parceiro_id: parceiroId,
    categoria_id: categoriaId,
    conta_bancaria_id: contaBancariaId,
    criado_em: readOnly.criado_em,
    atualizado_em: readOnly.atualizado_em,
  },
  {
    $id: 'Lancamento',
    title: 'Lançamento',
    examples: [
      {
        id: '019ef8a1-7b3c-7c2d-9a54-3f6f0c1d2e4b',
        data: '2026-06-22',
        descricao: 'Mensalidade de junho',
        tipo: 'receita',
        valor: 1234.56,
        status: 'pago',
        vencimento: '2026-06-22',
        data_pagamento: '2026-06-22',
        juros: 0,
        desconto: 0,
        valor_pago: 1234.56,
        contraparte: 'Cliente Exemplo Ltda',
        centro_custo: 'Matriz',
        observacoes: null,
        parceiro_id: null,
        categoria_id: null,
        conta_bancaria_id: null,
        criado_em: '2026-06-22T14:03:07.123Z',
        atualizado_em: '2026-06-22T14:03:07.123Z',
      },
    ],
  },
)
export type Lancamento = Static<typeof Lancamento>

export const NewLancamento = Exactly(
  {
    data,
    descricao,
    tipo,
    valor,
    status: Type.Optional(Nullable(status, { default: 'em_aberto' })),
    vencimento: Type.Optional(Nullable(vencimento)),
    data_pagamento: Type.Optional(dataPagamento),
    juros: Type.Optional(Nullable(juros, { default: 0 })),
    desconto: Type.Optional(Nullable(desconto, { default: 0 })),
    contraparte: Type.Optional(contraparte),
    centro_custo: Type.Optional(centroCusto),
    observacoes: Type.Optional(observacoes),
    parceiro_id: Type.Optional(parceiroId),
    categoria_id: Type.Optional(categoriaId),
    conta_bancaria_id: Type.Optional(contaBancariaId),
  },
  {
    examples: [
      {
        data: '2026-06-22',
        descricao: 'Mensalidade de junho',
        tipo: 'receita',
        valor: 1234.56,
        contraparte: 'Cliente Exemplo Ltda',
        status: 'pago',
      },
      {
        data: '2026-06-01',
        descricao: 'Aluguel',
        tipo: 'despesa',
        valor: 3500,
        vencimento: '2026-06-10',
        centro_custo: 'Matriz',
      },
    ],
  },
)
export type NewLancamento = Static<typeof NewLancamento>

export const LancamentoPatch = Exactly(
  {
    data: Type.Optional(data),
    descricao: Type.Optional(descricao),
    tipo: Type.Optional(tipo),
    valor: Type.Optional(valor),
    status: Type.Optional(status),
    vencimento: Type.Optional(vencimento),
    data_pagamento: Type.Optional(dataPagamento),
    juros: Type.Optional(juros),
    desconto: Type.Optional(desconto),
    contraparte: Type.Optional(contraparte),
    centro_custo: Type.Optional(centroCusto),
    observacoes: Type.Optional(observacoes),
    parceiro_id: Type.Optional(parceiroId),
    categoria_id: Type.Optional(categoriaId),
    conta_bancaria_id: Type.Optional(contaBancariaId),
    id: Type.Optional(readOnly.id),
    valor_pago: Type.Optional(readOnly.valor_pago),
    criado_em: Type.Optional(readOnly.criado_em),
    atualizado_em: Type.Optional(readOnly.atualizado_em),
  },
  {
    minProperties: 1,
    description:
      'Os campos a mudar. Os somente leitura são aceitos quando iguais aos guardados, para que um item lido possa ser editado e enviado de volta.',
    examples: [
      { status: 'pago', data_pagamento: '2026-06-23', juros: 12.5 },
      { status: 'em_aberto' },
      { descricao: 'Mensalidade de junho (revisada)', centro_custo: null },
    ],
  },
)
export type LancamentoPatch = Static<typeof LancamentoPatch>

export const LancamentoFilter = Exactly({
  tipo: Type.Optional(Enum(TIPOS, { examples: ['receita'] })),
  status: Type.Optional(
    Enum(STATUS_FILTER, {
      description: 'vencido: em aberto com vencimento antes de hoje. em_aberto inclui os vencidos.',
      examples: ['em_aberto'],
    }),
  ),
  data_de: Type.Optional(Day({ description: 'Data a partir de, inclusive.' })),
  data_ate: Type.Optional(Day({ description: 'Data até, inclusive.' })),
  centro_custo: Type.Optional(
    Text(0, 200, { description: 'Centro de custo, texto exato.', examples: ['Matriz'] }),
  ),
  ...PAGE,
})
export type LancamentoFilter = Static<typeof LancamentoFilter>

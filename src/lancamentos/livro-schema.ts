import { type Static, Type } from 'typebox'
import { Day, Enum, Exactly, Id, ListOf, Ref, Text } from '../http/schemas.ts'
import { desconto, juros, Lancamento, LancamentoFilter } from './schema.ts'

const { limit, offset, ...ofApi } = LancamentoFilter.properties

const filter = {
  ...ofApi,
  vencimento_de: Type.Optional(Day()),
  vencimento_ate: Type.Optional(Day()),
  /** In descricao or contraparte, whatever their case and accents. */
  busca: Type.Optional(Text(1, 200)),
  parceiro_id: Type.Optional(Id()),
  /** An area is meant with its subcategories. */
  categoria_id: Type.Optional(Id()),
}

/** What an export is filtered by. */
export const LivroFilter = Exactly(filter)
export type LivroFilter = Static<typeof LivroFilter>

export const LivroPage = Exactly({ ...filter, limit, offset })
export type LivroPage = Static<typeof LivroPage>

/** A page of entries, and what all that match the filter amount to: without cancelled ones and transfers. */
export const Livro = Exactly({
  ...ListOf(Ref(Lancamento)).properties,
  somas: Exactly({ receitas: Type.Number(), despesas: Type.Number(), saldo: Type.Number() }),
})
export type Livro = Static<typeof Livro>

const ACOES = ['pagar', 'reverter', 'cancelar', 'reabrir', 'excluir', 'restaurar'] as const
export type Acao = (typeof ACOES)[number]

/** One action on several entries. The day is of `pagar`; interest and discount are of one entry's payment. */
export const Lote = Exactly({
  acao: Enum(ACOES),
  ids: Type.Array(Id(), { minItems: 1, maxItems: 500 }),
  data_pagamento: Type.Optional(Day()),
  juros: Type.Optional(juros),
  desconto: Type.Optional(desconto),
})
export type Lote = Static<typeof Lote>

/** The entries as they now are, or were, in the order of the ids. */
export const LoteFeito = Exactly({ items: Type.Array(Ref(Lancamento)) })
export type LoteFeito = Static<typeof LoteFeito>

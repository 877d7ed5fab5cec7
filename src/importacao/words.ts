/** A word as it is compared: in lower case, without accents and what is no letter. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

function reader<T extends string>(words: Record<T, string>): (text: string) => T | undefined {
  const meant = new Map(
    (Object.entries(words) as [T, string][]).flatMap(([meaning, all]) =>
      all.split(',').map((word) => [fold(word), meaning] as const),
    ),
  )
  return (text) => meant.get(fold(text))
}

export const readTipo = reader({
  receita: 'receita, receitas, entrada, crédito, credit, C, R, recebimento, a receber, receber',
  despesa: 'despesa, despesas, saída, débito, debit, D, pagamento, a pagar, pagar',
  transferencia: 'transferência, transferências, transf, T',
})

export const readStatus = reader({
  pago: 'pago, paga, recebido, recebida, quitado, quitada, liquidado, liquidada, realizado, paid',
  em_aberto:
    'em aberto, em_aberto, aberto, aberta, pendente, a pagar, a receber, vencido, vencida, atrasado, previsto, open',
  cancelado: 'cancelado, cancelada, estornado, estornada, cancelled, canceled',
})

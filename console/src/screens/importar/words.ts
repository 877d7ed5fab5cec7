import type { Campo } from '../../../../src/importacao/limits.ts'

export const CAMPO_WORDS: Record<Campo, string> = {
  data: 'Data',
  descricao: 'Descrição',
  valor: 'Valor',
  credito: 'Crédito',
  debito: 'Débito',
  tipo: 'Tipo',
  vencimento: 'Vencimento',
  status: 'Situação',
  data_pagamento: 'Data do pagamento',
  juros: 'Juros',
  desconto: 'Desconto',
  contraparte: 'Contraparte',
  centro_custo: 'Centro de custo',
  categoria: 'Categoria',
  observacoes: 'Observações',
  id: 'Id no Lastro',
}

/** A field as the server names it; a whole line is none. */
export const campoName = (campo: string) => CAMPO_WORDS[campo as Campo] ?? 'Linha'

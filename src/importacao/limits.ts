// Nothing is imported here: the console knows these too.

/** What a column of a file can be. */
export const CAMPOS = [
  'data',
  'descricao',
  'valor',
  'credito',
  'debito',
  'tipo',
  'vencimento',
  'status',
  'data_pagamento',
  'juros',
  'desconto',
  'contraparte',
  'centro_custo',
  'categoria',
  'observacoes',
  'id',
] as const
export type Campo = (typeof CAMPOS)[number]

/** Of a file: 8 MiB of JSON hold this much in base64. */
export const MAX_BYTES = 6_000_000
export const MAX_LINHAS = 10_000
export const MAX_COLUNAS = 200

import type { Lancamento, NewLancamento } from '../../../../src/lancamentos/schema.ts'
import { day } from '../../lib/format.ts'
import { parseReais, typedReais } from '../../lib/money.ts'
import { SITUACAO_WORDS, TIPO_WORDS } from '../../lib/words.ts'
import type { ConflictField } from '../../ui/conflict.tsx'
import { CategoriaNome, ParceiroNome } from './names.tsx'

/** An entry as a form holds it: amounts as they are typed, and nothing is an empty text. */
export interface EntryValues {
  tipo: Lancamento['tipo']
  descricao: string
  valor: string
  data: string
  vencimento: string
  status: Lancamento['status']
  data_pagamento: string
  juros: string
  desconto: string
  parceiro_id: string
  contraparte: string
  categoria_id: string
  centro_custo: string
  observacoes: string
}

export const emptyEntry = (today: string): EntryValues => ({
  tipo: 'despesa',
  descricao: '',
  valor: '',
  data: today,
  vencimento: today,
  status: 'em_aberto',
  data_pagamento: '',
  juros: '',
  desconto: '',
  parceiro_id: '',
  contraparte: '',
  categoria_id: '',
  centro_custo: '',
  observacoes: '',
})

const typed = (value: number) => (value === 0 ? '' : typedReais(value))

export const valuesOf = (entry: Lancamento): EntryValues => ({
  tipo: entry.tipo,
  descricao: entry.descricao,
  valor: typed(entry.valor),
  data: entry.data,
  vencimento: entry.vencimento,
  status: entry.status,
  data_pagamento: entry.data_pagamento ?? '',
  juros: typed(entry.juros),
  desconto: typed(entry.desconto),
  parceiro_id: entry.parceiro_id ?? '',
  contraparte: entry.contraparte ?? '',
  categoria_id: entry.categoria_id ?? '',
  centro_custo: entry.centro_custo ?? '',
  observacoes: entry.observacoes ?? '',
})

/** The same once more, to be paid yet. */
export const copyOf = (entry: Lancamento): EntryValues => ({
  ...valuesOf(entry),
  status: 'em_aberto',
  data_pagamento: '',
  juros: '',
  desconto: '',
})

export const isPaid = ({ status }: EntryValues) => status === 'pago'

const amount = (text: string) => (text.trim() === '' ? 0 : parseReais(text))

export function faultsOf(values: EntryValues): Partial<Record<keyof EntryValues, string>> {
  const { descricao, valor, data, vencimento, data_pagamento, juros, desconto } = values
  const example = 'Informe um valor, como 1.234,56.'
  return {
    ...(descricao.trim() ? {} : { descricao: 'Informe uma descrição.' }),
    ...(parseReais(valor) ? {} : { valor: example }),
    ...(data ? {} : { data: 'Informe a data.' }),
    ...(vencimento ? {} : { vencimento: 'Informe o vencimento.' }),
    ...(isPaid(values) && !data_pagamento ? { data_pagamento: 'Informe o dia.' } : {}),
    ...(amount(juros) === undefined ? { juros: example } : {}),
    ...(amount(desconto) === undefined ? { desconto: example } : {}),
  }
}

/** What is sent of values without fault. */
export function bodyOf(values: EntryValues) {
  const { tipo, data, vencimento, status, data_pagamento } = values
  return {
    tipo,
    data,
    vencimento,
    status,
    descricao: values.descricao.trim(),
    valor: parseReais(values.valor)!,
    data_pagamento: isPaid(values) ? data_pagamento : null,
    juros: amount(values.juros)!,
    desconto: amount(values.desconto)!,
    parceiro_id: values.parceiro_id || null,
    contraparte: values.contraparte.trim() || null,
    categoria_id: values.categoria_id || null,
    centro_custo: values.centro_custo.trim() || null,
    observacoes: values.observacoes.trim() || null,
  } satisfies NewLancamento
}

/** As the server would tell it once it is kept, so that only what differs does. */
export function asKept(values: EntryValues): EntryValues {
  const { valor, juros, desconto, ...body } = bodyOf(values)
  return {
    ...body,
    valor: typed(valor),
    juros: typed(juros),
    desconto: typed(desconto),
    data_pagamento: body.data_pagamento ?? '',
    parceiro_id: body.parceiro_id ?? '',
    contraparte: body.contraparte ?? '',
    categoria_id: body.categoria_id ?? '',
    centro_custo: body.centro_custo ?? '',
    observacoes: body.observacoes ?? '',
  }
}

export const ENTRY_FIELDS: readonly ConflictField<EntryValues>[] = [
  { name: 'tipo', label: 'Tipo', show: ({ tipo }) => TIPO_WORDS[tipo] },
  { name: 'descricao', label: 'Descrição', show: ({ descricao }) => descricao },
  { name: 'valor', label: 'Valor', show: ({ valor }) => valor },
  { name: 'data', label: 'Data', show: ({ data }) => day(data) },
  { name: 'vencimento', label: 'Vencimento', show: ({ vencimento }) => day(vencimento) },
  { name: 'status', label: 'Situação', show: ({ status }) => SITUACAO_WORDS[status].name },
  { name: 'data_pagamento', label: 'Pago em', show: (entry) => day(entry.data_pagamento) },
  { name: 'juros', label: 'Juros', show: ({ juros }) => juros },
  { name: 'desconto', label: 'Desconto', show: ({ desconto }) => desconto },
  {
    name: 'parceiro_id',
    label: 'Parceiro',
    show: ({ parceiro_id: id }) => id && <ParceiroNome id={id} />,
  },
  { name: 'contraparte', label: 'Contraparte', show: ({ contraparte }) => contraparte },
  {
    name: 'categoria_id',
    label: 'Categoria',
    show: ({ categoria_id: id }) => id && <CategoriaNome id={id} />,
  },
  { name: 'centro_custo', label: 'Centro de custo', show: (entry) => entry.centro_custo },
  { name: 'observacoes', label: 'Observações', show: ({ observacoes }) => observacoes },
]

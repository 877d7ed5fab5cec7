import { isUuid } from '../db/uuid.ts'
import { parseAmount } from './amount.ts'
import { type CsvRecord, PREAMBLE } from './csv.ts'
import { dayOrderOf, parseDay } from './day.ts'
import type { Campo } from './limits.ts'
import type { Colunas, Mapeamento } from './schema.ts'
import { fold, readStatus, readTipo } from './words.ts'

/** A table as a person sees it: named columns, and what is below. */
export interface Sheet {
  colunas: string[]
  rows: CsvRecord[]
}

/** What columns are called, the likeliest first. */
const NAMES: Record<Campo, string> = {
  data: 'data, data lançamento, data do lançamento, data movimento, data movimentação, data mov, data transação, data da transação, data emissão, emissão, data competência, competência, dia, dt, date',
  descricao:
    'descrição, histórico, lançamento, descrição do lançamento, detalhes, título, title, description, memo, transação',
  valor:
    'valor, valor r, valor do lançamento, valor lançamento, valor total, quantia, montante, amount, value',
  credito: 'crédito, créditos, entrada, entradas, valor crédito, crédito r, entradas r, credit',
  debito: 'débito, débitos, saída, saídas, valor débito, débito r, saídas r, debit',
  tipo: 'tipo, natureza, tipo de lançamento, tipo lançamento, d c, c d, dc, cd, débito crédito, entrada saída, type',
  vencimento: 'vencimento, data vencimento, data de vencimento, data do vencimento, venc, due date',
  status: 'situação, status, estado',
  data_pagamento:
    'pagamento, data pagamento, data de pagamento, data do pagamento, pago em, data baixa, data da baixa, data recebimento, data de recebimento',
  juros: 'juros, juros e multa, multa e juros, acréscimo, acréscimos',
  desconto: 'desconto, descontos, abatimento',
  contraparte:
    'contraparte, favorecido, favorecido pagador, cliente, fornecedor, cliente fornecedor, beneficiário, pagador, parceiro, nome, razão social',
  centro_custo: 'centro de custo, centro de custos, centro custo, cost center',
  categoria: 'categoria, classificação, category',
  observacoes: 'observações, observação, obs, notas, anotações, comentários, notes',
  id: 'id',
}
const KNOWN = Object.entries(NAMES).map(
  ([campo, names]) => [campo as Campo, names.split(',').map(fold)] as const,
)

export function sheetOf(records: CsvRecord[]): Sheet {
  const known = records
    .slice(0, PREAMBLE)
    .findIndex(({ cells }) => Object.keys(columnsByName(cells)).length >= 2)
  const header = known < 0 && records[0] && isHeader(records[0]) ? 0 : known
  const rows = records.slice(header + 1)
  const names = records[header]?.cells ?? widest(rows).map(() => '')
  // A separator that ends every line makes no column.
  const last = names.findLastIndex((name, i) => name !== '' || rows.some(({ cells }) => cells[i]))
  const colunas = names.slice(0, last + 1).map((name, i) => name || `Coluna ${i + 1}`)
  return { colunas, rows }
}

function widest(rows: CsvRecord[]): string[] {
  return rows.reduce<string[]>((most, { cells }) => (cells.length > most.length ? cells : most), [])
}

/** Nothing in it is what it would be the name of. */
function isHeader({ cells }: CsvRecord): boolean {
  return cells.every((cell) => parseDay(cell) === undefined && parseAmount(cell) === undefined)
}

function columnsByName(names: string[]): Colunas {
  const folded = names.map(fold)
  const columns: Colunas = {}
  for (const [campo, all] of KNOWN) {
    const name = all.find((each) => folded.includes(each))
    if (name !== undefined) columns[campo] = folded.indexOf(name)
  }
  return columns
}

/** What the columns are, as far as their names and what is in them tell. */
export function guess({ colunas, rows }: Sheet): Mapeamento {
  const columns = columnsByName(colunas)
  const cells = (campo: Campo) => rows.map((row) => row.cells[columns[campo]!] ?? '')
  // By the name of `Tipo` a bank tells PIX from TED.
  if (columns.tipo !== undefined && !cells('tipo').some(readTipo)) delete columns.tipo
  if (columns.status !== undefined && !cells('status').some(readStatus)) delete columns.status
  if (columns.id !== undefined && !cells('id').some(isUuid)) delete columns.id
  if (columns.valor !== undefined) {
    delete columns.credito
    delete columns.debito
  }
  return {
    colunas: columns,
    ordem_data: columns.data === undefined ? 'dia-mes' : dayOrderOf(cells('data')),
    // A statement tells what was paid; with due dates it is a list of what is to be.
    status: columns.vencimento === undefined ? 'pago' : 'em_aberto',
  }
}

/** What has to be mapped before a line can be read. */
export function missingIn({ colunas: { data, descricao, valor, credito, debito } }: Mapeamento) {
  return [
    ...(data === undefined ? ['data'] : []),
    ...(descricao === undefined ? ['descricao'] : []),
    ...(valor === undefined && credito === undefined && debito === undefined ? ['valor'] : []),
  ]
}

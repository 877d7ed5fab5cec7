import { Readable } from 'node:stream'
import type { Tx } from '../db/database.ts'
import { toReais } from '../http/money.ts'
import { pageOf } from '../http/schemas.ts'
import { BOM, csvLine, dayCell, reaisCell, textCell } from './csv.ts'
import { present, refuseReversedPeriod } from './lancamentos.ts'
import { type ExportRow, listForExport, listLivro, START } from './livro-queries.ts'
import type { Livro, LivroFilter, LivroPage } from './livro-schema.ts'

export async function pageOfLivro(tx: Tx, filter: LivroPage, today: string): Promise<Livro> {
  refuseReversedPeriods(filter)
  const page = pageOf(filter)
  const { rows, totals } = await listLivro(tx, filter, today, page)
  const { total, receitas, despesas } = totals
  const somas = {
    receitas: toReais(receitas),
    despesas: toReais(despesas),
    saldo: toReais(receitas - despesas),
  }
  return { items: rows.map(present), total: Number(total), ...page, somas }
}

function refuseReversedPeriods(filter: LivroFilter): void {
  refuseReversedPeriod(filter)
  refuseReversedPeriod(filter, 'vencimento')
}

const AT_ONCE = 1000

/**
 * All entries that match, as CSV that is read as fast as it is taken. What is wrong from the start is told
 * before anything is sent; what goes wrong later ends the stream with an error.
 */
export async function exportLivro(tx: Tx, filter: LivroFilter, today: string): Promise<Readable> {
  refuseReversedPeriods(filter)
  const read = (last: typeof START) => listForExport(tx, filter, today, last, AT_ONCE)
  return Readable.from(linesOf(read, await read(START)))
}

async function* linesOf(read: (last: ExportRow) => Promise<ExportRow[]>, first: ExportRow[]) {
  yield BOM + csvLine(COLUMNS.map(([title]) => title))
  for (let rows = first; rows.length > 0; ) {
    yield rows.map((row) => csvLine(COLUMNS.map(([, cell]) => cell(row)))).join('')
    rows = rows.length < AT_ONCE ? [] : await read(rows.at(-1)!)
  }
}

const TIPOS = { receita: 'Receita', despesa: 'Despesa', transferencia: 'Transferência' }
const STATUS = { em_aberto: 'Em aberto', pago: 'Pago', cancelado: 'Cancelado' }

const COLUMNS: [title: string, cell: (row: ExportRow) => string][] = [
  ['Data', ({ data }) => dayCell(data)],
  ['Descrição', ({ descricao }) => textCell(descricao)],
  ['Tipo', ({ tipo }) => TIPOS[tipo]],
  ['Valor', ({ valor }) => reaisCell(valor)],
  ['Situação', ({ status }) => STATUS[status]],
  ['Vencimento', ({ vencimento }) => dayCell(vencimento)],
  ['Data do pagamento', ({ data_pagamento }) => dayCell(data_pagamento)],
  ['Juros', ({ juros }) => reaisCell(juros)],
  ['Desconto', ({ desconto }) => reaisCell(desconto)],
  ['Valor pago', (row) => reaisCell(row.status === 'pago' ? valorPago(row) : null)],
  ['Contraparte', ({ contraparte }) => textCell(contraparte)],
  ['Parceiro', ({ parceiro }) => textCell(parceiro)],
  ['Categoria', ({ categoria }) => textCell(categoria)],
  ['Centro de custo', ({ centro_custo }) => textCell(centro_custo)],
  ['Observações', ({ observacoes }) => textCell(observacoes)],
  ['Id', ({ id }) => id],
]

function valorPago({ valor, juros, desconto }: ExportRow): bigint {
  return valor + juros - desconto
}

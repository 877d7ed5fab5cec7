import { createHash } from 'node:crypto'
import { faultsOfNew, type PlainLancamento } from '../lancamentos/lancamentos.ts'
import { decimalMarkOf } from './amount.ts'
import type { CsvRecord } from './csv.ts'
import type { Sheet } from './header.ts'
import type { Campo } from './limits.ts'
import { AMOUNTS, type FindCategoria, Line, reais, unread } from './line.ts'
import { type OfxTransaction, ofxAmount, ofxDay } from './ofx.ts'
import type { Aviso, Falta, Mapeamento } from './schema.ts'
import { unhurried } from './unhurried.ts'

/** A line that can be imported. */
export interface Draft {
  linha: number
  body: PlainLancamento
  categoria: string | null
  /** The entry that was exported as this line, where it says so. */
  id: string | null
  /** The same of the same line in another file. */
  chave: string
}

/** What the lines of a file say. */
export interface Reading {
  drafts: Draft[]
  faltas: Falta[]
  avisos: Aviso[]
}

export async function readCsv(
  sheet: Sheet,
  mapeamento: Mapeamento,
  find: FindCategoria,
): Promise<Reading> {
  const reading: Reading = { drafts: [], faltas: [], avisos: [] }
  const columns = Object.entries(mapeamento.colunas) as [Campo, number][]
  const amounts = columns.filter(([campo]) => AMOUNTS.includes(campo)).map(([, i]) => i)
  const decimal = decimalMarkOf(
    sheet.rows.flatMap(({ cells }) => amounts.map((i) => cells[i] ?? '')),
  )
  const keys = new Keys()

  const take = (record: CsvRecord) => {
    const line = new Line(record, mapeamento, decimal)
    if (record.cells.slice(sheet.colunas.length).some((cell) => cell !== '')) {
      line.fault(
        'linha',
        'tem mais células do que o cabeçalho; use aspas em torno do texto que contém o separador',
      )
    }
    const centavos = line.centavos()
    if (centavos === 0n) {
      reading.avisos.push({ linha: record.linha, mensagem: SKIPPED })
      return
    }
    const { body, categoria } = line.entry(centavos, find)
    if (line.faults.length === 0) line.judge(body)
    reading.faltas.push(...line.faults)
    if (line.faults.length > 0) return
    // How it was paid and where it is filed may change from one file to the next: it is the same line.
    const { data, vencimento, tipo, valor, descricao, contraparte } = body
    const same = ['csv', data, vencimento ?? data, tipo, valor, descricao, contraparte]
    reading.drafts.push({
      linha: record.linha,
      body,
      categoria,
      id: line.id(),
      chave: keys.nth(same),
    })
  }
  for await (const some of unhurried(sheet.rows)) some.forEach(take)
  return reading
}

export async function readOfx(transactions: OfxTransaction[]): Promise<Reading> {
  const reading: Reading = { drafts: [], faltas: [], avisos: [] }
  const keys = new Keys()
  const take = ({ linha, conta, fitid, descricao, ...written }: OfxTransaction) => {
    const data = ofxDay(written.data)
    const centavos = ofxAmount(written.valor)
    if (centavos === 0n) {
      reading.avisos.push({ linha, mensagem: SKIPPED })
      return
    }
    if (data === undefined) reading.faltas.push(unread(linha, 'data', written.data))
    if (centavos === undefined) reading.faltas.push(unread(linha, 'valor', written.valor))
    if (data === undefined || centavos === undefined) return
    const tipo = centavos > 0n ? 'receita' : 'despesa'
    const body: PlainLancamento = { data, descricao, tipo, valor: reais(centavos), status: 'pago' }
    const faults = faultsOfNew(body)
    reading.faltas.push(
      ...faults.map(({ field, message }) => ({ linha, campo: field, mensagem: message })),
    )
    if (faults.length > 0) return
    // Some banks give several transactions one id: day and amount tell those apart.
    const same = ['ofx', conta, data, String(centavos)]
    const chave = fitid === '' ? keys.nth([...same, descricao]) : keyOf([...same, fitid])
    reading.drafts.push({ linha, body, categoria: null, id: null, chave })
  }
  for await (const some of unhurried(transactions)) some.forEach(take)
  return reading
}

const SKIPPED = 'o valor é zero; a linha é pulada'
/** Two equal lines of one file are two: they differ by which of them each is. */
class Keys {
  readonly #count = new Map<string, number>()

  nth(same: unknown[]): string {
    const text = JSON.stringify(same)
    const n = this.#count.get(text) ?? 0
    this.#count.set(text, n + 1)
    return keyOf([text, n])
  }
}

function keyOf(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

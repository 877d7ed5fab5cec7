import { isUuid } from '../db/uuid.ts'
import { toReais } from '../http/money.ts'
import { faultsOfNew, type PlainLancamento } from '../lancamentos/lancamentos.ts'
import { type DecimalMark, parseAmount } from './amount.ts'
import type { CsvRecord } from './csv.ts'
import { parseDay } from './day.ts'
import type { Campo } from './limits.ts'
import type { Falta, Mapeamento } from './schema.ts'
import { readStatus, readTipo } from './words.ts'

/** Finds the ids of the categories that a name may mean. */
export type FindCategoria = (nome: string) => string[]

export const AMOUNTS: readonly string[] = ['valor', 'credito', 'debito', 'juros', 'desconto']
/** What a spreadsheet would take for a formula has this before it in a file that was exported. */
const GUARDED = /^'(?=[=+\-@\t\r\n＝＋－＠])/

/** One line, as it is read: what cannot be is noted. */
export class Line {
  readonly faults: Falta[] = []
  readonly #record: CsvRecord
  readonly #mapping: Mapeamento
  readonly #decimal: DecimalMark

  constructor(record: CsvRecord, mapping: Mapeamento, decimal: DecimalMark) {
    this.#record = record
    this.#mapping = mapping
    this.#decimal = decimal
  }

  fault(campo: string, mensagem: string): void {
    this.faults.push({ linha: this.#record.linha, campo, mensagem })
  }

  /** Below zero: an expense. */
  centavos(): bigint | undefined {
    if (this.#maps('valor')) return this.#amount('valor', true)
    const credito = this.#cell('credito') === '' ? 0n : this.#amount('credito')
    const debito = this.#cell('debito') === '' ? 0n : this.#amount('debito')
    if (credito === undefined || debito === undefined) return undefined
    if (credito < 0n) this.fault('credito', 'é negativo; o que sai vai na coluna de débito')
    else if (credito !== 0n && debito !== 0n)
      this.fault('valor', 'tem crédito e débito na mesma linha')
    else if (this.#cell('credito') + this.#cell('debito') === '') this.fault('valor', 'está vazio')
    else return credito - (debito < 0n ? -debito : debito)
    return undefined
  }

  entry(centavos: bigint | undefined, find: FindCategoria) {
    const data = this.#day('data', true)
    const data_pagamento = this.#day('data_pagamento')
    const descricao = this.#text('descricao')
    if (descricao === null) this.fault('descricao', 'está vazia')
    const categoria = this.#text('categoria')
    const body: PlainLancamento = {
      data: data ?? '',
      descricao: descricao ?? '',
      tipo: this.#tipo(centavos ?? 0n),
      valor: reais(centavos ?? 0n),
      status: this.#status(data_pagamento),
      vencimento: this.#day('vencimento') ?? null,
      data_pagamento: data_pagamento ?? null,
      juros: this.#extra('juros'),
      desconto: this.#extra('desconto'),
      contraparte: this.#text('contraparte'),
      centro_custo: this.#text('centro_custo'),
      observacoes: this.#text('observacoes'),
      categoria_id: categoria === null ? null : this.#categoria(categoria, find),
    }
    return { body, categoria }
  }

  /** By the rules that hold for every entry. */
  judge(body: PlainLancamento): void {
    for (const { field, message } of faultsOfNew(body)) this.fault(field, message)
  }

  /** The entry that was exported as this line. */
  id(): string | null {
    const text = this.#cell('id').toLowerCase()
    return isUuid(text) ? text : null
  }

  #maps(campo: Campo): boolean {
    return this.#mapping.colunas[campo] !== undefined
  }

  #cell(campo: Campo): string {
    return this.#record.cells[this.#mapping.colunas[campo] ?? -1] ?? ''
  }

  #text(campo: Campo): string | null {
    return this.#cell(campo).replace(GUARDED, '') || null
  }

  #day(campo: Campo, required = false): string | undefined {
    const text = this.#cell(campo)
    const day = parseDay(text, this.#mapping.ordem_data)
    if (day === undefined && (text !== '' || required)) {
      this.faults.push(unread(this.#record.linha, campo, text))
    }
    return day
  }

  #amount(campo: Campo, required = false): bigint | undefined {
    const text = this.#cell(campo)
    const centavos = parseAmount(text, this.#decimal)
    if (centavos === undefined && (text !== '' || required)) {
      this.faults.push(unread(this.#record.linha, campo, text))
    }
    return centavos
  }

  #extra(campo: 'juros' | 'desconto'): number {
    return toReais(this.#amount(campo) ?? 0n)
  }

  #tipo(centavos: bigint): PlainLancamento['tipo'] {
    const text = this.#cell('tipo')
    const told = readTipo(text)
    if (text !== '' && told === undefined) {
      this.fault('tipo', `“${short(text)}” não é receita, despesa nem transferência`)
    }
    if (told === 'receita' && centavos < 0n) this.fault('valor', 'é negativo em uma receita')
    return told ?? (centavos < 0n ? 'despesa' : 'receita')
  }

  #status(paid: string | undefined): 'em_aberto' | 'pago' | 'cancelado' {
    const text = this.#cell('status')
    const told = readStatus(text)
    if (text !== '' && told === undefined) {
      this.fault('status', `“${short(text)}” não é pago, em aberto nem cancelado`)
    }
    if (told !== undefined) return told
    if (this.#maps('data_pagamento')) return paid === undefined ? 'em_aberto' : 'pago'
    return this.#mapping.status
  }

  #categoria(nome: string, find: FindCategoria): string | null {
    const [id, ...others] = find(nome)
    if (id === undefined) {
      this.fault('categoria', `não há a categoria “${short(nome)}”; crie-a ou corrija o nome`)
    } else if (others.length > 0) {
      this.fault('categoria', `há mais de uma “${short(nome)}”; escreva Área > ${short(nome)}`)
    }
    return id ?? null
  }
}

export function unread(linha: number, campo: Campo, text: string): Falta {
  if (text === '') return { linha, campo, mensagem: campo === 'data' ? 'está vazia' : 'está vazio' }
  const expected = AMOUNTS.includes(campo)
    ? 'não é um valor como 1.234,56, com no máximo duas casas decimais'
    : 'não é uma data como 22/06/2026'
  return { linha, campo, mensagem: `“${short(text)}” ${expected}` }
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

export function reais(centavos: bigint): number {
  return toReais(centavos < 0n ? -centavos : centavos)
}

// What the service should answer, written as plainly as can be and sharing nothing with it: entries in a
// list, money in bigint centavos, days as text, every figure a filter and a sum.

export interface Fields {
  data: string
  descricao: string
  tipo: 'receita' | 'despesa' | 'transferencia'
  valor: bigint
  status: 'em_aberto' | 'pago' | 'cancelado'
  vencimento: string
  data_pagamento: string | null
  juros: bigint
  desconto: bigint
  contraparte: string | null
  centro_custo: string | null
  observacoes: string | null
  parceiro_id: string | null
  categoria_id: string | null
  conta_bancaria_id: null
}

export interface Entry extends Fields {
  id: string
  criado_em: string
  atualizado_em: string
}

/** The body of a creation, its money in centavos. */
export type Draft = Pick<Fields, 'data' | 'descricao' | 'tipo' | 'valor'> & {
  [Name in keyof Fields]?: Fields[Name] | null
}

export type Patch = Partial<Fields>

export interface Period {
  data_de?: string
  data_ate?: string
  centro_custo?: string
}

export interface ListFilter extends Period {
  tipo?: Fields['tipo']
  status?: Fields['status'] | 'vencido'
}

/** What an entry may point to: the ids of one company, and each partner's name. */
export interface References {
  parceiros: Map<string, string>
  categorias: Set<string>
}

/** An amount as JSON has it: the number nearest to the exact decimal text. */
export function reais(centavos: bigint): number {
  const digits = String(centavos < 0n ? -centavos : centavos).padStart(3, '0')
  const amount = Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`)
  return centavos < 0n ? -amount : amount
}

/** A body as it is sent. */
export function wire(body: Draft | Patch): Record<string, unknown> {
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? reais(value) : value,
  ])
  return Object.fromEntries(entries)
}

/** The day at a moment, in a zone that is always so many hours from UTC. */
export function dayAt(moment: number, hoursFromUtc: number): string {
  return new Date(moment + hoursFromUtc * 3_600_000).toISOString().slice(0, 10)
}

export function plusDays(day: string, days: number): string {
  return dayAt(Date.parse(day), 24 * days)
}

/** The entry that a creation makes; undefined where it is refused. */
export function created(draft: Draft, references: References): Fields | undefined {
  const status = draft.status ?? 'em_aberto'
  const partner = draft.parceiro_id ? references.parceiros.get(draft.parceiro_id) : undefined
  const fields: Fields = {
    data: draft.data,
    descricao: draft.descricao,
    tipo: draft.tipo,
    valor: draft.valor,
    status,
    vencimento: draft.vencimento ?? draft.data,
    data_pagamento: draft.data_pagamento ?? (status === 'pago' ? draft.data : null),
    juros: draft.juros ?? 0n,
    desconto: draft.desconto ?? 0n,
    contraparte: draft.contraparte ?? partner ?? null,
    centro_custo: draft.centro_custo ?? null,
    observacoes: draft.observacoes ?? null,
    parceiro_id: draft.parceiro_id ?? null,
    categoria_id: draft.categoria_id ?? null,
    conta_bancaria_id: null,
  }
  return isSound(fields, references) ? fields : undefined
}

/** The entry as a change leaves it; undefined where the change is refused. */
export function patched(
  entry: Entry,
  patch: Patch,
  today: string,
  references: References,
): Entry | undefined {
  if (Object.keys(patch).length === 0) return undefined
  const after = { ...entry, ...patch }
  if (entry.status !== 'pago' && after.status === 'pago' && after.data_pagamento === null) {
    after.data_pagamento = today
  }
  // An entry sent back whole with another status still carries the day on which it was paid.
  const paidNoMore = entry.status === 'pago' && after.status !== 'pago'
  if (paidNoMore && after.data_pagamento === entry.data_pagamento) after.data_pagamento = null
  return isSound(after, references) ? after : undefined
}

function isSound(fields: Fields, { parceiros, categorias }: References): boolean {
  return (
    (fields.status === 'pago') === (fields.data_pagamento !== null) &&
    fields.desconto <= fields.valor + fields.juros &&
    (fields.parceiro_id === null || parceiros.has(fields.parceiro_id)) &&
    (fields.categoria_id === null || categorias.has(fields.categoria_id))
  )
}

/** An entry as the API shows it. */
export function shown(entry: Entry) {
  return {
    ...entry,
    valor: reais(entry.valor),
    juros: reais(entry.juros),
    desconto: reais(entry.desconto),
    valor_pago: entry.status === 'pago' ? reais(paidOf(entry)) : null,
  }
}

export function isReversed({ data_de, data_ate }: Period): boolean {
  return data_de !== undefined && data_ate !== undefined && data_de > data_ate
}

/** The entries that a filter finds, in the order of the list. */
export function listed(entries: Entry[], filter: ListFilter, today: string): Entry[] {
  return entries
    .filter((entry) => within(entry, filter))
    .filter(({ tipo }) => filter.tipo === undefined || tipo === filter.tipo)
    .filter((entry) =>
      filter.status === 'vencido'
        ? isOverdue(entry, today)
        : filter.status === undefined || entry.status === filter.status,
    )
    .sort((a, b) => descending(a.data, b.data) || descending(a.id, b.id))
}

/** The totals, but for the moment at which they were read. */
export function resumoOf(entries: Entry[], filter: Period, today: string) {
  const set = entries.filter((entry) => within(entry, filter))
  const open = set.filter(({ status }) => status === 'em_aberto')
  const received = sum(set.filter(isPaid).filter(isRevenue).map(paidOf))
  const spent = sum(set.filter(isPaid).filter(isExpense).map(paidOf))
  const toReceive = sum(open.filter(isRevenue).map(amountOf))
  const toPay = sum(open.filter(isExpense).map(amountOf))
  const overdue = open.filter((entry) => isOverdue(entry, today))
  const next = open.filter(
    ({ vencimento }) => today <= vencimento && vencimento <= plusDays(today, 30),
  )
  return {
    realizado: { recebido: reais(received), pago: reais(spent), saldo: reais(received - spent) },
    em_aberto: {
      a_receber: reais(toReceive),
      a_pagar: reais(toPay),
      saldo: reais(toReceive - toPay),
    },
    vencido: bothWays(overdue),
    proximos_30_dias: bothWays(next),
    total_lancamentos: set.length,
    truncado: set.length > 20_000,
  }
}

function bothWays(entries: Entry[]) {
  return {
    a_receber: reais(sum(entries.filter(isRevenue).map(amountOf))),
    a_pagar: reais(sum(entries.filter(isExpense).map(amountOf))),
  }
}

function within({ data, centro_custo }: Entry, filter: Period): boolean {
  return (
    (filter.data_de === undefined || data >= filter.data_de) &&
    (filter.data_ate === undefined || data <= filter.data_ate) &&
    (filter.centro_custo === undefined || centro_custo === filter.centro_custo)
  )
}

const isPaid = ({ status }: Entry) => status === 'pago'
const isRevenue = ({ tipo }: Entry) => tipo === 'receita'
const isExpense = ({ tipo }: Entry) => tipo === 'despesa'
const amountOf = ({ valor }: Entry) => valor
const paidOf = ({ valor, juros, desconto }: Entry) => valor + juros - desconto
const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

function isOverdue({ status, vencimento }: Entry, today: string): boolean {
  return status === 'em_aberto' && vencimento < today
}

function descending(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0
}

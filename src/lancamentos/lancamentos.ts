import { randomUUIDv7 } from 'node:crypto'
import { categoriaExists } from '../categorias/categorias.ts'
import type { Tx, WriteTx } from '../db/database.ts'
import { ApiError, type FieldFault, invalid } from '../errors.ts'
import { type Author, recordEvent, recordEvents, recordWritten } from '../events/outbox.ts'
import { toCentavos, toReais } from '../http/money.ts'
import { readOnlyFaults } from '../http/read-only.ts'
import { pageOf } from '../http/schemas.ts'
import { faultsBy } from '../http/validation.ts'
import { nomeOfParceiro } from '../parceiros/parceiros.ts'
import {
  findItem,
  findLancamento,
  ITEM_OF_EVENT,
  insertLancamento,
  insertLancamentos,
  type LancamentoRow,
  listItems,
  removeLancamento,
  replaceLancamento,
} from './queries.ts'
import {
  type Lancamento,
  type LancamentoFilter,
  type LancamentoPatch,
  NewLancamento,
} from './schema.ts'

export async function getLancamento(tx: Tx, id: string): Promise<Lancamento> {
  const row = await findLancamento(tx, id)
  if (!row) throw notFound()
  return present(row)
}

/** The answer to GET of one entry, as text: it was worded when the entry was written. */
export async function lancamentoAsText(tx: Tx, id: string): Promise<string> {
  const item = await findItem(tx, id)
  if (item === undefined) throw notFound()
  return `{"item":${item}}`
}

/** The answer to GET of many, as text. */
export async function lancamentosAsText(
  tx: Tx,
  filter: LancamentoFilter,
  today: string,
): Promise<string> {
  refuseReversedPeriod(filter)
  const page = pageOf(filter)
  const { items, total } = await listItems(tx, filter, today, page)
  return `{"items":[${items ?? ''}],"total":${total},"limit":${page.limit},"offset":${page.offset}}`
}

type Campo = 'data' | 'vencimento'

export function refuseReversedPeriod(
  filter: { [Name in `${Campo}_${'de' | 'ate'}`]?: string },
  campo: Campo = 'data',
): void {
  const { [`${campo}_de` as const]: from, [`${campo}_ate` as const]: to } = filter
  if (from === undefined || to === undefined || from <= to) return
  const fault = { field: `${campo}_de`, message: `não pode vir depois de ${campo}_ate` }
  throw invalid('invalid-query', [fault])
}

/** An entry that is written with the COMMIT; then it can be shown. */
interface Created {
  id: string
  item: () => Lancamento
}

export async function createLancamento(
  tx: WriteTx,
  by: Author,
  body: NewLancamento,
): Promise<Created> {
  const references = await checkReferences(tx, body)
  const row = newRow({ ...body, contraparte: body.contraparte ?? references.contraparte })
  refuseFaults([...paymentFaults(row), ...references.faults])
  const inserted = insertLancamento(tx, row)
  recordWritten(tx, by, 'lancamento.created', row, ITEM_OF_EVENT)
  return { id: row.id, item: () => present(inserted.rows[0]!) }
}

/** What is left out of a new entry, filled in. */
function newRow(body: NewLancamento) {
  const status = body.status ?? 'em_aberto'
  return {
    id: randomUUIDv7(),
    data: body.data,
    descricao: body.descricao,
    tipo: body.tipo,
    valor: toCentavos(body.valor),
    status,
    vencimento: body.vencimento ?? body.data,
    data_pagamento: body.data_pagamento ?? (status === 'pago' ? body.data : null),
    juros: toCentavos(body.juros ?? 0),
    desconto: toCentavos(body.desconto ?? 0),
    contraparte: body.contraparte ?? null,
    centro_custo: body.centro_custo ?? null,
    observacoes: body.observacoes ?? null,
    parceiro_id: body.parceiro_id ?? null,
    categoria_id: body.categoria_id ?? null,
    conta_bancaria_id: body.conta_bancaria_id ?? null,
  }
}

/** A new entry that names neither partner nor account: many of them are made at once. */
export type PlainLancamento = Omit<NewLancamento, 'parceiro_id' | 'conta_bancaria_id'>

const faultsOfBody = faultsBy(NewLancamento)

/** What `createLancamento` would refuse such an entry for, but for a category that does not exist. */
export function faultsOfNew(body: PlainLancamento): FieldFault[] {
  const faults = faultsOfBody(body)
  return faults.length > 0 ? faults : paymentFaults(newRow(body))
}

/** As `createLancamento` each, all in two statements: hundreds at once, not thousands. */
export async function createLancamentos(
  tx: WriteTx,
  by: Author,
  bodies: readonly PlainLancamento[],
): Promise<Lancamento[]> {
  // Ids of one moment are in no order; of one day, entries are listed by theirs.
  const ids = bodies.map(() => randomUUIDv7()).sort()
  const rows = bodies.map((body, i) => ({ ...newRow(body), id: ids[i]! }))
  refuseFaults(rows.flatMap(paymentFaults))
  const items = (await insertLancamentos(tx, rows)).map(present)
  await recordEvents(tx, by, 'lancamento.created', items)
  return items
}

export async function updateLancamento(
  tx: WriteTx,
  by: Author,
  id: string,
  patch: LancamentoPatch,
  today: string,
): Promise<Lancamento> {
  const before = await findLancamento(tx, id)
  if (!before) throw notFound()
  const after = apply(patch, before, today)
  const references = await checkReferences(tx, patch)
  refuseFaults([
    ...readOnlyFaults(patch, present(before), READ_ONLY),
    ...paymentFaults(after),
    ...references.faults,
  ])
  const changed = changedFields(before, after)
  if (changed.length === 0) return present(before)
  const item = present(await replaceLancamento(tx, after))
  for (const kind of eventsOf(before, after, changed)) recordEvent(tx, by, kind, item)
  return item
}

/** Why an entry cannot be what a charge is about, if it cannot. */
export async function faultAsCharged(tx: Tx, id: string): Promise<string | undefined> {
  const row = await findLancamento(tx, id)
  if (!row) return 'não existe nesta empresa'
  if (row.tipo !== 'receita') return 'deve ser uma receita'
  return row.status === 'em_aberto' ? undefined : 'deve estar em aberto'
}

/** Pays an entry that can still be charged; what differs from its amount is interest or discount. */
export async function payLancamento(
  tx: WriteTx,
  by: Author,
  id: string,
  day: string,
  centavos: bigint,
): Promise<void> {
  const row = await findLancamento(tx, id)
  if (row?.status !== 'em_aberto' || row.tipo !== 'receita') return
  const more = centavos - row.valor
  const juros = toReais(more > 0n ? more : 0n)
  const desconto = toReais(more < 0n ? -more : 0n)
  await updateLancamento(tx, by, id, { status: 'pago', data_pagamento: day, juros, desconto }, day)
}

export async function deleteLancamento(tx: WriteTx, by: Author, id: string): Promise<Lancamento> {
  const row = await removeLancamento(tx, id)
  if (!row) throw notFound()
  const item = present(row)
  recordEvent(tx, by, 'lancamento.deleted', item)
  return item
}

export function present(row: LancamentoRow): Lancamento {
  return {
    id: row.id,
    data: row.data,
    descricao: row.descricao,
    tipo: row.tipo,
    valor: toReais(row.valor),
    status: row.status,
    vencimento: row.vencimento,
    data_pagamento: row.data_pagamento,
    juros: toReais(row.juros),
    desconto: toReais(row.desconto),
    valor_pago: row.status === 'pago' ? toReais(row.valor + row.juros - row.desconto) : null,
    contraparte: row.contraparte,
    centro_custo: row.centro_custo,
    observacoes: row.observacoes,
    parceiro_id: row.parceiro_id,
    categoria_id: row.categoria_id,
    conta_bancaria_id: row.conta_bancaria_id,
    criado_em: row.criado_em,
    atualizado_em: row.atualizado_em,
  }
}

/** The entry as the patch would leave it. */
function apply(patch: LancamentoPatch, before: LancamentoRow, today: string): LancamentoRow {
  const { id, valor_pago, criado_em, atualizado_em, valor, juros, desconto, ...fields } = patch
  const after: LancamentoRow = {
    ...before,
    ...fields,
    // An id is the same in either case; what is kept is in lower case.
    parceiro_id: lowerCase(fields.parceiro_id, before.parceiro_id),
    categoria_id: lowerCase(fields.categoria_id, before.categoria_id),
    ...(valor !== undefined && { valor: toCentavos(valor) }),
    ...(juros !== undefined && { juros: toCentavos(juros) }),
    ...(desconto !== undefined && { desconto: toCentavos(desconto) }),
  }
  const wasPaid = before.status === 'pago'
  const isPaid = after.status === 'pago'
  if (isPaid && !wasPaid) after.data_pagamento ??= today
  // A whole item sent back with another status carries the old day of payment along.
  const staleDay = after.data_pagamento === before.data_pagamento
  if (wasPaid && !isPaid && staleDay) after.data_pagamento = null
  return after
}

function lowerCase(sent: string | null | undefined, stored: string | null): string | null {
  return sent === undefined ? stored : (sent?.toLowerCase() ?? null)
}

function paymentFaults(
  row: Pick<LancamentoRow, 'status' | 'data_pagamento' | 'valor' | 'juros' | 'desconto'>,
) {
  const faults: FieldFault[] = []
  if (row.status !== 'pago' && row.data_pagamento !== null) {
    faults.push({ field: 'data_pagamento', message: 'só é aceita com status pago' })
  }
  if (row.status === 'pago' && row.data_pagamento === null) {
    faults.push({ field: 'data_pagamento', message: 'não pode ser removida de um lançamento pago' })
  }
  if (row.desconto > row.valor + row.juros) {
    faults.push({ field: 'desconto', message: 'não pode passar de valor + juros' })
  }
  return faults
}

interface References {
  parceiro_id?: string | null
  categoria_id?: string | null
  conta_bancaria_id?: string | null
}

/** Names each reference to something that is not in the company. The partner found lends its name. */
async function checkReferences(tx: Tx, sent: References) {
  const { parceiro_id, categoria_id, conta_bancaria_id } = sent
  const missing: string[] = []
  const nome = parceiro_id ? await nomeOfParceiro(tx, parceiro_id) : undefined
  if (parceiro_id && nome === undefined) missing.push('parceiro_id')
  if (categoria_id && !(await categoriaExists(tx, categoria_id))) missing.push('categoria_id')
  // There are no bank accounts to point to yet.
  if (conta_bancaria_id) missing.push('conta_bancaria_id')
  const faults = missing.map((field) => ({ field, message: 'não existe nesta empresa' }))
  return { faults, contraparte: nome ?? null }
}

const READ_ONLY = ['id', 'valor_pago', 'criado_em', 'atualizado_em'] as const

function changedFields(before: LancamentoRow, after: LancamentoRow): (keyof LancamentoRow)[] {
  return (Object.keys(after) as (keyof LancamentoRow)[]).filter(
    (field) => before[field] !== after[field],
  )
}

/** What belongs to a payment goes with its event and is no edit of its own. */
const OF_PAYMENT: readonly string[] = ['status', 'data_pagamento', 'juros', 'desconto']

function eventsOf(before: LancamentoRow, after: LancamentoRow, changed: string[]) {
  const wasPaid = before.status === 'pago'
  const isPaid = after.status === 'pago'
  const paymentMoved = wasPaid !== isPaid
  const edited = changed.some((field) => !(paymentMoved && OF_PAYMENT.includes(field)))
  return [
    ...(edited ? (['lancamento.updated'] as const) : []),
    ...(paymentMoved ? ([isPaid ? 'lancamento.paid' : 'lancamento.unpaid'] as const) : []),
  ]
}

function refuseFaults(faults: FieldFault[]): void {
  if (faults.length > 0) throw invalid('invalid-body', faults)
}

export function notFound(): ApiError {
  return new ApiError('not-found', { detail: 'O lançamento não existe nesta empresa.' })
}

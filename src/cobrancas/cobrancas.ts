import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx, WriteTx } from '../db/database.ts'
import { ApiError, type FieldFault, invalid } from '../errors.ts'
import { type Author, recordEvent } from '../events/outbox.ts'
import { toCentavos, toReais } from '../http/money.ts'
import { pageOf } from '../http/schemas.ts'
import { faultAsCharged, payLancamento } from '../lancamentos/lancamentos.ts'
import { payerOf } from '../parceiros/parceiros.ts'
import type { Accounts } from '../provedores/contas.ts'
import type { Charge, ChargeRequest } from '../providers/provider.ts'
import {
  type CobrancaRow,
  findCobranca,
  insertCobranca,
  listCobrancas,
  lookNow,
  updateCharge,
} from './queries.ts'
import type { Cobranca, CobrancaFilter, NewCobranca } from './schema.ts'

/** Who repeats a request that is still being issued waits so long for it, asking every moment. */
const WAIT_MS = 10_000
const ASK_MS = 100

export async function getCobranca(tx: Tx, id: string, today: string): Promise<Cobranca> {
  return present((await findCobranca(tx, id)) ?? notFound(), today)
}

/** As `getCobranca`, once nobody is issuing it any more. No connection is held while waiting. */
export async function getSettled(tx: Tx, id: string, today: string): Promise<Cobranca> {
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    const row = (await findCobranca(tx, id)) ?? notFound()
    if (!row.em_andamento) return present(row, today)
    if (performance.now() > deadline) {
      throw new ApiError('idempotency-in-progress', { headers: { 'retry-after': '1' } })
    }
    await sleep(ASK_MS)
  }
}

export async function pageOfCobrancas(tx: Tx, filter: CobrancaFilter, today: string) {
  const page = pageOf(filter)
  const { rows, total } = await listCobrancas(tx, filter, today, page)
  return { items: rows.map((row) => present(row, today)), total, ...page }
}

/** The first step of an issue: what is to be charged is written down before anyone is asked to charge it. */
export async function intendCobranca(
  tx: WriteTx,
  accounts: Accounts,
  body: NewCobranca,
  today: string,
): Promise<CobrancaRow> {
  const faults: FieldFault[] = []
  if (body.vencimento < today) {
    faults.push({ field: 'vencimento', message: `não pode ser antes de hoje, ${today}` })
  }
  const payer = body.parceiro_id ? await payerOf(tx, body.parceiro_id) : undefined
  if (body.parceiro_id && !payer) {
    faults.push({ field: 'parceiro_id', message: 'não existe nesta empresa' })
  }
  const reason = body.lancamento_id && (await faultAsCharged(tx, body.lancamento_id))
  if (reason) faults.push({ field: 'lancamento_id', message: reason })
  if (faults.length > 0) throw invalid('invalid-body', faults)

  const connected = await accounts.connected(tx)
  if (!connected) throw new ApiError('payment-account-not-connected')
  if (connected.provider.needsDocument && !payer?.documento) {
    throw new ApiError('parceiro-sem-documento')
  }
  return insertCobranca(tx, {
    id: randomUUIDv7(),
    valor: toCentavos(body.valor),
    vencimento: body.vencimento,
    forma: body.forma ?? 'UNDEFINED',
    descricao: body.descricao ?? null,
    parceiro_id: body.parceiro_id ?? null,
    lancamento_id: body.lancamento_id ?? null,
    provedor: connected.provedor,
    conta_id: connected.account.id,
  })
}

/** What its provider is asked for. */
export async function requestOf(tx: Tx, row: CobrancaRow): Promise<ChargeRequest> {
  const { id: reference, valor, vencimento, forma, descricao, parceiro_id } = row
  const payer = parceiro_id ? ((await payerOf(tx, parceiro_id)) ?? null) : null
  return { reference, valor, vencimento, forma, descricao, payer }
}

/**
 * Writes down how a charge stands at its provider. Each change of state emits its event once, however often
 * and in whatever order it is told; what a payment pays is paid with it. An answer to a question that was
 * asked before the charge last moved may be older than what is known: then it is asked again.
 */
export async function settle(
  tx: WriteTx,
  by: Author,
  asked: Pick<CobrancaRow, 'id' | 'status'>,
  charge: Charge,
  today: string,
): Promise<Cobranca> {
  const { id } = asked
  const before = (await findCobranca(tx, id)) ?? notFound()
  if (before.status !== asked.status) {
    lookNow(tx, before.conta_id, charge.id)
    return present(before, today)
  }
  const paid = charge.status === 'paga' && before.status !== 'paga'
  const told = { ...charge, ...paymentOf(charge, before, today) }
  const item = present(await updateCharge(tx, id, told), today)
  if (before.status === 'emitindo') recordEvent(tx, by, 'cobranca.criada', item)
  if (paid) {
    if (item.lancamento_id) {
      await payLancamento(tx, by, item.lancamento_id, told.pagoEm!, told.valorPago!)
    }
    recordEvent(tx, by, 'cobranca.paga', item)
  }
  if (charge.status === 'cancelada' && before.status !== 'cancelada') {
    recordEvent(tx, by, 'cobranca.cancelada', item)
  }
  return item
}

/** What was paid and when, as far as the provider says so. */
function paymentOf(charge: Charge, before: CobrancaRow, today: string) {
  const wasPaid = charge.status === 'paga' || charge.status === 'estornada'
  if (!wasPaid) return { pagoEm: null, valorPago: null }
  return {
    pagoEm: charge.pagoEm ?? before.pago_em ?? today,
    valorPago: charge.valorPago ?? before.valor_pago ?? before.valor,
  }
}

export function present(row: CobrancaRow, today: string): Cobranca {
  const overdue = row.status === 'pendente' && row.vencimento < today
  return {
    id: row.id,
    status: overdue ? 'vencida' : row.status,
    valor: toReais(row.valor),
    vencimento: row.vencimento,
    forma: row.forma,
    descricao: row.descricao,
    parceiro_id: row.parceiro_id,
    lancamento_id: row.lancamento_id,
    invoice_url: row.invoice_url,
    bank_slip_url: row.bank_slip_url,
    linha_digitavel: row.linha_digitavel,
    codigo_barras: row.codigo_barras,
    pix_copia_e_cola: row.pix_copia_e_cola,
    provedor: row.provedor,
    provedor_id: row.provedor_id,
    pago_em: row.pago_em,
    valor_pago: row.valor_pago === null ? null : toReais(row.valor_pago),
    criado_em: row.criado_em,
    atualizado_em: row.atualizado_em,
  }
}

function notFound(): never {
  throw new ApiError('not-found', { detail: 'A cobrança não existe nesta empresa.' })
}

import type { Database, Tx, WriteTx } from '../db/database.ts'
import { params } from '../db/params.ts'
import type { Page } from '../http/schemas.ts'
import type { Charge } from '../providers/provider.ts'
import type { Cobranca, CobrancaFilter } from './schema.ts'

/** A charge as it is kept: money in centavos, and overdue is no status of its own. */
export interface CobrancaRow extends Omit<Cobranca, 'valor' | 'valor_pago' | 'status'> {
  status: Exclude<Cobranca['status'], 'vencida'>
  valor: bigint
  valor_pago: bigint | null
  conta_id: string
  perguntas: bigint
  /** A request is just issuing it. */
  em_andamento: boolean
}

const COLUMNS = `id, status, valor, vencimento, forma, descricao, parceiro_id, lancamento_id,
  invoice_url, bank_slip_url, linha_digitavel, codigo_barras, pix_copia_e_cola, provedor, provedor_id,
  pago_em, valor_pago, criado_em, atualizado_em, conta_id, perguntas,
  coalesce(emissao_ate > clock_timestamp(), false) as em_andamento`

/** A request says every moment that it is still at it; longer without a word, and it is gone. */
const WORD_LASTS = "interval '6 seconds'"
/** Longer than any conversation with a provider: what it was asked is done by then, or will not be. */
const SETTLE_AFTER = "interval '30 seconds'"
/** Longer than two of them: whoever looks may ask and then issue. */
const TURN = "interval '2 minutes'"

type Intent = Pick<
  CobrancaRow,
  | 'id'
  | 'valor'
  | 'vencimento'
  | 'forma'
  | 'descricao'
  | 'parceiro_id'
  | 'lancamento_id'
  | 'provedor'
  | 'conta_id'
>

export async function insertCobranca(tx: Tx, row: Intent): Promise<CobrancaRow> {
  const [inserted] = await tx.query<CobrancaRow>(
    `insert into cobrancas (tenant_id, id, status, valor, vencimento, forma, descricao, parceiro_id,
       lancamento_id, provedor, conta_id, emissao_ate, conferir_em)
     values ($1, $2, 'emitindo', $3, $4, $5, $6, $7, $8, $9, $10,
       clock_timestamp() + ${WORD_LASTS}, clock_timestamp() + ${SETTLE_AFTER})
     returning ${COLUMNS}`,
    [
      tx.tenantId,
      row.id,
      row.valor,
      row.vencimento,
      row.forma,
      row.descricao,
      row.parceiro_id,
      row.lancamento_id,
      row.provedor,
      row.conta_id,
    ],
  )
  return inserted!
}

export async function findCobranca(tx: Tx, id: string): Promise<CobrancaRow | undefined> {
  const [row] = await tx.query<CobrancaRow>(
    `select ${COLUMNS} from cobrancas where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  )
  return row
}

export async function listCobrancas(
  tx: Tx,
  filter: CobrancaFilter,
  today: string,
  { limit, offset }: Page,
): Promise<{ rows: CobrancaRow[]; total: number }> {
  const { where, values } = conditions(tx, filter, today)
  const [rows, [counted]] = await Promise.all([
    tx.query<CobrancaRow>(
      `select ${COLUMNS} from cobrancas where ${where}
       order by id desc limit $${values.length + 1} offset $${values.length + 2}`,
      [...values, limit, offset],
    ),
    tx.query<{ total: bigint }>(`select count(*) as total from cobrancas where ${where}`, values),
  ])
  return { rows, total: Number(counted!.total) }
}

function conditions(tx: Tx, { status, parceiro_id }: CobrancaFilter, today: string) {
  const { values, add } = params(tx.tenantId)
  const where = ['tenant_id = $1']
  if (status) where.push(`status = ${add(status === 'vencida' ? 'pendente' : status)}`)
  if (status === 'pendente') where.push(`vencimento >= ${add(today)}`)
  if (status === 'vencida') where.push(`vencimento < ${add(today)}`)
  if (parceiro_id) where.push(`parceiro_id = ${add(parceiro_id)}`)
  return { where: where.join(' and '), values }
}

/**
 * What the provider tells of a charge; what it does not tell again stays as it was told. The next look is a day ahead while it can still be paid, a month when
 * it is long overdue. A notice that came meanwhile, or before its charge was written down, is not passed over.
 */
export async function updateCharge(tx: Tx, id: string, charge: Charge): Promise<CobrancaRow> {
  const [updated] = await tx.query<CobrancaRow>(
    `update cobrancas set status = $3, provedor_id = $4,
       invoice_url = coalesce($5, invoice_url),
       bank_slip_url = coalesce($6, bank_slip_url),
       linha_digitavel = coalesce($7, linha_digitavel),
       codigo_barras = coalesce($8, codigo_barras),
       pix_copia_e_cola = coalesce($9, pix_copia_e_cola),
       pago_em = $10, valor_pago = $11, emissao_ate = null, perguntas = 0,
       conferir_em = case
         when conferir_em <= clock_timestamp() then conferir_em
         when status = 'emitindo' and exists (
           select from provedor_avisos a
           where a.tenant_id = $1 and a.conta_id = cobrancas.conta_id and a.cobranca = $4)
           then clock_timestamp()
         when $3 <> 'pendente' then null
         when vencimento < current_date - 60 then clock_timestamp() + interval '30 days'
         else clock_timestamp() + interval '1 day' end,
       atualizado_em = case
         when (status, provedor_id, pago_em, valor_pago)
             is not distinct from ($3, $4, $10::date, $11::bigint)
           and (invoice_url, bank_slip_url, linha_digitavel, codigo_barras, pix_copia_e_cola)
             is not distinct from (coalesce($5, invoice_url), coalesce($6, bank_slip_url),
               coalesce($7, linha_digitavel), coalesce($8, codigo_barras),
               coalesce($9, pix_copia_e_cola))
         then atualizado_em else clock_timestamp() end
     where tenant_id = $1 and id = $2
     returning ${COLUMNS}`,
    [
      tx.tenantId,
      id,
      charge.status,
      charge.id,
      charge.invoiceUrl,
      charge.bankSlipUrl,
      charge.linhaDigitavel,
      charge.codigoBarras,
      charge.pixCopiaECola,
      charge.pagoEm,
      charge.valorPago,
    ],
  )
  return updated!
}

export async function failCobranca(tx: Tx, id: string, reason: string): Promise<void> {
  await tx.query(
    `update cobrancas set status = 'falhou', motivo = $3, emissao_ate = null, conferir_em = null,
       atualizado_em = clock_timestamp()
     where tenant_id = $1 and id = $2 and status = 'emitindo'`,
    [tx.tenantId, id, reason],
  )
}

/** Nobody is at it any more; when it is looked at stays. */
export async function endIssuing(tx: Tx, id: string): Promise<void> {
  await tx.query(`update cobrancas set emissao_ate = null where tenant_id = $1 and id = $2`, [
    tx.tenantId,
    id,
  ])
}

export async function postponeLook(tx: Tx, id: string, seconds: number): Promise<void> {
  await tx.query(
    `update cobrancas set perguntas = perguntas + 1,
       conferir_em = clock_timestamp() + make_interval(secs => $3::bigint)
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, id, seconds],
  )
}

/** Whether the notice is new; one that is repeated is kept once. */
export async function keepNotice(
  tx: Tx,
  contaId: string,
  notice: { id: string; chargeId: string | null; body: string },
): Promise<boolean> {
  const kept = await tx.query(
    `insert into provedor_avisos (tenant_id, conta_id, id, cobranca, corpo)
     values ($1, $2, $3, $4, $5) on conflict do nothing returning id`,
    [tx.tenantId, contaId, notice.id, notice.chargeId, notice.body],
  )
  return kept.length > 0
}

export function lookNow(tx: WriteTx, contaId: string, chargeId: string): void {
  tx.defer(
    `update cobrancas set conferir_em = clock_timestamp()
     where tenant_id = $1 and conta_id = $2 and provedor_id = $3`,
    [tx.tenantId, contaId, chargeId],
    'cobrancas',
  )
}

/** As `lookNow`, of a charge that is known by our own id. */
export function lookAt(tx: WriteTx, id: string): void {
  tx.defer(
    `update cobrancas set conferir_em = clock_timestamp() where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
    'cobrancas',
  )
}

export async function saysStillIssuing(db: Database, tenantId: string, id: string): Promise<void> {
  await db.system('lastro_worker').query(
    `update cobrancas set emissao_ate = clock_timestamp() + ${WORD_LASTS}
     where tenant_id = $1 and id = $2 and emissao_ate is not null`,
    [tenantId, id],
  )
}

/** Charges that are to be looked at; nobody else looks at them until this turn must be over. */
export function takeTurns(db: Database, limit: number) {
  return db.system('lastro_worker').query<{ tenant_id: string; id: string }>(
    `update cobrancas set conferir_em = clock_timestamp() + ${TURN}
     where (tenant_id, id) in (
       select tenant_id, id from cobrancas
       where conferir_em <= clock_timestamp()
       order by conferir_em limit $1 for update skip locked)
     returning tenant_id, id`,
    [limit],
  )
}

export async function companyOf(db: Database, id: string): Promise<string | undefined> {
  const [row] = await db
    .system('lastro_operator')
    .query<{ tenant_id: string }>('select tenant_id from cobrancas where id = $1', [id])
  return row?.tenant_id
}

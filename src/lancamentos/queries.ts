import type { Param } from '../db/batch.ts'
import type { Deferred, Tx, WriteTx } from '../db/database.ts'
import { type Add, params } from '../db/params.ts'
import type { Page } from '../http/schemas.ts'
import type { Lancamento, LancamentoFilter } from './schema.ts'
import { keptRows } from './totais.ts'

/** An entry as it is kept: money in centavos. */
export interface LancamentoRow
  extends Omit<Lancamento, 'valor' | 'juros' | 'desconto' | 'valor_pago'> {
  valor: bigint
  juros: bigint
  desconto: bigint
}

export const COLUMNS = `id, data, descricao, tipo, valor, status, vencimento, data_pagamento, juros, desconto,
  contraparte, centro_custo, observacoes, parceiro_id, categoria_id, conta_bancaria_id, criado_em,
  atualizado_em`

/** What a caller decides of an entry, in the order of the statements below. */
type Written = Omit<LancamentoRow, 'criado_em' | 'atualizado_em'>

function valuesOf(tx: Tx, row: Written): Param[] {
  return [
    tx.tenantId,
    row.id,
    row.data,
    row.descricao,
    row.tipo,
    row.valor,
    row.status,
    row.vencimento,
    row.data_pagamento,
    row.juros,
    row.desconto,
    row.contraparte,
    row.centro_custo,
    row.observacoes,
    row.parceiro_id,
    row.categoria_id,
    row.conta_bancaria_id,
  ]
}

const INSERT = `insert into lancamentos (tenant_id, id, data, descricao, tipo, valor, status, vencimento,
    data_pagamento, juros, desconto, contraparte, centro_custo, observacoes, parceiro_id, categoria_id,
    conta_bancaria_id, criado_em)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
    coalesce($18, clock_timestamp()))
  returning ${COLUMNS}`

/** With the COMMIT: nothing is waited for before it. */
export function insertLancamento(tx: WriteTx, row: Written): Deferred<LancamentoRow> {
  return tx.defer<LancamentoRow>(INSERT, [...valuesOf(tx, row), null])
}

/** Puts an entry back as of when it was made. */
export async function reinsertLancamento(
  tx: Tx,
  row: Written & Pick<LancamentoRow, 'criado_em'>,
): Promise<LancamentoRow> {
  const [inserted] = await tx.query<LancamentoRow>(INSERT, [...valuesOf(tx, row), row.criado_em])
  return inserted!
}

/** The entry that an event is about, as it is worded then. */
export const ITEM_OF_EVENT = 'select item from lancamentos where tenant_id = $1 and id = $3'

/** Many at once, in the order in which they are given. */
export async function insertLancamentos(
  tx: Tx,
  rows: readonly Written[],
): Promise<LancamentoRow[]> {
  const inserted = await tx.query<{ id: string; criado_em: string; atualizado_em: string }>(
    `insert into lancamentos (tenant_id, id, data, descricao, tipo, valor, status, vencimento,
       data_pagamento, juros, desconto, contraparte, centro_custo, observacoes, parceiro_id,
       categoria_id, conta_bancaria_id)
     select $1, id, data, descricao, tipo, valor, status, vencimento, data_pagamento, juros, desconto,
       contraparte, centro_custo, observacoes, parceiro_id, categoria_id, conta_bancaria_id
     from jsonb_to_recordset($2::jsonb) as given (id uuid, data date, descricao text, tipo text,
       valor bigint, status text, vencimento date, data_pagamento date, juros bigint,
       desconto bigint, contraparte text, centro_custo text, observacoes text, parceiro_id uuid,
       categoria_id uuid, conta_bancaria_id uuid)
     returning id, criado_em, atualizado_em`,
    [
      tx.tenantId,
      JSON.stringify(rows, (_name, value) => (typeof value === 'bigint' ? String(value) : value)),
    ],
  )
  const kept = new Map(inserted.map((row) => [row.id, row]))
  return rows.map((row) => ({ ...row, ...kept.get(row.id)! }))
}

export async function replaceLancamento(tx: Tx, row: Written): Promise<LancamentoRow> {
  const [updated] = await tx.query<LancamentoRow>(
    `update lancamentos set data = $3, descricao = $4, tipo = $5, valor = $6, status = $7,
       vencimento = $8, data_pagamento = $9, juros = $10, desconto = $11, contraparte = $12,
       centro_custo = $13, observacoes = $14, parceiro_id = $15, categoria_id = $16,
       conta_bancaria_id = $17, atualizado_em = clock_timestamp()
     where tenant_id = $1 and id = $2
     returning ${COLUMNS}`,
    valuesOf(tx, row),
  )
  return updated!
}

export async function findLancamento(tx: Tx, id: string): Promise<LancamentoRow | undefined> {
  const [row] = await tx.query<LancamentoRow>(
    `select ${COLUMNS} from lancamentos where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  )
  return row
}

export async function removeLancamento(tx: Tx, id: string): Promise<LancamentoRow | undefined> {
  const [row] = await tx.query<LancamentoRow>(
    `delete from lancamentos where tenant_id = $1 and id = $2 returning ${COLUMNS}`,
    [tx.tenantId, id],
  )
  return row
}

/** An entry as the API shows it: as it was worded when it was written, or now. */
const ITEM = 'coalesce(l.item, lancamento_item(l))'

export async function findItem(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ item: string }>(
    `select ${ITEM} as item from lancamentos l where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  )
  return row?.item
}

/** A page and, from the kept totals, how many there are in all: one statement, so both are of one moment. */
export async function listItems(
  tx: Tx,
  filter: LancamentoFilter,
  today: string,
  { limit, offset }: Page,
): Promise<{ items: string | null; total: bigint }> {
  const { values, add } = params(tx.tenantId)
  const { where, counted } = matching(filter, today, add)
  const [found] = await tx.query<{ items: string | null; total: bigint }>(
    `select
       (select coalesce(sum(quantidade), 0)::bigint from ${counted}) as total,
       (select string_agg(item, ',') from
         (select ${ITEM} as item from lancamentos l where ${where}
          order by data desc, id desc limit ${add(limit)} offset ${add(offset)}) as page) as items`,
    values,
  )
  return found!
}

/** What an entry amounts to in every sum. */
const SOMA = 'soma_de(status, valor, juros, desconto)'

/**
 * The conditions on the entries, with any that come besides, and the rows whose quantities are their number
 * and whose somas, of each tipo and status, what they amount to.
 */
export function matching(
  filter: LancamentoFilter,
  today: string,
  add: Add,
  besides: string[] = [],
) {
  const { tipo, status, data_de: from, data_ate: to, centro_custo: centro } = filter
  const overdue = status === 'vencido'
  const ofTipo = tipo === undefined ? [] : [`tipo = ${add(tipo)}`]
  // Literal, of a closed list, so that the index of open entries is seen to fit.
  const ofStatus = status === undefined ? [] : [`status = '${overdue ? 'em_aberto' : status}'`]
  const where = [
    'tenant_id = $1',
    ...ofTipo,
    ...ofStatus,
    ...(overdue ? [`vencimento < ${add(today)}`] : []),
    ...(from === undefined ? [] : [`data >= ${add(from)}`]),
    ...(to === undefined ? [] : [`data <= ${add(to)}`]),
    ...(centro === undefined ? [] : [`centro_custo = ${add(centro)}`]),
    ...besides,
  ].join(' and ')
  const and = (conditions: string[]) =>
    conditions.length ? `where ${conditions.join(' and ')}` : ''
  // By date and due date at once nothing is kept, nor by what comes besides: the entries are counted.
  if (besides.length > 0 || (overdue && (from !== undefined || to !== undefined))) {
    // Of open ones the index has all that is needed.
    const open = overdue || status === 'em_aberto'
    const soma = open ? "'em_aberto' as status, valor as soma" : `status, ${SOMA} as soma`
    const columns = `id, data, tipo, 1 as quantidade, ${soma}`
    return { where, counted: `(select ${columns} from lancamentos where ${where}) as entries` }
  }
  if (!overdue) {
    const kept = keptRows('totais_data', centro, { from, to }, add)
    return { where, counted: `(${kept}) as kept ${and([...ofTipo, ...ofStatus])}` }
  }
  const yesterday = Temporal.PlainDate.from(today).subtract({ days: 1 }).toString()
  const kept = keptRows('totais_vencimento', centro, { to: yesterday }, add)
  const open = `select kept.*, 'em_aberto' as status from (${kept}) as kept`
  return { where, counted: `(${open}) as kept ${and(ofTipo)}` }
}

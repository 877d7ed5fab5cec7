import type { Param } from '../db/batch.ts'
import type { Tx } from '../db/database.ts'
import type { Page } from '../http/schemas.ts'
import type { Lancamento, LancamentoFilter } from './schema.ts'

/** An entry as it is kept: money in centavos. */
export interface LancamentoRow
  extends Omit<Lancamento, 'valor' | 'juros' | 'desconto' | 'valor_pago'> {
  valor: bigint
  juros: bigint
  desconto: bigint
}

const COLUMNS = `id, data, descricao, tipo, valor, status, vencimento, data_pagamento, juros, desconto,
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

export async function insertLancamento(tx: Tx, row: Written): Promise<LancamentoRow> {
  const [inserted] = await tx.query<LancamentoRow>(
    `insert into lancamentos (tenant_id, id, data, descricao, tipo, valor, status, vencimento,
       data_pagamento, juros, desconto, contraparte, centro_custo, observacoes, parceiro_id,
       categoria_id, conta_bancaria_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     returning ${COLUMNS}`,
    valuesOf(tx, row),
  )
  return inserted!
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

export function listLancamentos(
  tx: Tx,
  filter: LancamentoFilter,
  today: string,
  { limit, offset }: Page,
): Promise<LancamentoRow[]> {
  const { where, values } = matching(tx, filter, today)
  return tx.query<LancamentoRow>(
    `select ${COLUMNS} from lancamentos where ${where}
     order by data desc, id desc limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, limit, offset],
  )
}

export async function countLancamentos(
  tx: Tx,
  filter: LancamentoFilter,
  today: string,
): Promise<number> {
  const { where, values } = matching(tx, filter, today)
  const [row] = await tx.query<{ total: bigint }>(
    `select count(*) as total from lancamentos where ${where}`,
    values,
  )
  return Number(row!.total)
}

function matching(tx: Tx, filter: LancamentoFilter, today: string) {
  const values: Param[] = [tx.tenantId]
  const conditions = ['tenant_id = $1']
  const add = (condition: string, value: string | undefined) => {
    if (value === undefined) return
    values.push(value)
    conditions.push(`${condition} $${values.length}`)
  }
  const overdue = filter.status === 'vencido'
  add('tipo =', filter.tipo)
  add('status =', overdue ? 'em_aberto' : filter.status)
  add('vencimento <', overdue ? today : undefined)
  add('data >=', filter.data_de)
  add('data <=', filter.data_ate)
  add('centro_custo =', filter.centro_custo)
  return { where: conditions.join(' and '), values }
}

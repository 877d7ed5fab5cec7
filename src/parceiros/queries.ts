import type { Param } from '../db/batch.ts'
import type { Tx } from '../db/database.ts'
import { params } from '../db/params.ts'
import type { Page } from '../http/schemas.ts'
import type { Parceiro, ParceiroBusca } from './schema.ts'

const COLUMNS =
  'id, nome, tipo, documento, email, telefone, ativo, observacoes, criado_em, atualizado_em'

type Written = Omit<Parceiro, 'criado_em' | 'atualizado_em'>

function valuesOf(tx: Tx, row: Written): Param[] {
  const { id, nome, tipo, documento, email, telefone, ativo, observacoes } = row
  return [tx.tenantId, id, nome, tipo, documento, email, telefone, ativo, observacoes]
}

export async function insertParceiro(tx: Tx, row: Written): Promise<Parceiro> {
  const [inserted] = await tx.query<Parceiro>(
    `insert into parceiros
       (tenant_id, id, nome, tipo, documento, email, telefone, ativo, observacoes)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     returning ${COLUMNS}`,
    valuesOf(tx, row),
  )
  return inserted!
}

export async function replaceParceiro(tx: Tx, row: Written): Promise<Parceiro> {
  const [updated] = await tx.query<Parceiro>(
    `update parceiros set nome = $3, tipo = $4, documento = $5, email = $6, telefone = $7,
       ativo = $8, observacoes = $9, atualizado_em = clock_timestamp()
     where tenant_id = $1 and id = $2
     returning ${COLUMNS}`,
    valuesOf(tx, row),
  )
  return updated!
}

export async function findParceiro(tx: Tx, id: string): Promise<Parceiro | undefined> {
  const [row] = await tx.query<Parceiro>(
    `select ${COLUMNS} from parceiros where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  )
  return row
}

export async function removeParceiro(tx: Tx, id: string): Promise<Parceiro | undefined> {
  const [row] = await tx.query<Parceiro>(
    `delete from parceiros where tenant_id = $1 and id = $2 returning ${COLUMNS}`,
    [tx.tenantId, id],
  )
  return row
}

export function listParceiros(tx: Tx, filter: ParceiroBusca, { limit, offset }: Page) {
  const { where, values } = conditions(tx, filter)
  return tx.query<Parceiro>(
    `select ${COLUMNS} from parceiros where ${where}
     order by nome collate "pt-BR-x-icu", id
     limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, limit, offset],
  )
}

export async function countParceiros(tx: Tx, filter: ParceiroBusca): Promise<number> {
  const { where, values } = conditions(tx, filter)
  const [row] = await tx.query<{ total: bigint }>(
    `select count(*) as total from parceiros where ${where}`,
    values,
  )
  return Number(row!.total)
}

/** A name as it is searched: in small letters and without accents. */
const plain = (text: string) =>
  `regexp_replace(normalize(lower(${text}), nfd), '[\\u0300-\\u036f]', '', 'g')`

function conditions(tx: Tx, { tipo, ativo, busca, ids }: ParceiroBusca) {
  const { values, add } = params(tx.tenantId, tipo ?? null, ativo ?? null)
  const where = [
    'tenant_id = $1 and ($2::text is null or tipo = $2) and ($3::boolean is null or ativo = $3)',
  ]
  if (ids !== undefined) where.push(`id = any (${add(ids.split(','))}::uuid[])`)
  if (busca !== undefined) {
    const nome = add(busca)
    const documento = add(busca.replace(/[\s./-]/g, '').toUpperCase())
    where.push(`(position(${plain(`${nome}::text`)} in ${plain('nome')}) > 0
      or ${documento} <> '' and position(${documento} in documento) > 0)`)
  }
  return { where: where.join(' and '), values }
}

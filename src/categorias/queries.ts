import type { Tx } from '../db/database.ts'
import type { Page } from '../http/schemas.ts'
import type { Categoria } from './schema.ts'

const COLUMNS = 'id, nome, area_id, criado_em, atualizado_em'

interface Written {
  id: string
  nome: string
  chave: string
  areaId: string | null
}

export async function insertCategoria(
  tx: Tx,
  { id, nome, chave, areaId }: Written,
): Promise<Categoria> {
  const [inserted] = await tx.query<Categoria>(
    `insert into categorias (tenant_id, id, nome, nome_chave, area_id) values ($1, $2, $3, $4, $5)
     returning ${COLUMNS}`,
    [tx.tenantId, id, nome, chave, areaId],
  )
  return inserted!
}

export async function replaceCategoria(
  tx: Tx,
  { id, nome, chave, areaId }: Written,
): Promise<Categoria> {
  const [updated] = await tx.query<Categoria>(
    `update categorias set nome = $3, nome_chave = $4, area_id = $5,
       atualizado_em = clock_timestamp()
     where tenant_id = $1 and id = $2
     returning ${COLUMNS}`,
    [tx.tenantId, id, nome, chave, areaId],
  )
  return updated!
}

export async function removeCategoria(tx: Tx, id: string): Promise<Categoria | undefined> {
  const [row] = await tx.query<Categoria>(
    `delete from categorias where tenant_id = $1 and id = $2 returning ${COLUMNS}`,
    [tx.tenantId, id],
  )
  return row
}

export async function hasSubcategorias(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(
    'select id from categorias where tenant_id = $1 and area_id = $2 limit 1',
    [tx.tenantId, id],
  )
  return rows.length > 0
}

export async function findCategoria(tx: Tx, id: string): Promise<Categoria | undefined> {
  const [row] = await tx.query<Categoria>(
    `select ${COLUMNS} from categorias where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  )
  return row
}

/** Each area, followed by its subcategories. */
export function listCategorias(tx: Tx, { limit, offset }: Page): Promise<Categoria[]> {
  return tx.query<Categoria>(
    `select c.id, c.nome, c.area_id, c.criado_em, c.atualizado_em
     from categorias c
     left join categorias area on area.tenant_id = c.tenant_id and area.id = c.area_id
     where c.tenant_id = $1
     order by coalesce(area.nome, c.nome) collate "pt-BR-x-icu", coalesce(area.id, c.id),
       c.area_id is not null, c.nome collate "pt-BR-x-icu", c.id
     limit $2 offset $3`,
    [tx.tenantId, limit, offset],
  )
}

export async function countCategorias(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ total: bigint }>(
    'select count(*) as total from categorias where tenant_id = $1',
    [tx.tenantId],
  )
  return Number(row!.total)
}

/** Every name as it is compared, a subcategory's with that of its area. */
export function listChaves(tx: Tx): Promise<{ id: string; chave: string; area: string | null }[]> {
  return tx.query(
    `select c.id, c.nome_chave as chave, area.nome_chave as area from categorias c
     left join categorias area on area.tenant_id = c.tenant_id and area.id = c.area_id
     where c.tenant_id = $1`,
    [tx.tenantId],
  )
}

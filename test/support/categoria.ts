import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import type { Categoria } from '../../src/categorias/schema.ts'
import type { Caller, TestService } from './service.ts'

export async function createArea(caller: Caller, nome: string): Promise<Categoria> {
  const { status, body } = await caller.post('/categorias', { nome })
  assert.equal(status, 201, JSON.stringify(body))
  return body.item
}

/** Subcategories are made in the application, not over the API. The id is returned. */
export async function addSubcategoria(
  service: TestService,
  empresa: string,
  areaId: string,
  nome: string,
): Promise<string> {
  const id = randomUUIDv7()
  await service.db.write(empresa, (tx) =>
    tx.query(
      `insert into categorias (tenant_id, id, nome, nome_chave, area_id)
       values ($1, $2, $3, $4, $5)`,
      [empresa, id, nome, nome.toLowerCase(), areaId],
    ),
  )
  return id
}

import assert from 'node:assert/strict'
import { DERIVED, keptTables } from '../../src/care/tables.ts'
import type { CareTx, Database } from '../../src/db/database.ts'
import { addSubcategoria, createArea } from './categoria.ts'
import { createLancamento } from './lancamento.ts'
import { makers } from './makers.ts'
import { createParceiro } from './parceiro.ts'
import type { Caller, TestService } from './service.ts'

/** Something in most tables: a tree of categories, an entry with its partner, charges, webhooks with work. */
export async function fillBooks(service: TestService, caller: Caller): Promise<void> {
  for (const make of Object.values(makers)) await make(caller)
  const parceiro = await createParceiro(caller, {
    nome: 'Aspas " e \u2028 linha\nnova',
    documento: '52998224725',
  })
  const { id: area } = await createArea(caller, 'Área')
  const categoria_id = await addSubcategoria(service, caller.empresa, area, 'Sub')
  for (const centro_custo of ['Loja', undefined]) {
    await createLancamento(caller, { centro_custo, parceiro_id: parceiro.id, categoria_id })
  }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const cobranca = { valor: 10, vencimento: '2099-01-31', parceiro_id: parceiro.id }
  assert.equal((await caller.post('/cobrancas', cobranca, headers)).status, 201)
}

/** Every row that is kept, by table, as text: of all companies, or of one. */
export function contents(db: Database, empresa?: string): Promise<Record<string, string[]>> {
  return db.care(
    async (tx) => {
      const found: Record<string, string[]> = {}
      for (const { name, ofCompanies } of await keptTables(tx)) {
        if (DERIVED.includes(name)) continue
        if (empresa === undefined || ofCompanies) found[name] = await rowsAsText(tx, name, empresa)
      }
      for (const [view, sums] of Object.entries(SUMS)) {
        found[view] = await rowsAsText(tx, `(${sums})`, empresa)
      }
      return found
    },
    { snapshot: true },
  )
}

/** The totals as they are read: how much of them waits to be added up is of no account. */
const SUMS = {
  totais_data: `select tenant_id, centro, grao, inicio, tipo, status, sum(quantidade), sum(soma)
    from totais_data group by 1, 2, 3, 4, 5, 6`,
  totais_vencimento: `select tenant_id, centro, grao, inicio, tipo, sum(quantidade), sum(soma)
    from totais_vencimento group by 1, 2, 3, 4, 5`,
}

async function rowsAsText(tx: CareTx, name: string, empresa: string | undefined) {
  // When a key was last used is noted seconds later.
  const rows = await tx.query<{ text: string }>(
    `select (to_jsonb(t) - 'usada_em')::text as text from ${name} t ${empresa ? 'where tenant_id = $1' : ''} order by 1`,
    empresa ? [empresa] : [],
  )
  return rows.map(({ text }) => text)
}

/** As if every delivery that waits had been tried once. */
export async function recordAttempts(service: TestService, caller: Caller): Promise<void> {
  await service.db.care((tx) =>
    tx.query(
      `insert into webhook_attempts (tenant_id, id, delivery_id, started_at, duration_ms, status)
       select tenant_id, uuid_v7(), delivery_id, clock_timestamp(), 5, 500
       from webhook_queue where tenant_id = $1`,
      [caller.empresa],
    ),
  )
}

import assert from 'node:assert/strict'
import type { Lancamento } from '../../src/lancamentos/schema.ts'
import type { Caller } from './service.ts'

/** A valid body: the fields that the specification lists for POST /lancamentos. */
export const aLancamento = {
  data: '2026-06-22',
  descricao: 'Mensalidade de junho',
  tipo: 'receita',
  valor: 1234.56,
  contraparte: 'Cliente Exemplo Ltda',
  status: 'em_aberto',
}

/** No entry has it: the least id of a UUID v7. */
export const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

export async function createLancamento(caller: Caller, fields: object = {}): Promise<Lancamento> {
  const { status, body } = await caller.post('/lancamentos', { ...aLancamento, ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body.item
}

import assert from 'node:assert/strict'
import type { Parceiro } from '../../src/parceiros/schema.ts'
import type { Caller } from './service.ts'

export const CPF = '52998224725'
export const CNPJ = '11222333000181'

export async function createParceiro(caller: Caller, fields: object = {}): Promise<Parceiro> {
  const { status, body } = await caller.post('/parceiros', { nome: 'Parceiro', ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body.item
}

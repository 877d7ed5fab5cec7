import assert from 'node:assert/strict'
import { aLancamento } from './lancamento.ts'
import type { Caller } from './service.ts'

/** For each collection, how a caller makes one resource of it; the id is returned. */
export const makers: Record<string, (caller: Caller) => Promise<string>> = {
  lancamentos: (caller) => create(caller, '/lancamentos', aLancamento),
  parceiros: (caller) => create(caller, '/parceiros', { nome: 'Parceiro' }),
  categorias: (caller) => create(caller, '/categorias', { nome: `Área ${crypto.randomUUID()}` }),
  cobrancas: (caller) => create(caller, '/cobrancas', { valor: 10, vencimento: '2099-01-31' }),
  webhooks: (caller) =>
    create(caller, '/webhooks', {
      url: 'https://receiver.example/hook',
      events: ['lancamento.created'],
    }),
  eventos: (caller) => create(caller, '/lancamentos', aLancamento),
  resumo: (caller) => create(caller, '/lancamentos', aLancamento),
}

async function create(caller: Caller, path: string, body: unknown): Promise<string> {
  const answer = await caller.post(path, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.item.id
}

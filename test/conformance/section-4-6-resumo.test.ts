import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Resumo } from '../../src/resumo/schema.ts'
import { createLancamento } from '../support/lancamento.ts'
import { type Caller, startService } from '../support/service.ts'

const service = await startService()
const NOW = '2026-06-22T12:00:00.000Z'

beforeEach(() => {
  service.clock.now = () => Date.parse(NOW)
})
afterEach(() => {
  service.clock.now = Date.now
})

async function companyWith(...entries: object[]): Promise<Caller> {
  const caller = await service.caller()
  for (const fields of entries) await createLancamento(caller, fields)
  return caller
}

async function resumo(caller: Caller, query: Record<string, string> = {}): Promise<Resumo> {
  const { status, body } = await caller.get(`/resumo?${new URLSearchParams(query)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

describe('4.6 GET /resumo', () => {
  test('4.6 GET /resumo: totals realized, open, overdue and of the next 30 days', async () => {
    const caller = await companyWith(
      { tipo: 'receita', status: 'pago', valor: 100 },
      { tipo: 'despesa', status: 'pago', valor: 30 },
      { tipo: 'receita', valor: 5, vencimento: '2026-06-21' },
      { tipo: 'despesa', valor: 4, vencimento: '2026-06-21' },
      { tipo: 'receita', valor: 0.3, vencimento: '2026-06-23' },
      { tipo: 'despesa', valor: 0.2, vencimento: '2026-06-23' },
      { tipo: 'receita', valor: 0.01, vencimento: '2026-12-31' },
    )
    assert.deepEqual(await resumo(caller), {
      realizado: { recebido: 100, pago: 30, saldo: 70 },
      em_aberto: { a_receber: 5.31, a_pagar: 4.2, saldo: 1.11 },
      vencido: { a_receber: 5, a_pagar: 4 },
      proximos_30_dias: { a_receber: 0.3, a_pagar: 0.2 },
      total_lancamentos: 7,
      truncado: false,
      atualizado_em: NOW,
    })
  })

  test('4.6 GET /resumo: a company without entries has totals, all zero', async () => {
    assert.deepEqual(await resumo(await service.caller()), {
      realizado: { recebido: 0, pago: 0, saldo: 0 },
      em_aberto: { a_receber: 0, a_pagar: 0, saldo: 0 },
      vencido: { a_receber: 0, a_pagar: 0 },
      proximos_30_dias: { a_receber: 0, a_pagar: 0 },
      total_lancamentos: 0,
      truncado: false,
      atualizado_em: NOW,
    })
  })

  test('4.6 GET /resumo: scope lancamentos:read', async () => {
    const operation = service.contract.find('GET', '/api/v1/resumo')
    assert.equal(operation?.scope, 'lancamentos:read')
    const reader = await service.caller({ scopes: ['lancamentos:read'] })
    assert.equal((await reader.get('/resumo')).status, 200)
    const stranger = await service.caller({ scopes: ['parceiros:delete', 'categorias:write'] })
    const { status, body } = await stranger.get('/resumo')
    assert.equal(status, 403)
    assert.deepEqual([body.code, body.scope], ['insufficient-scope', 'lancamentos:read'])
    assert.equal((await service.call('GET', '/resumo')).status, 401)
  })
})

describe('4.6 query parameters', () => {
  test('4.6 data_de and data_ate: date bounds, both inclusive', async () => {
    const caller = await companyWith(
      { data: '2026-01-31', status: 'pago', valor: 1 },
      { data: '2026-02-01', status: 'pago', valor: 20 },
      { data: '2026-02-28', status: 'pago', valor: 300 },
      { data: '2026-03-01', status: 'pago', valor: 4000 },
    )
    const received = async (query: Record<string, string>) =>
      (await resumo(caller, query)).realizado.recebido
    assert.equal(await received({ data_de: '2026-02-01' }), 4320)
    assert.equal(await received({ data_ate: '2026-02-28' }), 321)
    assert.equal(await received({ data_de: '2026-02-01', data_ate: '2026-02-28' }), 320)
  })

  test('4.6 centro_custo: exact text match, as stored', async () => {
    const texts = ['Matriz', 'matriz', 'Matriz ', '']
    const caller = await companyWith(
      { valor: 1000, centro_custo: null },
      ...texts.map((centro_custo, i) => ({ valor: i + 1, centro_custo })),
    )
    for (const [i, centro_custo] of texts.entries()) {
      const { em_aberto, total_lancamentos } = await resumo(caller, { centro_custo })
      assert.deepEqual([em_aberto.a_receber, total_lancamentos], [i + 1, 1], `[${centro_custo}]`)
    }
  })

  test('4.6 what is no date, reversed or unknown is refused', async () => {
    const caller = await service.caller()
    for (const query of [
      'data_de=2026-02-30',
      'data_ate=hoje',
      'data_de=2026-02-02&data_ate=2026-02-01',
      'tipo=receita',
      'centro_de_custo=Matriz',
    ]) {
      const { status, body } = await caller.get(`/resumo?${query}`)
      assert.equal(status, 400, query)
      assert.equal(body.code, 'invalid-query')
    }
  })
})

describe('4.6 definitions', () => {
  test('4.6 transfers between accounts count neither as revenue nor as expense', async () => {
    const caller = await companyWith(
      { tipo: 'transferencia', status: 'pago' },
      { tipo: 'transferencia', vencimento: '2026-06-01' },
      { tipo: 'transferencia', vencimento: '2026-06-30' },
    )
    const { total_lancamentos, ...totals } = await resumo(caller)
    assert.equal(total_lancamentos, 3)
    const { total_lancamentos: none, ...nothing } = await resumo(await service.caller())
    assert.deepEqual(totals, nothing)
  })

  test('4.6 interest and discount are included in the realized total', async () => {
    const payment = { status: 'pago', valor: 100, juros: 2.07, desconto: 0.5 }
    const caller = await companyWith(
      { ...payment, tipo: 'receita' },
      { ...payment, tipo: 'despesa', valor: 200 },
    )
    const { realizado } = await resumo(caller)
    assert.deepEqual(realizado, { recebido: 101.57, pago: 201.57, saldo: -100 })
  })

  test('4.6 proximos_30_dias does not repeat amounts already in the overdue figure', async () => {
    const caller = await companyWith(
      { valor: 1, vencimento: '2026-06-21' },
      { valor: 20, vencimento: '2026-06-22' },
      { valor: 300, vencimento: '2026-07-22' },
      { valor: 4000, vencimento: '2026-07-23' },
    )
    const { vencido, proximos_30_dias } = await resumo(caller)
    assert.deepEqual([vencido.a_receber, proximos_30_dias.a_receber], [1, 320])
  })

  test('4.6 the day is the company’s own', async () => {
    const caller = await companyWith({ valor: 1, vencimento: '2026-06-22' })
    service.clock.now = () => Date.parse('2026-06-23T02:59:59.999Z')
    assert.equal((await resumo(caller)).vencido.a_receber, 0)
    service.clock.now = () => Date.parse('2026-06-23T03:00:00Z')
    assert.equal((await resumo(caller)).vencido.a_receber, 1)
  })
})

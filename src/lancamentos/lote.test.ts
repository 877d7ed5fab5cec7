import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createArea } from '../../test/support/categoria.ts'
import { eventsOf } from '../../test/support/events.ts'
import { createLancamento, UNKNOWN_ID } from '../../test/support/lancamento.ts'
import { createParceiro } from '../../test/support/parceiro.ts'
import { signIn } from '../../test/support/pessoa.ts'
import { faultyFields } from '../../test/support/refusal.ts'
import { type Answer, startService } from '../../test/support/service.ts'
import type { Lote } from './livro-schema.ts'
import type { Lancamento } from './schema.ts'
import { verifyTotais } from './totais.ts'

const service = await startService()
const TODAY = '2026-06-22'
service.clock.now = () => Date.parse(`${TODAY}T12:00:00Z`)
const api = await service.caller()
const { empresa } = api
const pessoa = await signIn(service, { empresa, papel: 'financeiro' })
const leitura = await signIn(service, { empresa, papel: 'leitura' })
const stranger = await signIn(service)

const send = (lote: Partial<Lote>) => pessoa.post('/lancamentos/lote', lote)
const idsOf = (items: Lancamento[]) => items.map(({ id }) => id)
const stored = async (id: string) => (await api.get(`/lancamentos/${id}`)).body.item

/** Three entries in a status; the first is not like the others. */
async function three(fields: object = {}): Promise<Lancamento[]> {
  const others = [{ valor: 10, tipo: 'despesa' }, { centro_custo: 'Matriz' }, {}]
  const made: Lancamento[] = []
  for (const each of others) made.push(await createLancamento(api, { ...each, ...fields }))
  return made
}

/** What happened while something was done. */
async function during(work: () => Promise<unknown>) {
  const before = (await eventsOf(service, empresa)).length
  await work()
  return (await eventsOf(service, empresa)).slice(before)
}

/** What an action answers, that all of it is stored and told, and by which kind of event. */
async function done(lote: Lote, kind: string): Promise<Lancamento[]> {
  let answer: Answer | undefined
  const events = await during(async () => {
    answer = await send(lote)
  })
  assert.equal(answer!.status, 200, JSON.stringify(answer!.body))
  const { items } = answer!.body
  assert.deepEqual(idsOf(items), lote.ids)
  assert.deepEqual(
    events.map(({ kind, data }) => ({ kind, item: data.lancamento })),
    items.map((item: Lancamento) => ({ kind, item })),
  )
  if (lote.acao !== 'excluir') {
    for (const item of items) assert.deepEqual(await stored(item.id), item)
  }
  assert.equal(await verifyTotais(service.db, empresa, false), 0)
  return items
}

/** What is refused leaves nothing behind, of those that would have been well either. */
async function refused(lote: Partial<Lote>, status: number, code: string): Promise<Answer> {
  const before = (await api.get('/lancamentos?limit=1000')).body
  let answer: Answer | undefined
  const events = await during(async () => {
    answer = await send(lote)
  })
  assert.deepEqual([answer!.status, answer!.body.code], [status, code])
  assert.deepEqual(events, [])
  assert.deepEqual((await api.get('/lancamentos?limit=1000')).body, before)
  return answer!
}

const withoutMoment = ({ atualizado_em, ...item }: Lancamento) => item

describe('several entries at once', () => {
  test('are paid, today or on a day, and reverted', async () => {
    const made = await three()
    const ids = idsOf(made)
    const paid = await done({ acao: 'pagar', ids }, 'lancamento.paid')
    for (const [n, item] of paid.entries()) {
      const { valor } = item
      const wanted = { ...made[n]!, status: 'pago', data_pagamento: TODAY, valor_pago: valor }
      assert.deepEqual(withoutMoment(item), withoutMoment(wanted as Lancamento))
    }
    const open = await done({ acao: 'reverter', ids }, 'lancamento.unpaid')
    assert.deepEqual(open.map(withoutMoment), made.map(withoutMoment))
    const day = '2026-06-01'
    const again = await done({ acao: 'pagar', ids, data_pagamento: day }, 'lancamento.paid')
    assert.ok(again.every(({ data_pagamento }) => data_pagamento === day))
  })

  test('are cancelled and opened again', async () => {
    const made = await three()
    const ids = idsOf(made)
    const cancelled = await done({ acao: 'cancelar', ids }, 'lancamento.updated')
    assert.ok(cancelled.every(({ status }) => status === 'cancelado'))
    const open = await done({ acao: 'reabrir', ids }, 'lancamento.updated')
    assert.deepEqual(open.map(withoutMoment), made.map(withoutMoment))
  })

  test('are deleted, and put back as they were', async () => {
    const parceiro_id = (await createParceiro(api)).id
    const fields = { status: 'pago', juros: 0.07, desconto: 1.1, parceiro_id, observacoes: 'à mão' }
    const made = await three(fields)
    const ids = idsOf(made)
    assert.deepEqual(await done({ acao: 'excluir', ids }, 'lancamento.deleted'), made)
    for (const id of ids) assert.equal((await api.get(`/lancamentos/${id}`)).status, 404)
    const back = await done({ acao: 'restaurar', ids }, 'lancamento.created')
    assert.deepEqual(back.map(withoutMoment), made.map(withoutMoment))
    for (const [n, { atualizado_em }] of back.entries()) {
      assert.ok(atualizado_em > made[n]!.atualizado_em)
    }
    // Once more, and what comes back is what was last there.
    await pessoa.patch(`/lancamentos/${ids[0]}`, { descricao: 'Outra' })
    await done({ acao: 'excluir', ids }, 'lancamento.deleted')
    const [first] = await done({ acao: 'restaurar', ids }, 'lancamento.created')
    assert.equal(first!.descricao, 'Outra')
  })

  test('are paid, all but one that cannot be: then none is, and it is named', async () => {
    const [one, two, three_] = await three()
    await pessoa.patch(`/lancamentos/${three_!.id}`, { status: 'cancelado', descricao: 'Aluguel' })
    const ids = idsOf([one!, two!, three_!])
    const { body } = await refused({ acao: 'pagar', ids }, 409, 'lancamento-status')
    assert.match(body.detail, /Aluguel.*está cancelado/)
    for (const id of [UNKNOWN_ID, (await createLancamento(await service.caller())).id]) {
      for (const acao of ['pagar', 'cancelar', 'excluir'] as const) {
        await refused({ acao, ids: [one!.id, id] }, 404, 'not-found')
      }
    }
  })

  test('in another status than an action is for are refused, however they came there', async () => {
    const statuses = ['em_aberto', 'pago', 'cancelado'] as const
    const well = {
      pagar: 'em_aberto',
      reverter: 'pago',
      cancelar: 'em_aberto',
      reabrir: 'cancelado',
    }
    for (const status of statuses) {
      const { id } = await createLancamento(api, { status })
      for (const [acao, from] of Object.entries(well)) {
        if (from === status) continue
        await refused({ acao: acao as Lote['acao'], ids: [id] }, 409, 'lancamento-status')
      }
    }
  })

  test('of another company are out of reach', async () => {
    const made = await three()
    const ids = idsOf(made)
    await createLancamento(api)
    for (const acao of ['pagar', 'reverter', 'cancelar', 'reabrir', 'excluir', 'restaurar']) {
      const answer = await stranger.post('/lancamentos/lote', { acao, ids })
      assert.deepEqual([answer.status, answer.body.code], [404, 'not-found'], acao)
    }
    await done({ acao: 'excluir', ids }, 'lancamento.deleted')
    const answer = await stranger.post('/lancamentos/lote', { acao: 'restaurar', ids })
    assert.deepEqual([answer.status, answer.body.code], [404, 'not-found'])
  })

  test('are for whoever may write', async () => {
    const [item] = await three()
    const lote = { acao: 'pagar', ids: [item!.id] }
    const answer = await leitura.post('/lancamentos/lote', lote)
    assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient-role'])
    assert.deepEqual(await stored(item!.id), item)
    assert.equal((await leitura.get('/livro')).status, 200)
  })
})

describe('one entry', () => {
  test('is paid with interest and discount', async () => {
    const { id, valor } = await createLancamento(api)
    const lote: Lote = { acao: 'pagar', ids: [id], juros: 2.5, desconto: 0.07 }
    const [item] = await done({ ...lote, data_pagamento: '2026-06-30' }, 'lancamento.paid')
    assert.deepEqual([item!.juros, item!.desconto, item!.data_pagamento], [2.5, 0.07, '2026-06-30'])
    assert.equal(item!.valor_pago, Math.round((valor + 2.43) * 100) / 100)
  })

  test('comes back without a partner or category that has gone meanwhile', async () => {
    const parceiro = await createParceiro(api)
    const area = await createArea(api, 'Passageira')
    const fields = { parceiro_id: parceiro.id, categoria_id: area.id, contraparte: 'Quem pagou' }
    const { id } = await createLancamento(api, fields)
    await done({ acao: 'excluir', ids: [id] }, 'lancamento.deleted')
    assert.equal((await api.delete(`/parceiros/${parceiro.id}`)).status, 200)
    await service.db.write(empresa, (tx) =>
      tx.query('delete from categorias where tenant_id = $1 and id = $2', [empresa, area.id]),
    )
    const [item] = await done({ acao: 'restaurar', ids: [id] }, 'lancamento.created')
    const { parceiro_id, categoria_id, contraparte } = item!
    assert.deepEqual([parceiro_id, categoria_id, contraparte], [null, null, 'Quem pagou'])
  })

  test('that is there cannot be put back, nor one that never was', async () => {
    const { id } = await createLancamento(api)
    await refused({ acao: 'restaurar', ids: [id] }, 409, 'lancamento-not-deleted')
    await done({ acao: 'excluir', ids: [id] }, 'lancamento.deleted')
    await done({ acao: 'restaurar', ids: [id] }, 'lancamento.created')
    await refused({ acao: 'restaurar', ids: [id] }, 409, 'lancamento-not-deleted')
    await refused({ acao: 'restaurar', ids: [UNKNOWN_ID] }, 404, 'not-found')
  })
})

test('a faulty body is refused, naming the fields', async () => {
  const [one, two] = idsOf(await three()) as [string, string]
  for (const [lote, fields] of [
    [{}, ['acao', 'ids']],
    [{ acao: 'sumir', ids: [one] }, ['acao']],
    [{ acao: 'pagar', ids: [] }, ['ids']],
    [{ acao: 'pagar', ids: ['x'] }, ['ids[0]']],
    [{ acao: 'pagar', ids: [one, two, one] }, ['ids']],
    [{ acao: 'pagar', ids: [one, one.toUpperCase()] }, ['ids']],
    [{ acao: 'pagar', ids: Array(501).fill(one) }, ['ids']],
    [{ acao: 'pagar', ids: [one, two], juros: 1, desconto: 1 }, ['desconto', 'juros']],
    [{ acao: 'pagar', ids: [one], desconto: 999_999 }, ['desconto']],
    [{ acao: 'pagar', ids: [one], data_pagamento: '2026-02-30' }, ['data_pagamento']],
    [{ acao: 'excluir', ids: [one], data_pagamento: TODAY }, ['data_pagamento']],
    [{ acao: 'reverter', ids: [one], juros: 1 }, ['juros']],
    [{ acao: 'pagar', ids: [one], foo: 1 }, ['foo']],
  ] as [Partial<Lote>, string[]][]) {
    assert.deepEqual(faultyFields(await refused(lote, 400, 'invalid-body')), fields)
  }
})

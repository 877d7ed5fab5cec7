import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createArea } from '../support/categoria.ts'
import { eventsOf } from '../support/events.ts'
import { aLancamento, createLancamento, UNKNOWN_ID } from '../support/lancamento.ts'
import { createParceiro } from '../support/parceiro.ts'
import { type Caller, startService } from '../support/service.ts'

const service = await startService()

/** The events of the caller's company since its first one, which is the creation of the entry. */
async function eventsAfterCreation(caller: Caller) {
  const [created, ...later] = await eventsOf(service, caller.empresa)
  assert.equal(created?.kind, 'lancamento.created')
  return later
}

/** An entry in a company of its own, and the kinds of event that a PATCH of it leaves. */
async function kindsOfPatch(entry: object, patch: object): Promise<string[]> {
  const caller = await service.caller()
  const { id } = await createLancamento(caller, entry)
  const { status, body } = await caller.patch(`/lancamentos/${id}`, patch)
  assert.equal(status, 200, JSON.stringify(body))
  return (await eventsAfterCreation(caller)).map(({ kind }) => kind).sort()
}

describe('6.1 event kinds', () => {
  test('6.1 lancamento.created: entry created', async () => {
    const caller = await service.caller()
    const item = await createLancamento(caller)
    const events = await eventsOf(service, caller.empresa)
    assert.deepEqual(events, [{ kind: 'lancamento.created', seq: 1n, data: { lancamento: item } }])
  })

  test('6.1 lancamento.created: alone, also when created as paid', async () => {
    const caller = await service.caller()
    const item = await createLancamento(caller, { status: 'pago' })
    const events = await eventsOf(service, caller.empresa)
    assert.deepEqual(events, [{ kind: 'lancamento.created', seq: 1n, data: { lancamento: item } }])
  })

  test('6.1 lancamento.updated: entry edited', async () => {
    const caller = await service.caller()
    const { id } = await createLancamento(caller)
    const { item } = (await caller.patch(`/lancamentos/${id}`, { descricao: 'Editada' })).body
    assert.deepEqual(await eventsAfterCreation(caller), [
      { kind: 'lancamento.updated', seq: 2n, data: { lancamento: item } },
    ])
  })

  test('6.1 lancamento.updated: for a change of each field that is no payment', async () => {
    const changes = [
      { data: '2026-06-23' },
      { descricao: 'Outra' },
      { tipo: 'despesa' },
      { valor: 1 },
      { vencimento: '2026-07-01' },
      { contraparte: null },
      { centro_custo: 'Matriz' },
      { observacoes: '' },
      { status: 'cancelado' },
      { juros: 1 },
      { desconto: 1 },
    ]
    for (const change of changes) {
      const kinds = await kindsOfPatch({}, change)
      assert.deepEqual(kinds, ['lancamento.updated'], JSON.stringify(change))
    }
  })

  test('6.1 lancamento.updated: for a change of a payment that stays one', async () => {
    for (const change of [{ data_pagamento: '2026-06-25' }, { juros: 1 }, { desconto: 1 }]) {
      const kinds = await kindsOfPatch({ status: 'pago' }, change)
      assert.deepEqual(kinds, ['lancamento.updated'], JSON.stringify(change))
    }
  })

  test('6.1 lancamento.deleted: entry deleted, as it last was', async () => {
    const caller = await service.caller()
    const item = await createLancamento(caller)
    await caller.delete(`/lancamentos/${item.id}`)
    assert.deepEqual(await eventsAfterCreation(caller), [
      { kind: 'lancamento.deleted', seq: 2n, data: { lancamento: item } },
    ])
  })

  test('6.1 lancamento.paid: entry marked paid', async () => {
    const caller = await service.caller()
    const { id } = await createLancamento(caller)
    const { item } = (await caller.patch(`/lancamentos/${id}`, { status: 'pago' })).body
    assert.deepEqual(await eventsAfterCreation(caller), [
      { kind: 'lancamento.paid', seq: 2n, data: { lancamento: item } },
    ])
  })

  test('6.1 lancamento.paid: what belongs to the payment is no edit of its own', async () => {
    const payment = { status: 'pago', data_pagamento: '2026-06-25', juros: 2, desconto: 1 }
    assert.deepEqual(await kindsOfPatch({}, payment), ['lancamento.paid'])
  })

  test('6.1 lancamento.unpaid: payment reverted', async () => {
    const caller = await service.caller()
    const { id } = await createLancamento(caller, { status: 'pago' })
    const { item } = (await caller.patch(`/lancamentos/${id}`, { status: 'em_aberto' })).body
    assert.deepEqual(await eventsAfterCreation(caller), [
      { kind: 'lancamento.unpaid', seq: 2n, data: { lancamento: item } },
    ])
  })

  test('6.1 lancamento.unpaid: what belongs to the payment is no edit of its own', async () => {
    const paid = { status: 'pago', juros: 2, desconto: 1 }
    const reverted = { status: 'em_aberto', data_pagamento: null, juros: 0, desconto: 0 }
    assert.deepEqual(await kindsOfPatch(paid, reverted), ['lancamento.unpaid'])
  })

  test('6.1 paid or unpaid together with updated, where both happened', async () => {
    const paid = await kindsOfPatch({}, { status: 'pago', valor: 1 })
    assert.deepEqual(paid, ['lancamento.paid', 'lancamento.updated'])
    const unpaid = await kindsOfPatch({ status: 'pago' }, { status: 'cancelado', descricao: 'x' })
    assert.deepEqual(unpaid, ['lancamento.unpaid', 'lancamento.updated'])
  })

  test('6.1 parceiro.created, parceiro.updated, parceiro.deleted', async () => {
    const caller = await service.caller()
    const created = await createParceiro(caller)
    const path = `/parceiros/${created.id}`
    const { item: updated } = (await caller.patch(path, { nome: 'Outro' })).body
    await caller.patch(path, { nome: 'Outro' })
    await caller.delete(path)
    assert.deepEqual(await eventsOf(service, caller.empresa), [
      { kind: 'parceiro.created', seq: 1n, data: { parceiro: created } },
      { kind: 'parceiro.updated', seq: 2n, data: { parceiro: updated } },
      { kind: 'parceiro.deleted', seq: 3n, data: { parceiro: updated } },
    ])
  })

  test('6.1 categoria.created: category created', async () => {
    const caller = await service.caller()
    const categoria = await createArea(caller, 'Marketing')
    const events = await eventsOf(service, caller.empresa)
    assert.deepEqual(events, [{ kind: 'categoria.created', seq: 1n, data: { categoria } }])
  })

  test('6.1 no event where nothing changed', async () => {
    const paid = { status: 'pago', centro_custo: 'Matriz' }
    assert.deepEqual(await kindsOfPatch(paid, { ...aLancamento, ...paid }), [])
  })

  test('6.1 no event for what only reads or was refused', async () => {
    const caller = await service.caller()
    const reader = await service.caller({ empresa: caller.empresa, scopes: ['lancamentos:read'] })
    const stranger = await service.caller()
    const { id } = await createLancamento(caller)
    const path = `/lancamentos/${id}`
    const answers = [
      await caller.get('/lancamentos'),
      await caller.get(path),
      await caller.post('/lancamentos', {}),
      await caller.patch(path, { valor: -1 }),
      await caller.patch(path, { desconto: 99999 }),
      await caller.patch(`/lancamentos/${UNKNOWN_ID}`, { valor: 1 }),
      await caller.delete(`/lancamentos/${UNKNOWN_ID}`),
      await reader.patch(path, { valor: 1 }),
      await stranger.delete(path),
    ]
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(statuses, [200, 200, 400, 400, 400, 404, 404, 403, 404])
    assert.deepEqual(await eventsAfterCreation(caller), [])
    assert.deepEqual(await eventsOf(service, stranger.empresa), [])
  })

  test("6.1 an event belongs to the company of the change, numbered in that company's order", async () => {
    const [one, other] = [await service.caller(), await service.caller()]
    const { id } = await createLancamento(one)
    await createLancamento(other)
    await one.patch(`/lancamentos/${id}`, { valor: 1 })
    await one.delete(`/lancamentos/${id}`)
    const ofOne = await eventsOf(service, one.empresa)
    assert.deepEqual(
      ofOne.map(({ seq, kind }) => [seq, kind]),
      [
        [1n, 'lancamento.created'],
        [2n, 'lancamento.updated'],
        [3n, 'lancamento.deleted'],
      ],
    )
    assert.equal((await eventsOf(service, other.empresa)).length, 1)
  })

  test('6.1 concurrent changes: each has its event, and no number is missing or repeated', async () => {
    const caller = await service.caller()
    const created = await Promise.all(Array.from({ length: 20 }, () => createLancamento(caller)))
    const events = await eventsOf(service, caller.empresa)
    assert.deepEqual(
      events.map(({ seq }) => seq),
      Array.from({ length: 20 }, (_, index) => BigInt(index + 1)),
    )
    assert.deepEqual(
      events.map(({ data }) => data.lancamento!.id).sort(),
      created.map(({ id }) => id).sort(),
    )
  })
})

describe('6.2 data of a delivery', () => {
  test("6.2 data holds a key lancamento with the entry's fields, as the API shows them", async () => {
    const caller = await service.caller()
    const fields = { valor: 0.07, status: 'pago', centro_custo: 'Ação "x"', juros: 0.1 }
    const { id } = await createLancamento(caller, fields)
    const { item } = (await caller.get(`/lancamentos/${id}`)).body
    const [event] = await eventsOf(service, caller.empresa)
    assert.deepEqual(event!.data, { lancamento: item })
    for (const field of ['id', 'data', 'descricao', 'tipo', 'valor', 'status']) {
      assert.ok(field in event!.data.lancamento!, field)
    }
  })

  test('6.2 data is frozen when the event is recorded', async () => {
    const caller = await service.caller()
    const before = await createLancamento(caller)
    await caller.patch(`/lancamentos/${before.id}`, { descricao: 'Editada', status: 'cancelado' })
    await caller.delete(`/lancamentos/${before.id}`)
    const [created] = await eventsOf(service, caller.empresa)
    assert.deepEqual(created!.data, { lancamento: before })
  })
})

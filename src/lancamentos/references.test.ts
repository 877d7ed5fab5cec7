import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addSubcategoria, createArea } from '../../test/support/categoria.ts'
import { eventsOf } from '../../test/support/events.ts'
import {
  aLancamento,
  createLancamento as create,
  UNKNOWN_ID,
} from '../../test/support/lancamento.ts'
import { createParceiro } from '../../test/support/parceiro.ts'
import { refusalsOf } from '../../test/support/refusal.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import type { Lancamento } from './schema.ts'

const service = await startService()
/** A valid body that leaves the counterparty out. */
const { contraparte: _, ...UNNAMED } = aLancamento

async function post(caller: Caller, body: object): Promise<Lancamento> {
  const answer = await caller.post('/lancamentos', { ...UNNAMED, ...body })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.item
}

async function edit(caller: Caller, id: string, fields: object): Promise<Lancamento> {
  const { status, body } = await caller.patch(`/lancamentos/${id}`, fields)
  assert.equal(status, 200, JSON.stringify(body))
  return body.item
}

async function fetchOne(caller: Caller, id: string): Promise<Lancamento> {
  return (await caller.get(`/lancamentos/${id}`)).body.item
}

const kindsOf = async (caller: Caller) =>
  (await eventsOf(service, caller.empresa))
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('lancamento.'))

describe('partner and category of an entry', () => {
  test('are kept, and shown in answer, list and event alike', async () => {
    const caller = await service.caller()
    const parceiro = await createParceiro(caller)
    const area = await createArea(caller, 'Marketing')
    const references = { parceiro_id: parceiro.id, categoria_id: area.id }
    const item = await create(caller, references)
    assert.deepEqual({ ...item, ...references }, item)
    assert.deepEqual(await fetchOne(caller, item.id), item)
    assert.deepEqual((await caller.get('/lancamentos')).body.items, [item])
    const event = (await eventsOf(service, caller.empresa)).at(-1)
    assert.deepEqual(event?.data, { lancamento: item })
  })

  test('may be an inactive partner and a subcategory', async () => {
    const caller = await service.caller()
    const parceiro = await createParceiro(caller, { ativo: false })
    const area = await createArea(caller, 'Marketing')
    const categoria_id = await addSubcategoria(service, caller.empresa, area.id, 'Eventos')
    const item = await create(caller, { parceiro_id: parceiro.id, categoria_id })
    assert.deepEqual([item.parceiro_id, item.categoria_id], [parceiro.id, categoria_id])
  })

  test('are set, changed and cleared by an edit, with an event each time', async () => {
    const caller = await service.caller()
    const [one, two] = [await createParceiro(caller), await createParceiro(caller)]
    const [a, b] = [await createArea(caller, 'A'), await createArea(caller, 'B')]
    const before = await create(caller)
    const changes = [
      { parceiro_id: one.id },
      { categoria_id: a.id },
      { parceiro_id: two.id, categoria_id: b.id },
      { parceiro_id: null },
      { categoria_id: null },
    ]
    let expected = before
    for (const change of changes) {
      const after = await edit(caller, before.id, change)
      expected = { ...expected, ...change, atualizado_em: after.atualizado_em }
      assert.deepEqual(after, expected)
      assert.deepEqual(await fetchOne(caller, before.id), expected)
    }
    const updates = changes.map(() => 'lancamento.updated')
    assert.deepEqual(await kindsOf(caller), ['lancamento.created', ...updates])
  })

  for (const letters of ['lower', 'upper'] as const) {
    test(`sent again as they were, in ${letters} case, change nothing`, async () => {
      const caller = await service.caller()
      const { id: parceiro_id } = await createParceiro(caller)
      const { id: categoria_id } = await createArea(caller, 'Marketing')
      const item = await create(caller, { parceiro_id, categoria_id })
      const written = (id: string) => (letters === 'upper' ? id.toUpperCase() : id)
      const same = { parceiro_id: written(parceiro_id), categoria_id: written(categoria_id) }
      assert.deepEqual(await edit(caller, item.id, same), item)
      assert.deepEqual(await kindsOf(caller), ['lancamento.created'])
    })
  }

  test('in upper case are found, and shown as every id is', async () => {
    const caller = await service.caller()
    const { id } = await createParceiro(caller)
    assert.equal((await create(caller, { parceiro_id: id.toUpperCase() })).parceiro_id, id)
  })
})

describe('the counterparty', () => {
  for (const [name, body] of Object.entries({ 'left out': {}, null: { contraparte: null } })) {
    test(`${name}, is the partner’s name`, async () => {
      const caller = await service.caller()
      const { id } = await createParceiro(caller, { nome: ' Padaria Bom Dia ' })
      const item = await post(caller, { parceiro_id: id, ...body })
      assert.equal(item.contraparte, ' Padaria Bom Dia ')
      assert.deepEqual(await fetchOne(caller, item.id), item)
    })
  }

  for (const contraparte of ['Outra pessoa', ' ', '']) {
    test(`given as '${contraparte}', stays as it was sent`, async () => {
      const caller = await service.caller()
      const { id } = await createParceiro(caller, { nome: 'Padaria' })
      assert.equal((await post(caller, { parceiro_id: id, contraparte })).contraparte, contraparte)
    })
  }

  test('without a partner is none', async () => {
    assert.equal((await post(await service.caller(), {})).contraparte, null)
  })

  test('does not follow when the partner is renamed', async () => {
    const caller = await service.caller()
    const { id } = await createParceiro(caller, { nome: 'Padaria' })
    const item = await post(caller, { parceiro_id: id })
    assert.equal((await caller.patch(`/parceiros/${id}`, { nome: 'Outra' })).status, 200)
    assert.deepEqual(await fetchOne(caller, item.id), item)
    assert.equal((await post(caller, { parceiro_id: id })).contraparte, 'Outra')
  })

  test('does not follow when the entry is given a partner, another one or none', async () => {
    const caller = await service.caller()
    const [one, two] = [
      await createParceiro(caller, { nome: 'Um' }),
      await createParceiro(caller, { nome: 'Dois' }),
    ]
    const without = await post(caller, {})
    const given = await edit(caller, without.id, { parceiro_id: one.id })
    assert.equal(given.contraparte, null)
    const { id } = await post(caller, { parceiro_id: one.id })
    for (const parceiro_id of [two.id, null]) {
      assert.equal((await edit(caller, id, { parceiro_id })).contraparte, 'Um')
    }
  })

  test('can be cleared, and stays so', async () => {
    const caller = await service.caller()
    const { id: parceiro_id } = await createParceiro(caller)
    const { id } = await post(caller, { parceiro_id })
    assert.equal((await edit(caller, id, { contraparte: null, parceiro_id })).contraparte, null)
    assert.equal((await edit(caller, id, { valor: 1 })).contraparte, null)
  })

  test('may be as long as a name', async () => {
    const caller = await service.caller()
    const nome = '💸'.repeat(200)
    const { id } = await createParceiro(caller, { nome })
    assert.equal((await post(caller, { parceiro_id: id })).contraparte, nome)
  })
})

describe('a reference to what is not in the company', async () => {
  const [caller, other] = [await service.caller(), await service.caller()]
  const own = {
    parceiro_id: (await createParceiro(caller)).id,
    categoria_id: (await createArea(caller, 'Marketing')).id,
  }
  const foreign = {
    parceiro_id: (await createParceiro(other)).id,
    categoria_id: (await createArea(other, 'Marketing')).id,
  }
  const { id } = await create(caller, own)
  const refused = refusalsOf(service, caller, '/lancamentos')

  const cases: Record<string, Record<string, string>> = {
    'a partner that does not exist': { parceiro_id: UNKNOWN_ID },
    'a category that does not exist': { categoria_id: UNKNOWN_ID },
    'a partner of another company': { parceiro_id: foreign.parceiro_id },
    'a category of another company': { categoria_id: foreign.categoria_id },
    'a category for a partner': { parceiro_id: own.categoria_id },
    'a partner for a category': { categoria_id: own.parceiro_id },
    'both unknown': { parceiro_id: UNKNOWN_ID, categoria_id: UNKNOWN_ID },
    'both of another company': foreign,
    'a bank account': { conta_bancaria_id: own.parceiro_id },
    'all three': { ...foreign, conta_bancaria_id: UNKNOWN_ID },
  }
  for (const [name, body] of Object.entries(cases)) {
    test(`${name} is refused, in a new entry and in an edit`, async () => {
      const fields = Object.keys(body)
      await refused(() => caller.post('/lancamentos', { ...aLancamento, ...body }), { fields })
      await refused(() => caller.patch(`/lancamentos/${id}`, body), { fields })
    })
  }

  test('only what is missing is named', async () => {
    const body = { ...aLancamento, ...own, categoria_id: UNKNOWN_ID }
    await refused(() => caller.post('/lancamentos', body), { fields: ['categoria_id'] })
  })

  test('is told like one that exists nowhere', async () => {
    const details = []
    for (const parceiro_id of [foreign.parceiro_id, UNKNOWN_ID]) {
      const { body } = await caller.post('/lancamentos', { ...aLancamento, parceiro_id })
      details.push(body.detail)
    }
    assert.equal(details[0], details[1])
  })

  test('is refused once the partner is deleted', async () => {
    const gone = await createParceiro(caller)
    await caller.delete(`/parceiros/${gone.id}`)
    const body = { ...aLancamento, parceiro_id: gone.id }
    await refused(() => caller.post('/lancamentos', body), { fields: ['parceiro_id'] })
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventsOf } from '../../test/support/events.ts'
import { createLancamento, UNKNOWN_ID } from '../../test/support/lancamento.ts'
import { CNPJ, CPF, createParceiro as create } from '../../test/support/parceiro.ts'
import { refusalsOf } from '../../test/support/refusal.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import type { Parceiro } from './schema.ts'

const service = await startService()
const FIELDS = ['nome', 'tipo', 'documento', 'email', 'telefone', 'ativo', 'observacoes']
const EVERYTHING = {
  nome: 'Padaria Bom Dia Ltda',
  tipo: 'ambos',
  documento: CNPJ,
  email: 'contato@exemplo.com.br',
  telefone: '+55 11 91234-5678',
  ativo: false,
  observacoes: 'Entrega às terças',
}

async function fetchOne(caller: Caller, id: string): Promise<Parceiro> {
  const { status, body } = await caller.get(`/parceiros/${id}`)
  assert.equal(status, 200)
  return body.item
}

async function edit(caller: Caller, id: string, fields: object): Promise<Parceiro> {
  const { status, body } = await caller.patch(`/parceiros/${id}`, fields)
  assert.equal(status, 200, JSON.stringify(body))
  return body.item
}

async function list(caller: Caller, query = '') {
  const { status, body } = await caller.get(`/parceiros${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { items: Parceiro[]; total: number; limit: number; offset: number }
}

/** The names that a query finds, in order, and that its total says the same. */
async function found(caller: Caller, query: string): Promise<string[]> {
  const { items, total } = await list(caller, query)
  assert.equal(total, items.length)
  return items.map(({ nome }) => nome)
}

const kindsOf = async (caller: Caller) =>
  (await eventsOf(service, caller.empresa)).map(({ kind }) => kind)

describe('creating', () => {
  test('a name is enough, and the other fields have their defaults', async () => {
    const { status, body } = await (await service.caller()).post('/parceiros', { nome: 'Maria' })
    assert.equal(status, 201)
    const { id, criado_em, atualizado_em, ...rest } = body.item
    assert.deepEqual(rest, {
      nome: 'Maria',
      tipo: 'cliente',
      documento: null,
      email: null,
      telefone: null,
      ativo: true,
      observacoes: null,
    })
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.ok(atualizado_em >= criado_em)
  })

  test('every field is kept, and fetched and listed as it was answered', async () => {
    const caller = await service.caller()
    const item = await create(caller, EVERYTHING)
    const { id, criado_em, atualizado_em, ...rest } = item
    assert.deepEqual(rest, EVERYTHING)
    assert.deepEqual(await fetchOne(caller, id), item)
    assert.deepEqual(await list(caller), { items: [item], total: 1, limit: 100, offset: 0 })
  })

  test('null for an optional field is the same as leaving it out', async () => {
    const caller = await service.caller()
    const nulls = Object.fromEntries(FIELDS.map((field) => [field, null]))
    const plain = await create(caller)
    const item = await create(caller, { ...nulls, nome: 'Parceiro' })
    const { id, criado_em, atualizado_em } = plain
    assert.deepEqual({ ...item, id, criado_em, atualizado_em }, plain)
  })

  for (const tipo of ['cliente', 'fornecedor', 'ambos']) {
    test(`the kind ${tipo} is accepted`, async () => {
      assert.equal((await create(await service.caller(), { tipo })).tipo, tipo)
    })
  }

  test('texts are stored exactly as sent', async () => {
    const caller = await service.caller()
    for (const text of ['  Zé  ', 'São'.normalize('NFD'), '💸 \t\r\n', `'; drop table --`]) {
      const texts = { nome: text, telefone: text, observacoes: text }
      const item = await fetchOne(caller, (await create(caller, texts)).id)
      assert.deepEqual({ ...item, ...texts }, item)
    }
    assert.equal((await create(caller, { observacoes: '' })).observacoes, '')
  })

  test('texts are accepted up to their limits, an emoji counting once', async () => {
    const longest = { nome: '💸'.repeat(200), observacoes: '💸'.repeat(5000) }
    const item = await create(await service.caller(), longest)
    assert.deepEqual({ ...item, ...longest }, item)
  })

  test('two partners may have the same name', async () => {
    const caller = await service.caller()
    await create(caller, { nome: 'João' })
    await create(caller, { nome: 'João' })
    assert.equal((await list(caller)).total, 2)
  })
})

describe('the document', () => {
  const documents: Record<string, string> = {
    '52998224725': CPF,
    '529.982.247-25': CPF,
    '00000000191': '00000000191',
    '11222333000181': CNPJ,
    '11.222.333/0001-81': CNPJ,
    '12ABC34501DE35': '12ABC34501DE35',
    '12abc34501de35': '12ABC34501DE35',
    '12.aBc.345/01De-35': '12ABC34501DE35',
  }
  for (const [sent, kept] of Object.entries(documents)) {
    test(`${sent} is kept as ${kept}, in a new partner and in an edit`, async () => {
      const caller = await service.caller()
      const item = await create(caller, { documento: sent })
      assert.equal(item.documento, kept)
      assert.deepEqual(await fetchOne(caller, item.id), item)
      await edit(caller, item.id, { documento: null })
      assert.equal((await edit(caller, item.id, { documento: sent })).documento, kept)
    })
  }

  const same = [
    { name: 'with punctuation', first: CPF, second: '529.982.247-25' },
    { name: 'without punctuation', first: '11.222.333/0001-81', second: CNPJ },
    { name: 'in lower case', first: '12ABC34501DE35', second: '12abc34501de35' },
    { name: 'in both at once', first: '12.abc.345/01de-35', second: '12ABC34501DE35' },
  ]
  for (const { name, first, second } of same) {
    test(`the same one ${name} is a duplicate, in a new partner and in an edit`, async () => {
      const caller = await service.caller()
      const refused = refusalsOf(service, caller, '/parceiros')
      await create(caller, { documento: first })
      const { id } = await create(caller, { nome: 'Outro' })
      const duplicate = { status: 409, code: 'duplicate-documento' }
      const body = { nome: 'Repetido', documento: second }
      await refused(() => caller.post('/parceiros', body), duplicate)
      await refused(() => caller.patch(`/parceiros/${id}`, { documento: second }), duplicate)
    })
  }

  test('a partner may be sent its own document, written in any way', async () => {
    const caller = await service.caller()
    const item = await create(caller, { documento: '12ABC34501DE35' })
    for (const documento of ['12ABC34501DE35', '12.abc.345/01de-35']) {
      assert.deepEqual(await edit(caller, item.id, { documento }), item)
    }
    assert.deepEqual(await kindsOf(caller), ['parceiro.created'])
    const renamed = await edit(caller, item.id, { nome: 'Outro', documento: '12abc34501de35' })
    assert.equal(renamed.documento, '12ABC34501DE35')
  })

  test('several partners may have none', async () => {
    const caller = await service.caller()
    await create(caller)
    await create(caller, { documento: null })
    const { id } = await create(caller, { documento: CPF })
    await edit(caller, id, { documento: null })
    assert.equal((await list(caller)).total, 3)
  })

  test('is free again when its partner is deleted or gives it up', async () => {
    const caller = await service.caller()
    const first = await create(caller, { documento: CPF })
    await caller.delete(`/parceiros/${first.id}`)
    const second = await create(caller, { documento: CPF })
    await edit(caller, second.id, { documento: CNPJ })
    await create(caller, { documento: CPF })
  })

  test('may be the same in two companies', async () => {
    for (const caller of [await service.caller(), await service.caller()]) {
      await create(caller, { documento: CPF })
    }
  })

  test('sent by many at the same moment, it belongs to one', async () => {
    const caller = await service.caller()
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        caller.post('/parceiros', { nome: `Parceiro ${index}`, documento: CPF }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, 409, 409, 409, 409])
    assert.equal((await list(caller)).total, 1)
    assert.deepEqual(await kindsOf(caller), ['parceiro.created'])
  })
})

describe('filters', async () => {
  const caller = await service.caller()
  const partners = {
    a: { tipo: 'cliente' },
    b: { tipo: 'fornecedor' },
    c: { tipo: 'ambos' },
    d: { tipo: 'cliente', ativo: false },
    e: { tipo: 'ambos', ativo: false },
  }
  for (const [nome, fields] of Object.entries(partners)) await create(caller, { nome, ...fields })

  const cases: Record<string, string[]> = {
    '': ['a', 'b', 'c', 'd', 'e'],
    '?tipo=cliente': ['a', 'd'],
    '?tipo=fornecedor': ['b'],
    '?tipo=ambos': ['c', 'e'],
    '?ativo=true': ['a', 'b', 'c'],
    '?ativo=1': ['a', 'b', 'c'],
    '?ativo=false': ['d', 'e'],
    '?ativo=0': ['d', 'e'],
    '?tipo=ambos&ativo=false': ['e'],
    '?tipo=fornecedor&ativo=0': [],
  }
  for (const [query, expected] of Object.entries(cases)) {
    test(`${query || 'none'} finds ${expected.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await found(caller, query), expected)
    })
  }

  const refusals: Record<string, string[]> = {
    ativo: ['maybe', '', 'TRUE', '2', 'sim', 'null', '%20true', 'true&ativo=false'],
    tipo: ['Cliente', '', 'x', 'cliente,ambos', 'cliente&tipo=ambos'],
    limit: ['0', '1001', 'x', ''],
    offset: ['-1', 'x', ''],
    nome: ['a'],
    documento: [CPF],
  }
  for (const [name, values] of Object.entries(refusals)) {
    for (const value of values) {
      test(`${name}=${value} is refused`, async () => {
        const refused = refusalsOf(service, caller, '/parceiros')
        const query = `${name}=${value}`
        const refusal = { code: 'invalid-query', fields: [name] }
        await refused(() => caller.get(`/parceiros?${query}`), refusal)
      })
    }
  }

  test('faults of several parameters are all named', async () => {
    const refused = refusalsOf(service, caller, '/parceiros')
    const { body } = await refused(
      () => caller.get('/parceiros?tipo=x&ativo=maybe&limit=0&offset=-1&foo=1'),
      { code: 'invalid-query', fields: ['tipo', 'ativo', 'limit', 'offset', 'foo'] },
    )
    for (const word of ['cliente', 'fornecedor', 'ambos']) assert.ok(body.detail.includes(word))
  })
})

describe('the list', () => {
  test('of a new company is empty', async () => {
    const empty = { items: [], total: 0, limit: 100, offset: 0 }
    assert.deepEqual(await list(await service.caller()), empty)
  })

  test('is in the order of names that Brazilians expect', async () => {
    const names = [
      'Abel',
      'álamo',
      'Álvaro',
      'ana',
      'Ana Clara',
      'avestruz',
      'Ávila',
      'Bruno',
      'cabral',
      'Çabuk',
      'Caio',
      'Érica',
      'ernesto',
      'Zeca',
      'zulmira',
    ]
    const caller = await service.caller()
    for (const nome of names.toSorted().reverse()) await create(caller, { nome })
    assert.deepEqual(await found(caller, ''), names)
  })

  test('has partners of one name in the order of their ids', async () => {
    const caller = await service.caller()
    const created = await Promise.all(Array.from({ length: 12 }, () => create(caller)))
    const { items } = await list(caller)
    const ids = created.map(({ id }) => id).sort()
    assert.deepEqual(
      items.map(({ id }) => id),
      ids,
    )
  })

  test('holds 100 unless told otherwise, and its pages neither skip nor repeat', async () => {
    const caller = await service.caller()
    await Promise.all(
      Array.from({ length: 103 }, (_, index) => create(caller, { nome: `Nome ${index % 3}` })),
    )
    const { items: all } = await list(caller, '?limit=1000')
    assert.equal(new Set(all.map(({ id }) => id)).size, 103)
    const first = await list(caller)
    assert.deepEqual(first, { items: all.slice(0, 100), total: 103, limit: 100, offset: 0 })
    const pages: Parceiro[] = []
    for (let offset = 0; offset < 103; offset += 10) {
      const page = await list(caller, `?limit=10&offset=${offset}`)
      assert.deepEqual([page.total, page.limit, page.offset], [103, 10, offset])
      pages.push(...page.items)
    }
    assert.deepEqual(pages, all)
    const beyond = await list(caller, '?offset=103')
    assert.deepEqual(beyond, { items: [], total: 103, limit: 100, offset: 103 })
  })

  test('counts what matches the filter, not what the page holds', async () => {
    const caller = await service.caller()
    for (const tipo of ['cliente', 'ambos', 'cliente', 'cliente']) await create(caller, { tipo })
    const { items, total } = await list(caller, '?tipo=cliente&limit=1&offset=1')
    assert.deepEqual([items.length, total], [1, 3])
  })
})

describe('editing', () => {
  test('changes what was sent and nothing else, with an event for each change', async () => {
    const caller = await service.caller()
    const before = await create(caller)
    let expected = before
    for (const [field, value] of Object.entries(EVERYTHING)) {
      const after = await edit(caller, before.id, { [field]: value })
      expected = { ...expected, [field]: value, atualizado_em: after.atualizado_em }
      assert.deepEqual(after, expected)
      assert.deepEqual(await fetchOne(caller, before.id), expected)
    }
    assert.ok(expected.atualizado_em >= before.atualizado_em)
    const updates = (await kindsOf(caller)).filter((kind) => kind === 'parceiro.updated')
    assert.equal(updates.length, Object.keys(EVERYTHING).length)
  })

  test('several changes in one are one event', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    await edit(caller, id, EVERYTHING)
    assert.deepEqual(await kindsOf(caller), ['parceiro.created', 'parceiro.updated'])
  })

  test('null clears what can be empty', async () => {
    const caller = await service.caller()
    const before = await create(caller, EVERYTHING)
    const nulls = { documento: null, email: null, telefone: null, observacoes: null }
    const item = await edit(caller, before.id, nulls)
    assert.deepEqual(item, { ...before, ...nulls, atualizado_em: item.atualizado_em })
    assert.deepEqual(await fetchOne(caller, item.id), item)
  })

  const nothing: Record<string, (item: Parceiro) => object> = {
    'one field as it was': ({ nome }) => ({ nome }),
    'the whole item as it was fetched': (item) => item,
    'read-only fields alone': ({ id, criado_em, atualizado_em }) => ({
      id,
      criado_em,
      atualizado_em,
    }),
  }
  for (const [name, bodyOf] of Object.entries(nothing)) {
    test(`${name} changes nothing and leaves no event`, async () => {
      const caller = await service.caller()
      const item = await create(caller, EVERYTHING)
      assert.deepEqual(await edit(caller, item.id, bodyOf(item)), item)
      assert.deepEqual(await fetchOne(caller, item.id), item)
      assert.deepEqual(await kindsOf(caller), ['parceiro.created'])
    })
  }

  test('null where nothing was changes nothing', async () => {
    const caller = await service.caller()
    const item = await create(caller)
    assert.deepEqual(await edit(caller, item.id, { email: null, documento: null }), item)
    assert.deepEqual(await kindsOf(caller), ['parceiro.created'])
  })

  test('an item can be fetched, edited and sent back whole', async () => {
    const caller = await service.caller()
    const item = await create(caller, EVERYTHING)
    const after = await edit(caller, item.id, { ...item, nome: 'Outro' })
    assert.deepEqual(after, { ...item, nome: 'Outro', atualizado_em: after.atualizado_em })
  })

  test('an item that was changed meanwhile cannot be sent back whole', async () => {
    const caller = await service.caller()
    const item = await create(caller)
    // The next millisecond is another moment of the last change.
    while (
      (await edit(caller, item.id, { telefone: crypto.randomUUID() })).atualizado_em ===
      item.atualizado_em
    );
    const refused = refusalsOf(service, caller, '/parceiros')
    const call = () => caller.patch(`/parceiros/${item.id}`, { ...item, nome: 'Outro' })
    await refused(call, { fields: ['atualizado_em'] })
  })
})

describe('deleting', () => {
  test('answers with the partner as it last was, which is then gone', async () => {
    const caller = await service.caller()
    const { id } = await create(caller, EVERYTHING)
    const item = await edit(caller, id, { ativo: true })
    const { status, body } = await caller.delete(`/parceiros/${id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { item })
    for (const answer of [
      await caller.get(`/parceiros/${id}`),
      await caller.patch(`/parceiros/${id}`, { nome: 'x' }),
      await caller.delete(`/parceiros/${id}`),
    ]) {
      assert.equal(answer.status, 404)
      assert.equal(answer.body.code, 'not-found')
    }
    assert.equal((await list(caller)).total, 0)
  })

  test('one that an entry points to is refused, and nothing is lost', async () => {
    const caller = await service.caller()
    const item = await create(caller)
    const entry = await createLancamento(caller, { parceiro_id: item.id, status: 'cancelado' })
    const refused = refusalsOf(service, caller, '/parceiros')
    const inUse = { status: 409, code: 'parceiro-in-use' }
    const { body } = await refused(() => caller.delete(`/parceiros/${item.id}`), inUse)
    assert.match(body.detail, /ativo/)
    assert.deepEqual(await fetchOne(caller, item.id), item)
    assert.deepEqual((await caller.get(`/lancamentos/${entry.id}`)).body.item, entry)
  })

  const releases: Record<string, (caller: Caller, entry: string) => Promise<unknown>> = {
    'the entry is deleted': (caller, entry) => caller.delete(`/lancamentos/${entry}`),
    'the entry points to it no more': (caller, entry) =>
      caller.patch(`/lancamentos/${entry}`, { parceiro_id: null }),
  }
  for (const [name, release] of Object.entries(releases)) {
    test(`works as soon as ${name}`, async () => {
      const caller = await service.caller()
      const item = await create(caller)
      const entry = await createLancamento(caller, { parceiro_id: item.id })
      assert.equal((await caller.delete(`/parceiros/${item.id}`)).status, 409)
      await release(caller, entry.id)
      const { status, body } = await caller.delete(`/parceiros/${item.id}`)
      assert.equal(status, 200)
      assert.deepEqual(body, { item })
    })
  }

  test('one that is in use can be set inactive instead', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    await createLancamento(caller, { parceiro_id: id })
    assert.equal((await edit(caller, id, { ativo: false })).ativo, false)
  })

  test('while an entry is made that points to it, one of the two is refused', async () => {
    const caller = await service.caller()
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { id } = await create(caller)
        const entry = { data: '2026-06-22', descricao: 'x', tipo: 'receita', valor: 1 }
        const [removed, made] = await Promise.all([
          caller.delete(`/parceiros/${id}`),
          caller.post('/lancamentos', { ...entry, parceiro_id: id }),
        ])
        return `${removed.status} ${made.status}`
      }),
    )
    for (const outcome of outcomes) assert.match(outcome, /^(200 400|409 201)$/)
  })

  test('at the same moment, one answer has the partner and the others find none', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    const answers = await Promise.all([1, 2, 3].map(() => caller.delete(`/parceiros/${id}`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404])
    assert.deepEqual(await kindsOf(caller), ['parceiro.created', 'parceiro.deleted'])
  })
})

describe('events', () => {
  test('hold the partner as the API showed it then', async () => {
    const caller = await service.caller()
    const created = await create(caller, { nome: ' Ação 💸 ', documento: '529.982.247-25' })
    const edited = await edit(caller, created.id, { tipo: 'ambos', ativo: false })
    await edit(caller, created.id, { tipo: 'ambos' })
    await caller.patch(`/parceiros/${created.id}`, { documento: 'x' })
    await caller.delete(`/parceiros/${created.id}`)
    assert.deepEqual(await eventsOf(service, caller.empresa), [
      { kind: 'parceiro.created', data: { parceiro: created }, seq: 1n },
      { kind: 'parceiro.updated', data: { parceiro: edited }, seq: 2n },
      { kind: 'parceiro.deleted', data: { parceiro: edited }, seq: 3n },
    ])
  })
})

describe('bad input', async () => {
  const caller = await service.caller()
  const stored = await create(caller, EVERYTHING)
  const address = `/parceiros/${stored.id}`
  const refused = refusalsOf(service, caller, '/parceiros')

  const noText = ['a\0b', '\ud800', 1, true, [], {}]
  const cases: Record<string, unknown[]> = {
    nome: ['', 'x'.repeat(201), ...noText],
    tipo: ['Cliente', 'cliente ', '', 'x', 1, true, ['cliente'], {}],
    documento: [
      '',
      'x',
      '52998224724',
      '5299822472',
      '529982247251',
      '11111111111',
      '00000000000000',
      '11222333000182',
      '12ABC34501DE36',
      '12ABC34501DEA5',
      '１１２２２３３３０００１８１',
      52998224725,
      'x'.repeat(5000),
      ...noText,
    ],
    email: ['contato', 'contato.exemplo.com.br', '', `${'x'.repeat(5000)}@x.com`, ...noText],
    telefone: ['9'.repeat(5000), ...noText],
    ativo: ['true', 'false', '', 0, 1, [], {}],
    observacoes: ['x'.repeat(5001), ...noText],
  }
  for (const [field, values] of Object.entries(cases)) {
    for (const value of values) {
      const shown = JSON.stringify(value)
      const name = shown.length > 40 ? `a text of ${shown.length - 2}` : shown
      test(`${field} as ${name} is refused, in a new partner and in an edit`, async () => {
        const fields = [field]
        await refused(() => caller.post('/parceiros', { nome: 'x', [field]: value }), { fields })
        await refused(() => caller.patch(address, { [field]: value }), { fields })
      })
    }
  }

  for (const field of ['nome', 'tipo', 'ativo', 'id', 'criado_em', 'atualizado_em']) {
    test(`${field} cannot be cleared`, async () => {
      await refused(() => caller.patch(address, { [field]: null }), { fields: [field] })
    })
  }

  test('a name is required', async () => {
    await refused(() => caller.post('/parceiros', {}), { fields: ['nome'] })
    await refused(() => caller.post('/parceiros', { nome: null }), { fields: ['nome'] })
  })

  test('the allowed kinds are told', async () => {
    for (const tipo of ['x', 1]) {
      const { body } = await refused(() => caller.post('/parceiros', { nome: 'x', tipo }))
      for (const word of ['cliente', 'fornecedor', 'ambos']) {
        assert.ok(body.detail.includes(word), body.detail)
      }
    }
  })

  for (const field of ['nme', 'Nome', 'tenant_id', '__proto__', 'constructor', '💸']) {
    test(`the unknown field ${field} is named, with those that are accepted`, async () => {
      const fields = [field]
      const json = (first: string) => `{${first},${JSON.stringify(field)}:1}`
      const { body } = await refused(() => caller.post('/parceiros', json('"nome":"x"')), {
        fields,
      })
      for (const name of FIELDS) assert.ok(body.detail.includes(name), body.detail)
      await refused(() => caller.patch(address, json('"nome":"x"')), { fields })
    })
  }

  for (const field of ['id', 'criado_em', 'atualizado_em'] as const) {
    test(`${field} is not accepted in a new partner`, async () => {
      const call = () => caller.post('/parceiros', { nome: 'x', [field]: stored[field] })
      await refused(call, { fields: [field] })
    })

    test(`${field} that differs from what is stored is refused in an edit`, async () => {
      const other = field === 'id' ? UNKNOWN_ID : '2020-01-01T00:00:00.000Z'
      for (const value of [other, 'x', 1]) {
        const fields = [field]
        await refused(() => caller.patch(address, { [field]: value }), { fields })
        const whole = { ...stored, nome: 'Outro', [field]: value }
        await refused(() => caller.patch(address, whole), { fields })
      }
    })
  }

  const faulty = {
    nome: '',
    tipo: 'x',
    documento: 1,
    email: 'x',
    telefone: '\0',
    ativo: 'sim',
    observacoes: 'x'.repeat(5001),
    surpresa: 1,
  }
  test('several faults are all named', async () => {
    const fields = Object.keys(faulty)
    await refused(() => caller.post('/parceiros', faulty), { fields })
    await refused(() => caller.patch(address, faulty), { fields })
  })

  test('wrong check digits are named with the other faults', async () => {
    const body = { ...faulty, documento: '52998224724' }
    const fields = Object.keys(faulty)
    await refused(() => caller.post('/parceiros', body), { fields })
    await refused(() => caller.patch(address, body), { fields })
  })

  for (const body of ['{}', '']) {
    test(`${body ? 'an empty edit' : 'an edit without a body'} is refused`, async () => {
      await refused(() => caller.call('PATCH', address, { body }))
    })
  }

  for (const body of ['[]', 'null', '"x"', '1']) {
    test(`a body that is ${body} is refused`, async () => {
      await refused(() => caller.post('/parceiros', body))
      await refused(() => caller.patch(address, body))
    })
  }

  test('what is no JSON is refused', async () => {
    await refused(() => caller.post('/parceiros', '{'), { code: 'invalid-json' })
    await refused(() => caller.patch(address, '{'), { code: 'invalid-json' })
  })

  test('an address that takes no parameter refuses one', async () => {
    const refusal = { code: 'invalid-query', fields: ['x'] }
    await refused(() => caller.post('/parceiros?x=1', { nome: 'x' }), refusal)
    await refused(() => caller.get(`${address}?x=1`), refusal)
    await refused(() => caller.patch(`${address}?x=1`, { nome: 'x' }), refusal)
    await refused(() => caller.delete(`${address}?x=1`), refusal)
  })

  for (const id of [UNKNOWN_ID, 'abc', '%00', '%zz', `${UNKNOWN_ID}0`]) {
    test(`the id ${id} belongs to nothing`, async () => {
      const missing = { status: 404, code: 'not-found' }
      await refused(() => caller.get(`/parceiros/${id}`), missing)
      await refused(() => caller.patch(`/parceiros/${id}`, { nome: 'x' }), missing)
      await refused(() => caller.delete(`/parceiros/${id}`), missing)
    })

    test(`a bad body is told before it is told that ${id} does not exist`, async () => {
      for (const body of [{ nome: '' }, { documento: 1 }]) {
        await refused(() => caller.patch(`/parceiros/${id}`, body), { fields: Object.keys(body) })
      }
    })
  }

  test('wrong check digits are told before it is told that the partner does not exist', async () => {
    for (const id of [UNKNOWN_ID, 'abc']) {
      const call = () => caller.patch(`/parceiros/${id}`, { documento: '52998224724' })
      await refused(call, { fields: ['documento'] })
    }
  })
})

describe('two companies', () => {
  test('do not see, change or remove each other’s partners', async () => {
    const [mine, other] = [await service.caller(), await service.caller()]
    const item = await create(mine)
    const address = `/parceiros/${item.id}`
    for (const answer of [
      await other.get(address),
      await other.patch(address, { nome: 'x' }),
      await other.delete(address),
    ]) {
      assert.equal(answer.status, 404)
      assert.equal(answer.body.code, 'not-found')
    }
    assert.equal((await list(other)).total, 0)
    assert.deepEqual(await kindsOf(other), [])
    assert.deepEqual(await fetchOne(mine, item.id), item)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addSubcategoria, createArea } from '../../test/support/categoria.ts'
import { eventsOf } from '../../test/support/events.ts'
import { refusalsOf } from '../../test/support/refusal.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import type { Categoria } from './schema.ts'

const service = await startService()

async function list(caller: Caller, query = '') {
  const { status, body } = await caller.get(`/categorias${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { items: Categoria[]; total: number; limit: number; offset: number }
}

/** A company with these areas and the subcategories of each. */
async function companyWith(areas: Record<string, string[]>): Promise<Caller> {
  const caller = await service.caller()
  for (const [nome, subcategorias] of Object.entries(areas)) {
    const { id } = await createArea(caller, nome)
    for (const own of subcategorias) await addSubcategoria(service, caller.empresa, id, own)
  }
  return caller
}

describe('creating', () => {
  test('a name makes an area, listed as it was answered', async () => {
    const caller = await service.caller()
    const { status, body } = await caller.post('/categorias', { nome: 'Marketing' })
    assert.equal(status, 201)
    const { id, criado_em, atualizado_em, ...rest } = body.item
    assert.deepEqual(rest, { nome: 'Marketing', area_id: null })
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.ok(atualizado_em >= criado_em)
    assert.deepEqual(await list(caller), { items: [body.item], total: 1, limit: 100, offset: 0 })
  })

  test('null as the area is the same as none', async () => {
    const caller = await service.caller()
    const { status, body } = await caller.post('/categorias', { nome: 'x', area_id: null })
    assert.equal(status, 201)
    assert.equal(body.item.area_id, null)
  })

  test('the name is stored exactly as sent', async () => {
    const caller = await service.caller()
    for (const nome of ['  Água ', 'aLuGuEl', 'Ação'.normalize('NFD'), '💸'.repeat(200), ' ']) {
      assert.equal((await createArea(caller, nome)).nome, nome)
    }
    assert.equal((await list(caller)).total, 5)
  })

  test('leaves one event, with the category as the API shows it', async () => {
    const caller = await service.caller()
    const categoria = await createArea(caller, 'Ação')
    await caller.post('/categorias', { nome: 'AÇÃO' })
    await caller.post('/categorias', { nome: '' })
    assert.deepEqual(await eventsOf(service, caller.empresa), [
      { kind: 'categoria.created', data: { categoria }, seq: 1n },
    ])
  })
})

describe('names', () => {
  const same: Record<string, [string, string]> = {
    'in the same form': ['Marketing', 'Marketing'],
    'in another case': ['Marketing', 'mARKETING'],
    'in another case, with accents': ['É', 'é'],
    'in another Unicode form': ['Ação'.normalize('NFC'), 'Ação'.normalize('NFD')],
    'in another form and case': ['AÇÃO'.normalize('NFD'), 'ação'.normalize('NFC')],
    'with SS for ß': ['STRASSE', 'straße'],
    'with ẞ for ß': ['STRAẞE', 'straße'],
    'with ẞ for SS': ['STRASSE', 'STRAẞE'],
    'with either small sigma': ['ΟΔΟΣ', 'οδοσ'],
  }
  for (const [name, pair] of Object.entries(same)) {
    test(`the same name ${name} is a duplicate, whichever was first`, async () => {
      for (const [first, second] of [pair, pair.toReversed()]) {
        const caller = await service.caller()
        await createArea(caller, first!)
        const refused = refusalsOf(service, caller, '/categorias')
        const duplicate = { status: 409, code: 'duplicate-name' }
        await refused(() => caller.post('/categorias', { nome: second }), duplicate)
      }
    })
  }

  test('that differ otherwise are other names', async () => {
    const caller = await service.caller()
    const names = ['Agua', 'Água', 'Agua ', ' Agua', 'Ag ua', 'Agua.', 'Ａgua']
    for (const nome of names) await createArea(caller, nome)
    assert.equal((await list(caller)).total, names.length)
  })

  test('are compared within their level alone', async () => {
    const caller = await companyWith({ Vendas: ['Aluguel', 'vendas'], Custos: ['Aluguel'] })
    await createArea(caller, 'Aluguel')
    assert.equal((await list(caller)).total, 6)
  })

  test('may be the same in two companies', async () => {
    for (const caller of [await service.caller(), await service.caller()]) {
      await createArea(caller, 'Marketing')
    }
  })

  test('sent twice at the same moment make one area', async () => {
    const caller = await service.caller()
    const answers = await Promise.all(
      ['Ação', 'AÇÃO'].map((nome) => caller.post('/categorias', { nome })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
    assert.equal((await list(caller)).total, 1)
    assert.equal((await eventsOf(service, caller.empresa)).length, 1)
  })
})

describe('the list', () => {
  test('of a new company is empty', async () => {
    const empty = { items: [], total: 0, limit: 100, offset: 0 }
    assert.deepEqual(await list(await service.caller()), empty)
  })

  // Made in another order than they are listed in.
  const areas = {
    Vendas: ['Zona sul', 'água', 'Atacado', 'Água'.normalize('NFD').concat(' mineral')],
    Água: [],
    administrativo: ['Salários', 'aluguel'],
    Marketing: ['Vendas', 'Eventos', 'élite'],
    Zeladoria: ['administrativo'],
  }
  const listed = [
    ['administrativo', 'aluguel', 'Salários'],
    ['Água'],
    ['Marketing', 'élite', 'Eventos', 'Vendas'],
    ['Vendas', 'água', 'Água'.normalize('NFD').concat(' mineral'), 'Atacado', 'Zona sul'],
    ['Zeladoria', 'administrativo'],
  ]

  test('is flat: each area followed by its subcategories, by name', async () => {
    const { items, total } = await list(await companyWith(areas))
    assert.deepEqual(
      items.map(({ nome }) => nome),
      listed.flat(),
    )
    assert.equal(total, listed.flat().length)
    let area: Categoria | undefined
    for (const item of items) {
      if (item.area_id === null) area = item
      else assert.equal(item.area_id, area?.id, item.nome)
    }
    assert.equal(items.filter(({ area_id }) => area_id === null).length, listed.length)
  })

  test('has pages that neither skip nor repeat', async () => {
    const caller = await companyWith(areas)
    const { items: all, total } = await list(caller)
    for (const limit of [1, 2, 7]) {
      const pages: Categoria[] = []
      for (let offset = 0; offset < total; offset += limit) {
        const page = await list(caller, `?limit=${limit}&offset=${offset}`)
        assert.deepEqual([page.total, page.limit, page.offset], [total, limit, offset])
        pages.push(...page.items)
      }
      assert.deepEqual(pages, all)
    }
    const beyond = await list(caller, `?offset=${total}`)
    assert.deepEqual(beyond, { items: [], total, limit: 100, offset: total })
  })

  test('shows nothing of another company', async () => {
    await companyWith(areas)
    assert.equal((await list(await service.caller())).total, 0)
  })

  for (const query of ['limit=0', 'limit=1001', 'offset=-1', 'area_id=x', 'nome=x']) {
    test(`${query} is refused`, async () => {
      const caller = await service.caller()
      const refused = refusalsOf(service, caller, '/categorias')
      const refusal = { code: 'invalid-query', fields: [query.split('=')[0]!] }
      await refused(() => caller.get(`/categorias?${query}`), refusal)
    })
  }
})

describe('bad input', async () => {
  const caller = await service.caller()
  const area = await createArea(caller, 'Área')
  const refused = refusalsOf(service, caller, '/categorias')

  const cases: Record<string, unknown[]> = {
    nome: ['', 'x'.repeat(201), 'a\0b', '\ud800', 1, true, [], {}, null],
    area_id: [area.id, 'x', '', 1, false, [], {}],
    id: [area.id],
    criado_em: [area.criado_em],
    ativo: [true],
  }
  for (const [field, values] of Object.entries(cases)) {
    for (const value of values) {
      const shown = JSON.stringify(value)
      test(`${field} as ${shown.length > 40 ? 'a long text' : shown} is refused`, async () => {
        const body = { nome: 'Nova', [field]: value }
        await refused(() => caller.post('/categorias', body), { fields: [field] })
      })
    }
  }

  test('several faults are all named', async () => {
    const body = { area_id: area.id, surpresa: 1 }
    const fields = ['nome', 'area_id', 'surpresa']
    await refused(() => caller.post('/categorias', body), { fields })
  })

  test('what is no JSON, or no object, is refused', async () => {
    await refused(() => caller.post('/categorias', '{'), { code: 'invalid-json' })
    for (const body of ['[]', 'null', '"x"', '']) {
      await refused(() => caller.post('/categorias', body))
    }
  })

  for (const method of ['PATCH', 'DELETE', 'PUT']) {
    test(`${method} is not taken`, async () => {
      const notTaken = { status: 405, code: 'method-not-allowed' }
      const answer = await refused(() => caller.call(method, '/categorias'), notTaken)
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST')
    })
  }

  for (const method of ['GET', 'PATCH', 'DELETE']) {
    test(`${method} of a single category is an address that does not exist`, async () => {
      const missing = { status: 404, code: 'not-found' }
      await refused(() => caller.call(method, `/categorias/${area.id}`), missing)
    })
  }
})

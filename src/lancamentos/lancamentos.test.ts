import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { eventsOf as readEvents } from '../../test/support/events.ts'
import {
  aLancamento,
  createLancamento as create,
  UNKNOWN_ID,
} from '../../test/support/lancamento.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import type { Lancamento } from './schema.ts'

const service = await startService()
const STATUS = ['em_aberto', 'pago', 'cancelado'] as const
const { data, descricao, tipo, valor } = aLancamento
const REQUIRED = { data, descricao, tipo, valor }

afterEach(() => {
  service.clock.now = Date.now
})

function setNow(instant: string): void {
  service.clock.now = () => Date.parse(instant)
}

async function fetchOne(caller: Caller, id: string): Promise<Lancamento> {
  const { status, body } = await caller.get(`/lancamentos/${id}`)
  assert.equal(status, 200)
  return body.item
}

async function edit(caller: Caller, id: string, fields: object): Promise<Lancamento> {
  const { status, body } = await caller.patch(`/lancamentos/${id}`, fields)
  assert.equal(status, 200, JSON.stringify(body))
  return body.item
}

async function list(caller: Caller, query: Record<string, string> = {}) {
  const { status, body } = await caller.get(`/lancamentos?${new URLSearchParams(query)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { items: Lancamento[]; total: number; limit: number; offset: number }
}

/** The descriptions that a filter finds, and that its total says the same. */
async function found(caller: Caller, query: Record<string, string>): Promise<string[]> {
  const { items, total } = await list(caller, query)
  assert.equal(total, items.length)
  return items.map((item) => item.descricao).sort()
}

const eventsOf = (caller: Caller) => readEvents(service, caller.empresa)

/** The kinds of the events that a change leaves; all of them hold the entry as it was answered. */
async function eventsAfter(caller: Caller, change: () => Promise<Lancamento>): Promise<string[]> {
  const before = (await eventsOf(caller)).length
  const item = await change()
  const events = (await eventsOf(caller)).slice(before)
  for (const { data } of events) assert.deepEqual(data, { lancamento: item })
  return events.map(({ kind }) => kind.replace('lancamento.', '')).sort()
}

describe('creating', () => {
  test('the required fields are enough, and the others have their defaults', async () => {
    const { status, body } = await (await service.caller()).post('/lancamentos', REQUIRED)
    assert.equal(status, 201)
    const { id, criado_em, atualizado_em, ...rest } = body.item
    assert.deepEqual(rest, {
      ...REQUIRED,
      status: 'em_aberto',
      vencimento: '2026-06-22',
      data_pagamento: null,
      juros: 0,
      desconto: 0,
      valor_pago: null,
      contraparte: null,
      centro_custo: null,
      observacoes: null,
      parceiro_id: null,
      categoria_id: null,
      conta_bancaria_id: null,
    })
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.match(criado_em, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(atualizado_em >= criado_em)
  })

  test('every field is kept, and fetched and listed as it was answered', async () => {
    const caller = await service.caller()
    const body = {
      data: '2026-06-01',
      descricao: 'Aluguel',
      tipo: 'despesa',
      valor: 3500,
      status: 'pago',
      vencimento: '2026-06-10',
      data_pagamento: '2026-06-12',
      juros: 12.34,
      desconto: 5.5,
      contraparte: 'Imobiliária Exemplo',
      centro_custo: 'Matriz',
      observacoes: 'Segunda via',
      parceiro_id: null,
      categoria_id: null,
      conta_bancaria_id: null,
    }
    const item = await create(caller, body)
    const { id, criado_em, atualizado_em, valor_pago, ...rest } = item
    assert.deepEqual(rest, body)
    assert.equal(valor_pago, 3506.84)
    assert.deepEqual(await fetchOne(caller, id), item)
    assert.deepEqual(await list(caller), { items: [item], total: 1, limit: 100, offset: 0 })
  })

  test('null for an optional field is the same as leaving it out', async () => {
    const caller = await service.caller()
    const optional = [
      'status',
      'vencimento',
      'data_pagamento',
      'juros',
      'desconto',
      'contraparte',
      'centro_custo',
      'observacoes',
      'parceiro_id',
      'categoria_id',
      'conta_bancaria_id',
    ]
    const nulls = Object.fromEntries(optional.map((field) => [field, null]))
    for (const paid of [{}, { status: 'pago' }]) {
      const plain = (await caller.post('/lancamentos', { ...REQUIRED, ...paid })).body.item
      const item = await create(caller, { ...nulls, ...paid })
      const { id, criado_em, atualizado_em } = plain
      assert.deepEqual({ ...item, id, criado_em, atualizado_em }, plain)
    }
  })

  test('created as paid, the day of payment is the entry’s own, not today', async () => {
    setNow('2026-12-01T12:00:00Z')
    const item = await create(await service.caller(), { status: 'pago' })
    assert.equal(item.data_pagamento, '2026-06-22')
    assert.equal(item.valor_pago, 1234.56)
  })

  for (const tipo of ['receita', 'despesa', 'transferencia']) {
    test(`the kind ${tipo} is accepted`, async () => {
      assert.equal((await create(await service.caller(), { tipo })).tipo, tipo)
    })
  }

  for (const day of ['1900-01-01', '2199-12-31', '2024-02-29', '2000-02-29']) {
    test(`${day} is a day`, async () => {
      const item = await create(await service.caller(), { data: day, vencimento: day })
      assert.equal(item.data, day)
      assert.equal(item.vencimento, day)
    })
  }
})

describe('text', () => {
  const texts = {
    'spaces at its ends': '  Aluguel  ',
    'tabs and line breaks': 'um\tdois\r\ntrês\n',
    'both cases': 'aLuGuEl ÇÃO ção',
    'composed and decomposed accents': `${'São'.normalize('NFC')} ${'São'.normalize('NFD')}`,
    emoji: '💸👩‍👩‍👧🇧🇷',
    'invisible marks': '\ufeffum\u200bdois\u202etrês',
    'what SQL and HTML would read': `'; drop table lancamentos; -- <b>"&amp;"</b> \\ $1 %s`,
    'only spaces': '   ',
  }
  for (const [name, text] of Object.entries(texts)) {
    test(`with ${name} is stored exactly as sent`, async () => {
      const caller = await service.caller()
      const fields = { descricao: text, contraparte: text, centro_custo: text, observacoes: text }
      const item = await fetchOne(caller, (await create(caller, fields)).id)
      for (const field of Object.keys(fields)) assert.equal(item[field as 'descricao'], text)
    })
  }

  test('that is empty is a text, not null', async () => {
    const caller = await service.caller()
    const empty = { contraparte: '', centro_custo: '', observacoes: '' }
    const item = await fetchOne(caller, (await create(caller, empty)).id)
    assert.deepEqual([item.contraparte, item.centro_custo, item.observacoes], ['', '', ''])
  })

  test('is accepted up to its limit, an emoji counting once', async () => {
    const caller = await service.caller()
    for (const letter of ['x', '💸']) {
      const longest = {
        descricao: letter.repeat(500),
        contraparte: letter.repeat(200),
        centro_custo: letter.repeat(200),
        observacoes: letter.repeat(5000),
      }
      const item = await create(caller, longest)
      assert.deepEqual({ ...item, ...longest }, item)
    }
  })
})

describe('money', () => {
  for (const valor of [0.01, 0.07, 0.29, 0.57, 1.1, 1.15, 4.35, 1e3, 1234.5, 9999999999.99]) {
    test(`${valor} comes back as it was sent`, async () => {
      const caller = await service.caller()
      const fields = { valor, juros: valor, desconto: valor, status: 'pago' }
      const item = await fetchOne(caller, (await create(caller, fields)).id)
      assert.deepEqual(
        [item.valor, item.juros, item.desconto, item.valor_pago],
        [valor, valor, valor, valor],
      )
    })
  }

  test('what was paid is an exact sum', async () => {
    const caller = await service.caller()
    const sums = [
      { valor: 0.1, juros: 0.2, desconto: 0, valor_pago: 0.3 },
      { valor: 1.1, juros: 2.2, desconto: 0.01, valor_pago: 3.29 },
      { valor: 100, juros: 0.07, desconto: 0.29, valor_pago: 99.78 },
      { valor: 10, juros: 1, desconto: 11, valor_pago: 0 },
      { valor: 9999999999.99, juros: 9999999999.99, desconto: 0, valor_pago: 19999999999.98 },
    ]
    for (const { valor_pago, ...fields } of sums) {
      assert.equal((await create(caller, { ...fields, status: 'pago' })).valor_pago, valor_pago)
    }
  })

  test('a number may be written in any way that JSON has', async () => {
    const caller = await service.caller()
    const body = JSON.stringify(aLancamento).replace('1234.56', '1.2340e+1,"juros":-0')
    const { item } = (await caller.post('/lancamentos', body)).body
    assert.equal(item.valor, 12.34)
    assert.equal(item.juros, 0)
  })
})

describe('editing', () => {
  test('changes what was sent and nothing else', async () => {
    const caller = await service.caller()
    const before = await create(caller, { centro_custo: 'Matriz', vencimento: '2026-07-01' })
    const changes = {
      data: '2026-01-31',
      descricao: 'Outra',
      tipo: 'transferencia',
      valor: 0.07,
      vencimento: '2026-02-28',
      juros: 0.29,
      desconto: 0.01,
      contraparte: 'Alguém',
      centro_custo: 'Filial',
      observacoes: 'Nota',
    }
    let expected = before
    for (const [field, value] of Object.entries(changes)) {
      const after = await edit(caller, before.id, { [field]: value })
      expected = { ...expected, [field]: value, atualizado_em: after.atualizado_em }
      assert.deepEqual(after, expected)
      assert.deepEqual(await fetchOne(caller, before.id), expected)
    }
    assert.ok(expected.atualizado_em >= before.atualizado_em)
  })

  test('null clears what can be empty', async () => {
    const caller = await service.caller()
    const texts = { contraparte: 'a', centro_custo: '', observacoes: 'c' }
    const { id } = await create(caller, texts)
    const nulls = {
      contraparte: null,
      centro_custo: null,
      observacoes: null,
      parceiro_id: null,
      categoria_id: null,
      conta_bancaria_id: null,
      data_pagamento: null,
    }
    const item = await edit(caller, id, nulls)
    assert.deepEqual({ ...item, ...nulls }, item)
  })

  test('the due date does not follow the date', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    assert.equal((await edit(caller, id, { data: '2026-07-01' })).vencimento, '2026-06-22')
  })

  test('what was paid follows amount, interest and discount', async () => {
    const caller = await service.caller()
    const { id } = await create(caller, { valor: 10, status: 'pago' })
    assert.equal((await edit(caller, id, { juros: 0.3 })).valor_pago, 10.3)
    assert.equal((await edit(caller, id, { desconto: 0.1 })).valor_pago, 10.2)
    assert.equal((await edit(caller, id, { valor: 0.1 })).valor_pago, 0.3)
  })

  test('the limit of the discount is judged on the entry as the edit leaves it', async () => {
    const caller = await service.caller()
    const { id } = await create(caller, { valor: 10, desconto: 10 })
    assert.equal((await caller.patch(`/lancamentos/${id}`, { valor: 9.99 })).status, 400)
    await edit(caller, id, { valor: 9.99, juros: 0.01 })
    await edit(caller, id, { valor: 1, juros: 0, desconto: 1 })
  })

  test('an id is found in upper case too', async () => {
    const caller = await service.caller()
    const item = await create(caller)
    assert.deepEqual(await fetchOne(caller, item.id.toUpperCase()), item)
  })
})

describe('status', () => {
  const created = {
    valor: 10,
    juros: 2,
    desconto: 1,
    vencimento: '2026-06-30',
    data_pagamento: null,
  }
  for (const from of STATUS) {
    for (const to of STATUS) {
      const events =
        from === to ? [] : to === 'pago' ? ['paid'] : from === 'pago' ? ['unpaid'] : ['updated']
      const name = `from ${from} to ${to}: ${events[0] ?? 'no event'}`

      const expected = (item: Lancamento, after: Lancamento): Lancamento => ({
        ...item,
        status: to,
        data_pagamento: to !== 'pago' ? null : from === 'pago' ? '2026-06-22' : '2026-07-15',
        valor_pago: to === 'pago' ? 11 : null,
        atualizado_em: from === to ? item.atualizado_em : after.atualizado_em,
      })

      for (const whole of [false, true]) {
        test(`${name}${whole ? ', the whole item sent back' : ''}`, async () => {
          setNow('2026-07-15T12:00:00Z')
          const caller = await service.caller()
          const item = await create(caller, { ...created, status: from })
          const body = whole ? { ...item, status: to } : { status: to }
          let after = item
          const kinds = await eventsAfter(caller, async () => {
            after = await edit(caller, item.id, body)
            return after
          })
          assert.deepEqual(kinds, events)
          assert.deepEqual(after, expected(item, after))
          assert.deepEqual(await fetchOne(caller, item.id), after)
        })
      }
    }
  }

  test('the day of payment can be given, and corrected later', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    const paid = await edit(caller, id, { status: 'pago', data_pagamento: '2026-06-30' })
    assert.equal(paid.data_pagamento, '2026-06-30')
    const corrected = await edit(caller, id, { data_pagamento: '2026-07-01' })
    assert.equal(corrected.data_pagamento, '2026-07-01')
  })

  test('paid again after a reversal, the day of payment is today', async () => {
    const caller = await service.caller()
    const { id } = await create(caller, { status: 'pago', data_pagamento: '2026-06-23' })
    await edit(caller, id, { status: 'em_aberto' })
    setNow('2026-08-01T12:00:00Z')
    assert.equal((await edit(caller, id, { status: 'pago' })).data_pagamento, '2026-08-01')
  })

  const midnights = [
    { zone: undefined, now: '2026-06-23T02:59:59.999Z', today: '2026-06-22' },
    { zone: undefined, now: '2026-06-23T03:00:00.000Z', today: '2026-06-23' },
    { zone: 'America/Sao_Paulo', now: '2027-01-01T02:59:59.999Z', today: '2026-12-31' },
    { zone: 'America/Manaus', now: '2026-06-23T03:59:59.999Z', today: '2026-06-22' },
    { zone: 'America/Manaus', now: '2026-06-23T04:00:00.000Z', today: '2026-06-23' },
    { zone: 'Asia/Tokyo', now: '2026-06-22T14:59:59.999Z', today: '2026-06-22' },
    { zone: 'Asia/Tokyo', now: '2026-06-22T15:00:00.000Z', today: '2026-06-23' },
  ]
  for (const { zone, now, today } of midnights) {
    test(`at ${now} in ${zone ?? 'the default time zone'} it is paid on ${today}`, async () => {
      setNow(now)
      const caller = await service.caller(zone === undefined ? {} : { fusoHorario: zone })
      const { id } = await create(caller)
      assert.equal((await edit(caller, id, { status: 'pago' })).data_pagamento, today)
    })
  }
})

describe('an item sent back whole', () => {
  test('unchanged, it is accepted and nothing happens', async () => {
    const caller = await service.caller()
    for (const status of STATUS) {
      const item = await create(caller, { status, centro_custo: 'Matriz', juros: 0.07 })
      const kinds = await eventsAfter(caller, () => edit(caller, item.id, item))
      assert.deepEqual(kinds, [])
      assert.deepEqual(await fetchOne(caller, item.id), item)
    }
  })

  test('with an edited field, that field changes', async () => {
    const caller = await service.caller()
    const item = await create(caller, { status: 'pago' })
    const change = () => edit(caller, item.id, { ...item, descricao: 'Outra' })
    assert.deepEqual(await eventsAfter(caller, change), ['updated'])
    assert.equal((await fetchOne(caller, item.id)).descricao, 'Outra')
  })
})

describe('events', () => {
  const cases: { name: string; from: object; body: object; kinds: string[] }[] = [
    { name: 'an edit', from: {}, body: { descricao: 'Outra' }, kinds: ['updated'] },
    {
      name: 'several edits in one',
      from: {},
      body: { descricao: 'Outra', valor: 1, data: '2026-01-01' },
      kinds: ['updated'],
    },
    {
      name: 'interest, discount and day of payment sent with the payment',
      from: {},
      body: { status: 'pago', data_pagamento: '2026-06-30', juros: 2, desconto: 1 },
      kinds: ['paid'],
    },
    {
      name: 'interest, discount and day of payment sent with the reversal',
      from: { status: 'pago', juros: 2, desconto: 1 },
      body: { status: 'em_aberto', data_pagamento: null, juros: 0, desconto: 0 },
      kinds: ['unpaid'],
    },
    {
      name: 'a payment with an edit',
      from: {},
      body: { status: 'pago', descricao: 'Outra' },
      kinds: ['paid', 'updated'],
    },
    {
      name: 'a payment with another amount',
      from: { status: 'cancelado' },
      body: { status: 'pago', valor: 1 },
      kinds: ['paid', 'updated'],
    },
    {
      name: 'a reversal with an edit',
      from: { status: 'pago' },
      body: { status: 'cancelado', centro_custo: 'Filial' },
      kinds: ['unpaid', 'updated'],
    },
    {
      name: 'a payment with fields sent as they were',
      from: { centro_custo: 'Matriz' },
      body: { ...aLancamento, centro_custo: 'Matriz', status: 'pago' },
      kinds: ['paid'],
    },
    {
      name: 'a cancellation with an edit',
      from: {},
      body: { status: 'cancelado', juros: 1 },
      kinds: ['updated'],
    },
    {
      name: 'another day of payment of what is paid',
      from: { status: 'pago' },
      body: { status: 'pago', data_pagamento: '2026-06-30' },
      kinds: ['updated'],
    },
    {
      name: 'interest of what is paid',
      from: { status: 'pago' },
      body: { juros: 1 },
      kinds: ['updated'],
    },
    { name: 'interest of what is open', from: {}, body: { juros: 1 }, kinds: ['updated'] },
    {
      name: 'an empty text where there was none',
      from: {},
      body: { centro_custo: '' },
      kinds: ['updated'],
    },
    { name: 'nothing new', from: {}, body: { ...aLancamento, juros: 0 }, kinds: [] },
    { name: 'null where nothing was', from: {}, body: { observacoes: null }, kinds: [] },
  ]
  for (const { name, from, body, kinds } of cases) {
    test(`${name}: ${kinds.join(' and ') || 'none'}`, async () => {
      const caller = await service.caller()
      const before = await create(caller, from)
      assert.deepEqual(await eventsAfter(caller, () => edit(caller, before.id, body)), kinds)
      const after = await fetchOne(caller, before.id)
      assert.equal(after.criado_em, before.criado_em)
      if (kinds.length === 0) assert.deepEqual(after, before)
    })
  }

  for (const status of STATUS) {
    test(`creation as ${status}: created alone`, async () => {
      const caller = await service.caller()
      assert.deepEqual(await eventsAfter(caller, () => create(caller, { status })), ['created'])
    })
  }

  test('each holds the entry as the API showed it then, numbered 1, 2, 3…', async () => {
    const caller = await service.caller()
    const created = await create(caller, { descricao: ' Ação 💸 ', valor: 0.07 })
    const edited = await edit(caller, created.id, { centro_custo: 'Matriz' })
    await edit(caller, created.id, { centro_custo: 'Matriz' })
    await caller.patch(`/lancamentos/${created.id}`, { valor: -1 })
    const paid = await edit(caller, created.id, { status: 'pago' })
    const reverted = await edit(caller, created.id, { status: 'em_aberto' })
    const { item: deleted } = (await caller.delete(`/lancamentos/${created.id}`)).body
    assert.deepEqual(deleted, reverted)
    assert.deepEqual(await eventsOf(caller), [
      { kind: 'lancamento.created', data: { lancamento: created }, seq: 1n },
      { kind: 'lancamento.updated', data: { lancamento: edited }, seq: 2n },
      { kind: 'lancamento.paid', data: { lancamento: paid }, seq: 3n },
      { kind: 'lancamento.unpaid', data: { lancamento: reverted }, seq: 4n },
      { kind: 'lancamento.deleted', data: { lancamento: deleted }, seq: 5n },
    ])
  })

  test('writes at the same moment are numbered without gap or repeat', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => [
        create(caller, { descricao: `Nova ${index}` }),
        edit(caller, id, { descricao: `Edição ${index}` }),
        caller.post('/lancamentos', { ...aLancamento, valor: 0 }),
      ]).flat(),
    )
    const events = await eventsOf(caller)
    assert.equal(events.length, 21)
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, index) => BigInt(index + 1)),
    )
    // The last one recorded is the last one committed.
    const last = events.findLast(({ kind }) => kind === 'lancamento.updated')
    assert.deepEqual(last?.data, { lancamento: await fetchOne(caller, id) })
  })

  test('payments at the same moment are one payment', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    await Promise.all(Array.from({ length: 5 }, () => edit(caller, id, { status: 'pago' })))
    const kinds = (await eventsOf(caller)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['lancamento.created', 'lancamento.paid'])
  })
})

describe('deleting', () => {
  test('answers with the entry as it last was, which is then gone', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    const item = await edit(caller, id, { status: 'pago' })
    const { status, body } = await caller.delete(`/lancamentos/${id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { item })
    for (const answer of [
      await caller.get(`/lancamentos/${id}`),
      await caller.patch(`/lancamentos/${id}`, { valor: 1 }),
      await caller.delete(`/lancamentos/${id}`),
    ]) {
      assert.equal(answer.status, 404)
      assert.equal(answer.body.code, 'not-found')
    }
    assert.equal((await list(caller)).total, 0)
    assert.equal((await eventsOf(caller)).filter((e) => e.kind.endsWith('deleted')).length, 1)
  })

  test('at the same moment, one answer has the entry and the others find none', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    const answers = await Promise.all([1, 2, 3].map(() => caller.delete(`/lancamentos/${id}`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404])
  })
})

describe('the list', () => {
  test('of a new company is empty', async () => {
    const caller = await service.caller()
    assert.deepEqual(await list(caller), { items: [], total: 0, limit: 100, offset: 0 })
  })

  test('goes from the latest date to the earliest, then from the latest id', async () => {
    const caller = await service.caller()
    const days = [
      '2026-06-22',
      '2199-12-31',
      '2026-06-22',
      '1900-01-01',
      '2026-06-23',
      '2026-06-22',
    ]
    const items: Lancamento[] = []
    for (const data of days) items.push(await create(caller, { data }))
    const expected = items.toSorted((a, b) => (`${a.data} ${a.id}` < `${b.data} ${b.id}` ? 1 : -1))
    assert.deepEqual((await list(caller)).items, expected)
  })

  test('holds 100 unless told otherwise, and its pages neither skip nor repeat', async () => {
    const caller = await service.caller()
    await Promise.all(
      Array.from({ length: 103 }, (_, index) =>
        create(caller, { data: `2026-06-0${1 + (index % 3)}` }),
      ),
    )
    const { items: all } = await list(caller, { limit: '1000' })
    assert.equal(new Set(all.map(({ id }) => id)).size, 103)
    const first = await list(caller)
    assert.deepEqual(first, { items: all.slice(0, 100), total: 103, limit: 100, offset: 0 })
    const pages: Lancamento[] = []
    for (let offset = 0; offset < 103; offset += 10) {
      const page = await list(caller, { limit: '10', offset: String(offset) })
      assert.deepEqual([page.total, page.limit, page.offset], [103, 10, offset])
      pages.push(...page.items)
    }
    assert.deepEqual(pages, all)
    for (const offset of [103, 999_999_999]) {
      const beyond = await list(caller, { offset: String(offset) })
      assert.deepEqual(beyond, { items: [], total: 103, limit: 100, offset })
    }
  })

  test('counts what matches the filter, not what the page holds', async () => {
    const caller = await service.caller()
    for (const tipo of ['receita', 'despesa', 'receita', 'receita']) await create(caller, { tipo })
    const page = await list(caller, { tipo: 'receita', limit: '1', offset: '1' })
    assert.equal(page.items.length, 1)
    assert.equal(page.total, 3)
  })
})

describe('filters', async () => {
  const caller = await service.caller()
  const day = { data: '2026-01-10' }
  const entries: Record<string, object> = {
    open: { tipo: 'receita', vencimento: '2026-06-22' },
    overdue: { tipo: 'despesa', vencimento: '2026-06-21', data: '2026-06-21' },
    'paid late': { tipo: 'despesa', status: 'pago', vencimento: '2026-06-01', ...day },
    cancelled: { tipo: 'receita', status: 'cancelado', vencimento: '2026-06-01', ...day },
    transfer: { tipo: 'transferencia', vencimento: '2026-06-23', data: '2026-06-23' },
  }
  for (const [descricao, fields] of Object.entries(entries)) {
    await create(caller, { ...fields, descricao })
  }

  const cases: { query: Record<string, string>; expected: string[] }[] = [
    { query: {}, expected: Object.keys(entries).sort() },
    { query: { tipo: 'receita' }, expected: ['cancelled', 'open'] },
    { query: { tipo: 'despesa' }, expected: ['overdue', 'paid late'] },
    { query: { tipo: 'transferencia' }, expected: ['transfer'] },
    { query: { status: 'em_aberto' }, expected: ['open', 'overdue', 'transfer'] },
    { query: { status: 'pago' }, expected: ['paid late'] },
    { query: { status: 'cancelado' }, expected: ['cancelled'] },
    { query: { status: 'vencido' }, expected: ['overdue'] },
    { query: { data_de: '2026-06-22' }, expected: ['open', 'transfer'] },
    { query: { data_ate: '2026-06-21' }, expected: ['cancelled', 'overdue', 'paid late'] },
    { query: { data_de: '2026-06-21', data_ate: '2026-06-22' }, expected: ['open', 'overdue'] },
    { query: { data_de: '2026-06-22', data_ate: '2026-06-22' }, expected: ['open'] },
    { query: { data_de: '2026-06-24' }, expected: [] },
    { query: { tipo: 'despesa', status: 'vencido' }, expected: ['overdue'] },
    { query: { tipo: 'receita', status: 'vencido' }, expected: [] },
    {
      query: { tipo: 'receita', status: 'cancelado', data_ate: '2026-01-10' },
      expected: ['cancelled'],
    },
    { query: { status: 'em_aberto', data_de: '2026-06-22', tipo: 'receita' }, expected: ['open'] },
    { query: { centro_custo: 'Matriz' }, expected: [] },
  ]
  for (const { query, expected } of cases) {
    test(`${new URLSearchParams(query) || 'none'} finds ${expected.join(', ') || 'nothing'}`, async () => {
      setNow('2026-06-22T12:00:00Z')
      assert.deepEqual(await found(caller, query), expected)
    })
  }

  test('what is due today is overdue when the company’s day ends', async () => {
    for (const zone of ['America/Sao_Paulo', 'Asia/Tokyo']) {
      const company = await service.caller({ fusoHorario: zone })
      await create(company, { vencimento: '2026-06-22' })
      const end = Temporal.PlainDate.from('2026-06-23').toZonedDateTime(zone).epochMilliseconds
      service.clock.now = () => end - 1
      assert.equal((await list(company, { status: 'vencido' })).total, 0)
      service.clock.now = () => end
      assert.equal((await list(company, { status: 'vencido' })).total, 1)
      assert.equal((await list(company, { status: 'em_aberto' })).total, 1)
    }
  })

  test('the cost centre is compared by its exact text', async () => {
    const company = await service.caller()
    const texts = [
      'Matriz',
      'matriz',
      'Matriz ',
      ' Matriz',
      'Matriz São Paulo'.normalize('NFC'),
      'Matriz São Paulo'.normalize('NFD'),
      'A&B=C+D 100%',
      'M_triz%',
      '💸',
      '',
    ]
    for (const text of texts) await create(company, { descricao: `[${text}]`, centro_custo: text })
    await create(company, { descricao: 'none' })
    for (const text of texts) {
      assert.deepEqual(await found(company, { centro_custo: text }), [`[${text}]`])
    }
    assert.deepEqual(await found(company, { centro_custo: 'none' }), [])
    assert.deepEqual(await found(company, { centro_custo: 'Matriz', tipo: 'despesa' }), [])
    // A parameter without a value is the empty text, which a null is not.
    assert.equal((await company.get('/lancamentos?centro_custo')).body.total, 1)
  })
})

describe('two companies', () => {
  test('do not see, change or remove each other’s entries', async () => {
    const [mine, other] = [await service.caller(), await service.caller()]
    const item = await create(mine)
    const address = `/lancamentos/${item.id}`
    for (const answer of [
      await other.get(address),
      await other.patch(address, { valor: 1 }),
      await other.patch(address, item),
      await other.delete(address),
    ]) {
      assert.equal(answer.status, 404)
      assert.equal(answer.body.code, 'not-found')
      assert.doesNotMatch(JSON.stringify(answer.body), /Mensalidade/)
    }
    assert.equal((await list(other)).total, 0)
    assert.deepEqual(await eventsOf(other), [])
    assert.deepEqual(await fetchOne(mine, item.id), item)
  })

  test('number their events each from 1', async () => {
    for (const caller of [await service.caller(), await service.caller()]) {
      await create(caller)
      assert.deepEqual(
        (await eventsOf(caller)).map(({ seq }) => seq),
        [1n],
      )
    }
  })

  test('keys of one company share its entries', async () => {
    const one = await service.caller()
    const two = await service.caller({ empresa: one.empresa })
    const item = await create(one)
    assert.deepEqual(await fetchOne(two, item.id), item)
  })
})

describe('addresses', () => {
  test('HEAD is GET without its body', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    const missing = `/lancamentos/${UNKNOWN_ID}`
    for (const path of ['/lancamentos', `/lancamentos/${id}`, '/lancamentos?limit=0', missing]) {
      const head = await caller.call('HEAD', path)
      const get = await caller.get(path)
      assert.equal(head.status, get.status, path)
      assert.equal(head.body, undefined)
      for (const header of ['content-type', 'content-length']) {
        if (header === 'content-length' && get.status >= 400) continue
        assert.equal(head.headers.get(header), get.headers.get(header), `${path} ${header}`)
      }
    }
  })

  test('a slash at the end is ignored', async () => {
    const caller = await service.caller()
    const { status, body } = await caller.post('/lancamentos/', aLancamento)
    assert.equal(status, 201)
    const address = `/lancamentos/${body.item.id}/`
    assert.equal((await caller.get('/lancamentos/?limit=1')).body.total, 1)
    assert.deepEqual((await caller.get(address)).body, body)
    assert.equal((await caller.patch(address, { valor: 1 })).status, 200)
    assert.equal((await caller.delete(address)).status, 200)
  })

  test('every answer has a request id of its own, and a refusal says it in its body', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    const answers = [
      await caller.get('/lancamentos'),
      await caller.get(`/lancamentos/${id}`),
      await caller.call('HEAD', '/lancamentos'),
      await caller.post('/lancamentos', {}),
      await caller.post('/lancamentos', '{'),
      await caller.get('/lancamentos/nothing'),
      await caller.patch(`/lancamentos/${id}`, { valor: 1 }),
      await caller.delete(`/lancamentos/${id}`),
    ]
    for (const { status, headers, body } of answers) {
      if (status >= 400) assert.equal(body.request_id, headers.get('x-request-id'))
    }
    const ids = new Set(answers.map(({ headers }) => headers.get('x-request-id')))
    assert.equal(ids.size, answers.length)
    assert.ok(!ids.has(null))
  })

  test('another method is 405 and says which are taken', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    const taken = {
      '/lancamentos': 'GET, HEAD, POST',
      [`/lancamentos/${id}`]: 'DELETE, GET, HEAD, PATCH',
    }
    for (const [path, allow] of Object.entries(taken)) {
      const response = await fetch(`${service.url}/api/v1${path}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${caller.key}` },
      })
      assert.equal(response.status, 405)
      assert.equal(response.headers.get('allow'), allow)
    }
  })
})

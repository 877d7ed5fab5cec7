import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { insertEntries } from '../../test/support/bulk.ts'
import { createLancamento as create } from '../../test/support/lancamento.ts'
import { plusDays, reais } from '../../test/support/model.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import type { Resumo } from './schema.ts'

const service = await startService()
const TODAY = '2026-06-22'
const NOON = '2026-06-22T12:00:00.000Z'

beforeEach(() => setNow(NOON))
afterEach(() => {
  service.clock.now = Date.now
})

function setNow(instant: string): void {
  service.clock.now = () => Date.parse(instant)
}

async function resumo(caller: Caller, query: Record<string, string> = {}): Promise<Resumo> {
  const { status, body } = await caller.get(`/resumo?${new URLSearchParams(query)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** How many entries a filter reaches, which is what the list says too. */
async function count(caller: Caller, query: Record<string, string>): Promise<number> {
  const { total_lancamentos } = await resumo(caller, query)
  const { body } = await caller.get(`/lancamentos?${new URLSearchParams(query)}`)
  assert.equal(total_lancamentos, body.total)
  return total_lancamentos
}

const NOTHING = {
  realizado: { recebido: 0, pago: 0, saldo: 0 },
  em_aberto: { a_receber: 0, a_pagar: 0, saldo: 0 },
  vencido: { a_receber: 0, a_pagar: 0 },
  proximos_30_dias: { a_receber: 0, a_pagar: 0 },
  total_lancamentos: 0,
  truncado: false,
  atualizado_em: NOON,
}

/** Filters that all reach every entry below: each is answered from other totals. */
const FILTERS: Record<string, Record<string, string>> = {
  'without a filter': {},
  'of a period': { data_de: '2026-01-01', data_ate: '2026-12-31' },
  'of a cost centre': { centro_custo: 'Obra' },
  'of a period and a cost centre': { data_de: '2026-01-01', centro_custo: 'Obra' },
}

for (const [name, filter] of Object.entries(FILTERS)) {
  describe(`figures ${name}`, () => {
    /** The totals of a new company with just these entries. */
    async function resumoOf(...entries: object[]): Promise<Resumo> {
      const caller = await service.caller()
      for (const fields of entries) await create(caller, { centro_custo: 'Obra', ...fields })
      return resumo(caller, filter)
    }

    test('a company without entries: all zero', async () => {
      assert.deepEqual(await resumoOf(), NOTHING)
    })

    test('what was received and paid includes interest and discount', async () => {
      const { realizado } = await resumoOf(
        { status: 'pago', tipo: 'receita', valor: 100, juros: 2.5, desconto: 0.07 },
        { status: 'pago', tipo: 'receita', valor: 10, juros: 0, desconto: 10 },
        { status: 'pago', tipo: 'despesa', valor: 150, juros: 0.29, desconto: 20 },
      )
      assert.deepEqual(realizado, { recebido: 102.43, pago: 130.29, saldo: -27.86 })
    })

    test('what was paid is in no figure of open entries, however late it was due', async () => {
      const paid = { status: 'pago', valor: 10 }
      const totals = await resumoOf(
        { ...paid, tipo: 'receita', vencimento: '2026-06-01' },
        { ...paid, tipo: 'despesa', vencimento: TODAY },
      )
      assert.deepEqual(totals, {
        ...NOTHING,
        realizado: { recebido: 10, pago: 10, saldo: 0 },
        total_lancamentos: 2,
      })
    })

    test('what is open counts at its amount, overdue or not, without interest and discount', async () => {
      const payment = { juros: 5, desconto: 1 }
      const { em_aberto, realizado } = await resumoOf(
        { tipo: 'receita', valor: 100, vencimento: '2026-06-01', ...payment },
        { tipo: 'receita', valor: 10, vencimento: TODAY, ...payment },
        { tipo: 'receita', valor: 1, vencimento: '2027-06-01', ...payment },
        { tipo: 'despesa', valor: 200, vencimento: '2026-06-21', ...payment },
        { tipo: 'despesa', valor: 20, vencimento: '2027-06-21', ...payment },
      )
      assert.deepEqual(em_aberto, { a_receber: 111, a_pagar: 220, saldo: -109 })
      assert.deepEqual(realizado, NOTHING.realizado)
    })

    const due = [
      { vencimento: '1900-01-01', overdue: true, next: false },
      { vencimento: '2026-06-21', overdue: true, next: false },
      { vencimento: TODAY, overdue: false, next: true },
      { vencimento: '2026-06-23', overdue: false, next: true },
      { vencimento: '2026-07-22', overdue: false, next: true },
      { vencimento: '2026-07-23', overdue: false, next: false },
      { vencimento: '2199-12-31', overdue: false, next: false },
    ]
    for (const { vencimento, overdue, next } of due) {
      const figure = overdue ? 'overdue' : next ? 'of the next 30 days' : 'neither'
      test(`on ${TODAY}, what is due on ${vencimento} is ${figure}`, async () => {
        const totals = await resumoOf(
          { tipo: 'receita', valor: 3, juros: 1, vencimento },
          { tipo: 'despesa', valor: 4, desconto: 1, vencimento },
          { tipo: 'transferencia', valor: 5, vencimento },
        )
        const amounts = { a_receber: 3, a_pagar: 4 }
        assert.deepEqual(totals, {
          ...NOTHING,
          em_aberto: { ...amounts, saldo: -1 },
          vencido: overdue ? amounts : NOTHING.vencido,
          proximos_30_dias: next ? amounts : NOTHING.proximos_30_dias,
          total_lancamentos: 3,
        })
      })
    }

    test('transfers and cancelled entries are counted, and in no sum', async () => {
      const totals = await resumoOf(
        { tipo: 'transferencia', status: 'em_aberto', vencimento: '2026-06-01' },
        { tipo: 'transferencia', status: 'em_aberto', vencimento: TODAY },
        { tipo: 'transferencia', status: 'pago', juros: 1 },
        { tipo: 'transferencia', status: 'cancelado' },
        { tipo: 'receita', status: 'cancelado', vencimento: '2026-06-01' },
        { tipo: 'despesa', status: 'cancelado', vencimento: TODAY },
      )
      assert.deepEqual(totals, { ...NOTHING, total_lancamentos: 6 })
    })

    test('amounts that doubles cannot add are added exactly', async () => {
      const totals = await resumoOf(
        ...[0.1, 0.2].flatMap((valor) => [
          { tipo: 'receita', status: 'pago', valor },
          { tipo: 'despesa', valor, vencimento: '2026-06-01' },
          { tipo: 'receita', valor, vencimento: TODAY },
        ]),
      )
      assert.deepEqual(totals, {
        ...NOTHING,
        realizado: { recebido: 0.3, pago: 0, saldo: 0.3 },
        em_aberto: { a_receber: 0.3, a_pagar: 0.3, saldo: 0 },
        vencido: { a_receber: 0, a_pagar: 0.3 },
        proximos_30_dias: { a_receber: 0.3, a_pagar: 0 },
        total_lancamentos: 6,
      })
    })

    test('every change of an entry moves the figures with it', async () => {
      const caller = await service.caller()
      const fields = { centro_custo: 'Obra', tipo: 'receita', valor: 10, vencimento: TODAY }
      const { id } = await create(caller, fields)
      const toPay = (a_pagar: number) => ({
        em_aberto: { a_receber: 0, a_pagar, saldo: -a_pagar },
      })
      const overdue = { ...toPay(12.5), vencido: { a_receber: 0, a_pagar: 12.5 } }
      const next = (a_pagar: number) => ({
        ...toPay(a_pagar),
        proximos_30_dias: { a_receber: 0, a_pagar },
      })
      const paid = (pago: number) => ({ realizado: { recebido: 0, pago, saldo: -pago } })
      const changes: [change: object, figures: object][] = [
        [{ tipo: 'despesa' }, next(10)],
        [{ valor: 12.5 }, next(12.5)],
        [{ vencimento: '2026-07-23' }, toPay(12.5)],
        [{ vencimento: '2026-06-21' }, overdue],
        [{ status: 'pago', juros: 1 }, paid(13.5)],
        [{ desconto: 0.5 }, paid(13)],
        [{ status: 'em_aberto' }, overdue],
        [{ data: '2026-03-01' }, overdue],
        [{ status: 'cancelado' }, {}],
      ]
      for (const [change, figures] of changes) {
        assert.equal((await caller.patch(`/lancamentos/${id}`, change)).status, 200)
        const expected = { ...NOTHING, ...figures, total_lancamentos: 1 }
        assert.deepEqual(await resumo(caller, filter), expected, JSON.stringify(change))
      }
      await caller.delete(`/lancamentos/${id}`)
      assert.deepEqual(await resumo(caller, filter), NOTHING)
    })
  })
}

describe('filters', () => {
  test('data_de and data_ate are on the entry’s date, both inclusive', async () => {
    const caller = await service.caller()
    for (const [data, valor] of Object.entries({
      '2026-01-31': 1,
      '2026-02-01': 20,
      '2026-02-28': 300,
      '2026-03-01': 4000,
    })) {
      await create(caller, { data, valor, vencimento: '2026-02-15' })
      await create(caller, { data, valor, status: 'pago', data_pagamento: '2026-02-15' })
    }
    const cases: [query: Record<string, string>, sum: number, entries: number][] = [
      [{ data_de: '2026-02-01' }, 4320, 6],
      [{ data_ate: '2026-02-28' }, 321, 6],
      [{ data_de: '2026-02-01', data_ate: '2026-02-28' }, 320, 4],
      [{ data_de: '2026-02-28', data_ate: '2026-02-28' }, 300, 2],
      [{ data_de: '2026-02-02', data_ate: '2026-02-27' }, 0, 0],
      [{ data_de: '1900-01-01', data_ate: '2199-12-31' }, 4321, 8],
    ]
    for (const [query, sum, entries] of cases) {
      const { realizado, em_aberto, vencido } = await resumo(caller, query)
      const sums = [realizado.recebido, em_aberto.a_receber, vencido.a_receber]
      assert.deepEqual(sums, [sum, sum, sum], JSON.stringify(query))
      assert.equal(await count(caller, query), entries)
    }
  })

  test('any period is summed to the day: part of a month, whole months, or both', async () => {
    const caller = await service.caller()
    const FIRST = '2027-12-14'
    // One entry a day, each of another amount, past the end of a year and of a leap February.
    await insertEntries(service, caller.empresa, 94, {
      data: `date '${FIRST}' + n - 1`,
      vencimento: `date '${FIRST}' + n - 1`,
      valor: 'n * n * 100',
      status: "(array['em_aberto', 'pago'])[1 + n % 2]",
      centro_custo: "(array[null, 'Obra'])[1 + n % 3 % 2]",
    })
    const days = Array.from({ length: 94 }, (_, i) => ({
      data: plusDays(FIRST, i),
      valor: (i + 1) ** 2,
      paid: (i + 1) % 2 === 1,
      obra: ((i + 1) % 3) % 2 === 1,
    }))
    const edges = ['2027-12-14', '2027-12-31', '2028-01-01', '2028-01-02', '2028-01-31']
    edges.push('2028-02-01', '2028-02-28', '2028-02-29', '2028-03-01', '2028-03-16')
    const periods = [
      ...edges.flatMap((from) => edges.filter((to) => from <= to).map((to) => ({ from, to }))),
      ...edges.flatMap((day) => [
        { from: day, to: undefined },
        { from: undefined, to: day },
      ]),
    ]
    for (const { from, to } of periods) {
      for (const centro of [undefined, 'Obra']) {
        const query = {
          ...(from !== undefined && { data_de: from }),
          ...(to !== undefined && { data_ate: to }),
          ...(centro !== undefined && { centro_custo: centro }),
        }
        const set = days.filter(
          ({ data, obra }) =>
            (from === undefined || data >= from) &&
            (to === undefined || data <= to) &&
            (centro === undefined || obra),
        )
        const sumOf = (isPaid: boolean) =>
          set.filter(({ paid }) => paid === isPaid).reduce((sum, { valor }) => sum + valor, 0)
        const { realizado, em_aberto } = await resumo(caller, query)
        const sums = [realizado.recebido, em_aberto.a_receber]
        assert.deepEqual(sums, [sumOf(true), sumOf(false)], JSON.stringify(query))
        assert.equal(await count(caller, query), set.length)
      }
    }
  })

  test('centro_custo is the exact text, an empty one too', async () => {
    const texts = ['Matriz', 'matriz', 'Matriz ', ' Matriz', '', '%', '*', '=', '=Matriz', 'null']
    texts.push('São'.normalize('NFC'), 'São'.normalize('NFD'))
    const caller = await service.caller()
    await create(caller, { centro_custo: null, valor: 5000 })
    for (const [i, text] of texts.entries()) {
      await create(caller, { centro_custo: text, valor: i + 1, vencimento: '2026-06-01' })
    }
    for (const [i, text] of texts.entries()) {
      for (const period of [{}, { data_de: '2026-01-01' }]) {
        const query = { centro_custo: text, ...period }
        const { em_aberto, vencido } = await resumo(caller, query)
        assert.deepEqual([em_aberto.a_receber, vencido.a_receber], [i + 1, i + 1], `[${text}]`)
        assert.equal(await count(caller, query), 1)
      }
    }
    assert.deepEqual(await resumo(caller, { centro_custo: 'Mat' }), NOTHING)
    assert.equal(await count(caller, {}), texts.length + 1)
  })

  test('together, they narrow the totals together', async () => {
    const caller = await service.caller()
    const match = { centro_custo: 'Obra', data: '2026-05-05', valor: 7, vencimento: TODAY }
    await create(caller, match)
    await create(caller, { ...match, centro_custo: 'Matriz' })
    await create(caller, { ...match, centro_custo: null })
    await create(caller, { ...match, data: '2026-05-06' })
    await create(caller, { ...match, data: '2026-05-04' })
    const query = { centro_custo: 'Obra', data_de: '2026-05-05', data_ate: '2026-05-05' }
    assert.deepEqual(await resumo(caller, query), {
      ...NOTHING,
      em_aberto: { a_receber: 7, a_pagar: 0, saldo: 7 },
      proximos_30_dias: { a_receber: 7, a_pagar: 0 },
      total_lancamentos: 1,
    })
  })

  const refused = {
    'reversed dates': { query: 'data_de=2026-02-02&data_ate=2026-02-01', field: 'data_de' },
    'a day that does not exist': { query: 'data_de=2026-02-30', field: 'data_de' },
    'a day that is a moment': { query: 'data_ate=2026-02-01T00:00:00Z', field: 'data_ate' },
    'an empty day': { query: 'data_ate=', field: 'data_ate' },
    'a year before 1900': { query: 'data_de=1899-12-31', field: 'data_de' },
    'a day given twice': { query: 'data_de=2026-01-01&data_de=2026-01-02', field: 'data_de' },
    'a cost centre that is too long': {
      query: `centro_custo=${'x'.repeat(201)}`,
      field: 'centro_custo',
    },
    'a cost centre with U+0000': { query: 'centro_custo=%00', field: 'centro_custo' },
    'a mistyped parameter': { query: 'centro_de_custo=Matriz', field: 'centro_de_custo' },
    'a filter of the list alone: tipo': { query: 'tipo=receita', field: 'tipo' },
    'a filter of the list alone: status': { query: 'status=pago', field: 'status' },
    'a page': { query: 'limit=10', field: 'limit' },
  }
  for (const [name, { query, field }] of Object.entries(refused)) {
    test(`${name}: 400, naming ${field}`, async () => {
      const { status, body } = await (await service.caller()).get(`/resumo?${query}`)
      assert.equal(status, 400)
      assert.equal(body.code, 'invalid-query')
      assert.deepEqual(
        body.errors.map((fault: { field: string }) => fault.field),
        [field],
      )
    })
  }
})

describe('the company’s own day', () => {
  const midnights = [
    { zone: undefined, before: '2026-06-23T02:59:59.999Z', after: '2026-06-23T03:00:00.000Z' },
    {
      zone: 'America/Sao_Paulo',
      before: '2026-06-23T02:59:59.999Z',
      after: '2026-06-23T03:00:00.000Z',
    },
    {
      zone: 'America/Manaus',
      before: '2026-06-23T03:59:59.999Z',
      after: '2026-06-23T04:00:00.000Z',
    },
    { zone: 'Asia/Tokyo', before: '2026-06-22T14:59:59.999Z', after: '2026-06-22T15:00:00.000Z' },
  ]
  for (const { zone, before, after } of midnights) {
    for (const [name, filter] of Object.entries(FILTERS)) {
      const place = zone ?? 'the default time zone'
      test(`in ${place} a day ends at ${after}, figures ${name}`, async () => {
        const caller = await service.caller(zone === undefined ? {} : { fusoHorario: zone })
        const due = (vencimento: string, valor: number) =>
          create(caller, { centro_custo: 'Obra', vencimento, valor })
        await due('2026-06-21', 1)
        await due('2026-06-22', 20)
        await due('2026-07-22', 300)
        await due('2026-07-23', 4000)
        await due('2026-07-24', 50000)
        const figures = async (now: string) => {
          setNow(now)
          const { vencido, proximos_30_dias, atualizado_em } = await resumo(caller, filter)
          assert.equal(atualizado_em, now)
          return [vencido.a_receber, proximos_30_dias.a_receber]
        }
        assert.deepEqual(await figures(before), [1, 320])
        assert.deepEqual(await figures(after), [21, 4300])
        assert.deepEqual(await figures(before), [1, 320])
      })
    }
  }

  test('two companies have different days at one moment', async () => {
    const there = await service.caller({ fusoHorario: 'Asia/Tokyo' })
    const here = await service.caller()
    for (const caller of [there, here]) await create(caller, { vencimento: TODAY, valor: 1 })
    setNow('2026-06-22T20:00:00.000Z')
    assert.equal((await resumo(there)).vencido.a_receber, 1)
    assert.equal((await resumo(here)).vencido.a_receber, 0)
  })

  const lastDays = {
    '2026-12-15': '2027-01-14',
    '2026-01-30': '2026-03-01',
    '2028-01-30': '2028-02-29',
    '2024-02-29': '2024-03-30',
  }
  for (const [today, last] of Object.entries(lastDays)) {
    test(`on ${today} the next 30 days end with ${last}`, async () => {
      setNow(`${today}T12:00:00.000Z`)
      const caller = await service.caller()
      await create(caller, { vencimento: last, valor: 1 })
      await create(caller, { vencimento: plusDays(last, 1), valor: 20 })
      assert.equal((await resumo(caller)).proximos_30_dias.a_receber, 1)
    })
  }
})

describe('sums beyond what a double can count', () => {
  const LARGEST = 999_999_999_999n
  const MANY = 9_011
  const sum = LARGEST * BigInt(MANY)

  test('are exact: the number nearest to the decimal text', async () => {
    // Dividing the centavos as a double would give another number.
    assert.ok(sum > 2n ** 53n)
    assert.notEqual(Number(sum) / 100, reais(sum))
    const caller = await service.caller()
    const valor = String(LARGEST)
    const insert = (columns: object) => insertEntries(service, caller.empresa, MANY, columns)
    await insert({ valor, status: "'pago'", juros: valor, centro_custo: "'Obra'" })
    await insert({ valor, tipo: "'despesa'", vencimento: "date '2026-06-01'" })
    const both = { a_receber: 0, a_pagar: reais(sum) }
    const expected = {
      ...NOTHING,
      realizado: { recebido: reais(2n * sum), pago: 0, saldo: reais(2n * sum) },
      em_aberto: { ...both, saldo: reais(-sum) },
      vencido: both,
      total_lancamentos: 2 * MANY,
    }
    assert.deepEqual(await resumo(caller), expected)
    assert.deepEqual(await resumo(caller, { data_de: '2026-01-01' }), expected)
    assert.deepEqual(await resumo(caller, { centro_custo: 'Obra' }), {
      ...NOTHING,
      realizado: expected.realizado,
      total_lancamentos: MANY,
    })
  })

  test('a last centavo among them is not lost', async () => {
    const caller = await service.caller()
    const valor = String(LARGEST)
    await insertEntries(service, caller.empresa, MANY, { valor, status: "'pago'" })
    await insertEntries(service, caller.empresa, MANY, {
      valor,
      status: "'pago'",
      tipo: "'despesa'",
    })
    await create(caller, { valor: 0.01, status: 'pago' })
    assert.deepEqual((await resumo(caller)).realizado, {
      recebido: reais(sum + 1n),
      pago: reais(sum),
      saldo: 0.01,
    })
  })
})

describe('more than 20,000 entries', () => {
  /** Every figure, by reading every entry. */
  async function bruteForce({ empresa }: Caller, condition = 'true') {
    const sumOf = (sql: string, tipo: string, where: string) =>
      `coalesce(sum(${sql}) filter (where tipo = '${tipo}' and ${where}), 0)::bigint`
    const paid = (tipo: string) => sumOf('valor + juros - desconto', tipo, "status = 'pago'")
    const open = (tipo: string, where = 'true') =>
      sumOf('valor', tipo, `status = 'em_aberto' and ${where}`)
    const overdue = `vencimento < '${TODAY}'`
    const next = `vencimento between '${TODAY}' and date '${TODAY}' + 30`
    const [row] = await service.db.reader(empresa).query<Record<string, bigint>>(
      `select count(*) as entries, ${paid('receita')} as received, ${paid('despesa')} as spent,
         ${open('receita')} as to_receive, ${open('despesa')} as to_pay,
         ${open('receita', overdue)} as overdue_in, ${open('despesa', overdue)} as overdue_out,
         ${open('receita', next)} as next_in, ${open('despesa', next)} as next_out
       from lancamentos where ${condition}`,
    )
    const figure = (name: string) => row![name]!
    const shown = (name: string) => reais(figure(name))
    return {
      realizado: {
        recebido: shown('received'),
        pago: shown('spent'),
        saldo: reais(figure('received') - figure('spent')),
      },
      em_aberto: {
        a_receber: shown('to_receive'),
        a_pagar: shown('to_pay'),
        saldo: reais(figure('to_receive') - figure('to_pay')),
      },
      vencido: { a_receber: shown('overdue_in'), a_pagar: shown('overdue_out') },
      proximos_30_dias: { a_receber: shown('next_in'), a_pagar: shown('next_out') },
      total_lancamentos: Number(figure('entries')),
      truncado: figure('entries') > 20_000n,
      atualizado_em: NOON,
    }
  }

  test('exactly 20,000 are not truncado, one more is, and the sums stay whole', async () => {
    const caller = await service.caller()
    await insertEntries(service, caller.empresa, 20_000, {
      data: "date '2026-01-01' + n % 365",
      tipo: "(array['receita', 'despesa', 'transferencia'])[1 + n % 3]",
      status: "(array['em_aberto', 'em_aberto', 'pago', 'cancelado'])[1 + n / 3 % 4]",
      valor: 'n * 37',
      vencimento: "date '2026-04-01' + n % 200",
      juros: 'n % 7',
      desconto: 'n % 5',
      centro_custo: "(array[null, '', 'Matriz', 'Obra'])[1 + n % 4]",
    })
    assert.deepEqual(await resumo(caller), await bruteForce(caller))
    assert.equal((await resumo(caller)).truncado, false)

    const { id } = await create(caller, { valor: 12345.67, vencimento: '2026-06-01' })
    const totals = await resumo(caller)
    assert.deepEqual([totals.total_lancamentos, totals.truncado], [20_001, true])
    assert.deepEqual(totals, await bruteForce(caller))

    const period = { data_de: '2026-02-01', data_ate: '2026-08-31' }
    const inPeriod = `data between '${period.data_de}' and '${period.data_ate}'`
    assert.deepEqual(await resumo(caller, period), await bruteForce(caller, inPeriod))
    for (const centro_custo of ['', 'Obra']) {
      const ofCentro = `centro_custo = '${centro_custo}'`
      assert.deepEqual(await resumo(caller, { centro_custo }), await bruteForce(caller, ofCentro))
      assert.deepEqual(
        await resumo(caller, { centro_custo, ...period }),
        await bruteForce(caller, `${ofCentro} and ${inPeriod}`),
      )
    }

    await caller.delete(`/lancamentos/${id}`)
    assert.equal((await resumo(caller)).truncado, false)
  })

  test('the filtered set is what is judged', async () => {
    const caller = await service.caller()
    await insertEntries(service, caller.empresa, 20_001, { centro_custo: "'Obra'" })
    await create(caller, { centro_custo: 'Matriz', data: '2026-01-01' })
    const truncado = async (query = {}) => (await resumo(caller, query)).truncado
    assert.equal(await truncado(), true)
    assert.equal(await truncado({ centro_custo: 'Obra' }), true)
    assert.equal(await truncado({ data_de: TODAY, data_ate: TODAY }), true)
    assert.equal(await truncado({ centro_custo: 'Matriz' }), false)
    assert.equal(await truncado({ data_ate: '2026-06-21' }), false)
  })
})

describe('two companies with the same data', () => {
  test('no figure of one moves when the other writes', async () => {
    const [one, other] = [await service.caller(), await service.caller()]
    const entries = [
      { status: 'pago', juros: 1, centro_custo: 'Obra' },
      { tipo: 'despesa', vencimento: '2026-06-01', centro_custo: 'Obra' },
      { tipo: 'despesa', vencimento: TODAY, centro_custo: '' },
      { tipo: 'transferencia', status: 'cancelado' },
    ]
    const ids: string[] = []
    for (const fields of entries) {
      await create(one, fields)
      ids.push((await create(other, fields)).id)
    }
    const queries = [...Object.values(FILTERS), { centro_custo: '' }, { data_ate: TODAY }]
    const figures = (caller: Caller) =>
      Promise.all(queries.map((query) => resumo(caller, { ...query })))
    const before = await figures(one)
    assert.deepEqual(await figures(other), before)

    const writes = [
      () => create(other, { valor: 0.01, centro_custo: 'Obra' }),
      () => other.patch(`/lancamentos/${ids[0]}`, { status: 'em_aberto' }),
      () => other.patch(`/lancamentos/${ids[1]}`, { centro_custo: '', valor: 1 }),
      () => insertEntries(service, other.empresa, 10, { centro_custo: "''" }),
      () => other.delete(`/lancamentos/${ids[2]}`),
    ]
    let last = before
    for (const write of writes) {
      await write()
      const moved = await figures(other)
      assert.notDeepEqual(moved, last)
      last = moved
      assert.deepEqual(await figures(one), before)
    }
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { insertEntries } from '../../test/support/bulk.ts'
import { createLancamento as create } from '../../test/support/lancamento.ts'
import { lastro } from '../../test/support/process.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import { verifyTotais } from './totais.ts'

const service = await startService()

interface Entry {
  data: string
  tipo: string
  status: string
  vencimento: string
  valor: bigint
  juros: bigint
  desconto: bigint
  centro_custo: string | null
}

/** Totals by their key: how many entries and how many centavos. */
type Totals = Record<string, { quantidade: bigint; soma: bigint }>

/** By the entries' dates and, of open ones, by their due dates. */
interface BothTotals {
  data: Totals
  vencimento: Totals
}

const keyOf = (parts: (string | undefined)[]) => JSON.stringify(parts)

/** What is read: what is kept together with what waits. Those that come to nothing are as good as missing. */
async function keptTotals(empresa: string): Promise<BothTotals> {
  const read = async (table: string, columns: string) => {
    const rows = await service.db
      .reader(empresa)
      .query<Record<string, string> & { quantidade: bigint; soma: bigint }>(
        `select ${columns}, sum(quantidade)::bigint as quantidade, sum(soma)::bigint as soma
         from ${table} group by ${columns} having sum(quantidade) <> 0 or sum(soma) <> 0`,
      )
    const totals: Totals = {}
    for (const { quantidade, soma, ...row } of rows) {
      totals[keyOf(columns.split(', ').map((column) => row[column]))] = { quantidade, soma }
    }
    return totals
  }
  return {
    data: await read('totais_data', 'centro, grao, inicio, tipo, status'),
    vencimento: await read('totais_vencimento', 'centro, grao, inicio, tipo'),
  }
}

/** Adds up what waits, which a write does now and then by itself. */
const addUp = (caller: Caller) => change(caller, `select somar_totais('${caller.empresa}')`)

/** How many rows are kept, once nothing waits. */
async function keptRows(caller: Caller): Promise<number> {
  await addUp(caller)
  const [row] = await service.db.reader(caller.empresa).query<{ count: bigint }>(
    `select (select count(*) from totais_por_data) + (select count(*) from totais_por_vencimento)
       as count`,
  )
  return Number(row!.count)
}

/** Both tables as the entries say, one by one. */
async function countedTotals(empresa: string): Promise<BothTotals> {
  const entries = await service.db.reader(empresa).query<Entry>('select * from lancamentos')
  const data: Totals = {}
  const vencimento: Totals = {}
  const add = (totals: Totals, parts: string[], amount: bigint) => {
    const { quantidade, soma } = totals[keyOf(parts)] ?? { quantidade: 0n, soma: 0n }
    totals[keyOf(parts)] = { quantidade: quantidade + 1n, soma: soma + amount }
  }
  const periodsOf = (day: string) => [
    ['dia', day],
    ['mes', `${day.slice(0, 7)}-01`],
  ]
  for (const { tipo, status, valor, juros, desconto, centro_custo, ...days } of entries) {
    const amount = status === 'pago' ? valor + juros - desconto : valor
    for (const centro of centro_custo === null ? ['*'] : ['*', `=${centro_custo}`]) {
      for (const period of periodsOf(days.data)) {
        add(data, [centro, ...period, tipo, status], amount)
      }
      if (status !== 'em_aberto') continue
      for (const period of periodsOf(days.vencimento)) {
        add(vencimento, [centro, ...period, tipo], valor)
      }
    }
  }
  return { data, vencimento }
}

/** No total differs, none is missing and none is left over, while some wait and once they are added up. */
async function assertRight(caller: Caller): Promise<void> {
  const counted = await countedTotals(caller.empresa)
  assert.deepEqual(await keptTotals(caller.empresa), counted)
  const rows = Object.keys(counted.data).length + Object.keys(counted.vencimento).length
  assert.equal(await keptRows(caller), rows)
  assert.deepEqual(await keptTotals(caller.empresa), counted)
}

/** Every kind of entry, of every status, in every cost centre, on several days. */
const MIXED = {
  data: "date '2026-05-30' + n % 5",
  tipo: "(array['receita', 'despesa', 'transferencia'])[1 + n % 3]",
  status: "(array['em_aberto', 'pago', 'cancelado'])[1 + n / 3 % 3]",
  valor: '100 + n',
  vencimento: "date '2026-06-27' + n % 7",
  juros: 'n % 11',
  desconto: 'n % 13',
  centro_custo: "(array[null, '', 'Matriz', '*', '=', '=x'])[1 + n / 9 % 6]",
}

async function companyWithMany(): Promise<Caller> {
  const caller = await service.caller()
  await insertEntries(service, caller.empresa, 400, MIXED)
  return caller
}

function change({ empresa }: Caller, sql: string): Promise<unknown> {
  return service.db.write(empresa, (tx) => tx.query(sql))
}

/** Of the list and of the totals, how many entries a filter finds. */
async function numbers(caller: Caller, query: Record<string, string> = {}): Promise<number[]> {
  const parameters = new URLSearchParams(query)
  const list = await caller.get(`/lancamentos?limit=1000&${parameters}`)
  const resumo = await caller.get(`/resumo?${parameters}`)
  assert.deepEqual([list.status, resumo.status], [200, 200])
  return [list.body.items.length, list.body.total, resumo.body.total_lancamentos]
}

describe('many entries in one statement', () => {
  test('inserted, they are all counted', async () => {
    const caller = await companyWithMany()
    await assertRight(caller)
    await insertEntries(service, caller.empresa, 100, MIXED)
    await assertRight(caller)
    assert.deepEqual(await numbers(caller), [500, 500, 500])
  })

  const centros = {
    'from none to a text': ["'Matriz'", 'centro_custo is null'],
    'from none to an empty text': ["''", 'centro_custo is null'],
    'from a text to none': ['null', "centro_custo = 'Matriz'"],
    'from a text to an empty text': ["''", "centro_custo = 'Matriz'"],
    'from an empty text to a text': ["'Matriz'", "centro_custo = ''"],
    'from an empty text to none': ['null', "centro_custo = ''"],
    'from one text to another': ["'Obra'", "centro_custo = 'Matriz'"],
    'from * to =': ["'='", "centro_custo = '*'"],
    'each to the next': [
      `case centro_custo when '' then 'Matriz' when 'Matriz' then '*' when '*' then '='
       when '=' then '=x' when '=x' then null else '' end`,
      'true',
    ],
  }
  for (const [name, [value, where]] of Object.entries(centros)) {
    test(`moved ${name}: the cost centre’s totals follow`, async () => {
      const caller = await companyWithMany()
      await change(caller, `update lancamentos set centro_custo = ${value} where ${where}`)
      await assertRight(caller)
    })
  }

  const updates = {
    'to the next day': 'data = data + 1',
    'to one single day': "data = '2026-06-01'",
    'to the same day of the next month': "data = data + interval '1 month'",
    'between two days, in both directions': `data = case data when '2026-05-31' then date '2026-06-01'
      when '2026-06-01' then date '2026-05-31' else data end`,
    'from kind to kind': `tipo = case tipo when 'receita' then 'despesa'
      when 'despesa' then 'transferencia' else 'receita' end`,
    'to one kind': "tipo = 'despesa'",
    'from status to status': `
      status = case status when 'em_aberto' then 'pago' when 'pago' then 'cancelado' else 'em_aberto' end,
      data_pagamento = case status when 'em_aberto' then data end`,
    'to paid': "status = 'pago', data_pagamento = data",
    'to open': "status = 'em_aberto', data_pagamento = null",
    'to cancelled': "status = 'cancelado', data_pagamento = null",
    'to a later due date': 'vencimento = vencimento + 3',
    'to one due date': "vencimento = '2026-07-01'",
    'to other amounts': 'valor = valor * 2 + 1',
    'to amounts with the same sum':
      'valor = case when valor % 2 = 0 then valor + 7 else valor - 7 end',
    'to other interest and discount': 'juros = desconto, desconto = juros',
    'to another description': "descricao = 'Outra'",
    'to what they were': 'valor = valor, data = data',
    'in everything at once': `data = data + 1, tipo = 'receita', status = 'em_aberto',
      data_pagamento = null, vencimento = vencimento - 1, valor = valor + 1, juros = 0,
      centro_custo = coalesce(centro_custo, '') || 'x'`,
  }
  for (const [name, set] of Object.entries(updates)) {
    test(`changed ${name}: every total follows`, async () => {
      const caller = await companyWithMany()
      await change(caller, `update lancamentos set ${set}`)
      await assertRight(caller)
      await change(caller, `update lancamentos set ${set} where valor % 3 = 0`)
      await assertRight(caller)
      assert.deepEqual(await numbers(caller), [400, 400, 400])
    })
  }

  test('changed, then changed back: the totals are what they were', async () => {
    const caller = await companyWithMany()
    const before = await keptTotals(caller.empresa)
    await change(caller, 'update lancamentos set data = data + 100, vencimento = vencimento + 100')
    assert.notDeepEqual(await keptTotals(caller.empresa), before)
    await change(caller, 'update lancamentos set data = data - 100, vencimento = vencimento - 100')
    assert.deepEqual(await keptTotals(caller.empresa), before)
  })

  test('an edited description touches no total', async () => {
    const caller = await companyWithMany()
    const versions = () =>
      service.db
        .reader(caller.empresa)
        .query(
          'select t.*, xmin::text from totais_por_data t order by centro, grao, inicio, tipo, status',
        )
    const before = await versions()
    await change(caller, "update lancamentos set descricao = 'Outra', observacoes = 'Nota'")
    assert.deepEqual(await versions(), before)
  })

  test('some deleted: the others stay counted', async () => {
    const caller = await companyWithMany()
    await change(caller, 'delete from lancamentos where valor % 3 = 0')
    await assertRight(caller)
    await change(caller, "delete from lancamentos where status = 'em_aberto'")
    await assertRight(caller)
    await change(caller, 'delete from lancamentos where false')
    await assertRight(caller)
  })

  test('inserted and refused in one transaction: nothing is counted', async () => {
    const caller = await companyWithMany()
    const before = await keptTotals(caller.empresa)
    const failing = service.db.write(caller.empresa, async (tx) => {
      await tx.query('update lancamentos set valor = valor + 1')
      await tx.query("delete from lancamentos where tipo = 'receita'")
      await tx.query('update lancamentos set valor = 0')
    })
    await assert.rejects(failing)
    assert.deepEqual(await keptTotals(caller.empresa), before)
    await assertRight(caller)
  })
})

describe('a total that reaches zero', () => {
  test('goes, when the last entry of its group moves away', async () => {
    const caller = await service.caller()
    const { id } = await create(caller, { centro_custo: 'Obra', vencimento: '2026-07-01' })
    for (const fields of [
      { data: '2026-06-23' },
      { data: '2026-05-23' },
      { tipo: 'despesa' },
      { vencimento: '2026-07-02' },
      { vencimento: '2026-08-02' },
      { centro_custo: '' },
      { valor: 1 },
    ]) {
      await caller.patch(`/lancamentos/${id}`, fields)
      assert.equal(await keptRows(caller), 8, JSON.stringify(fields))
    }
    await caller.patch(`/lancamentos/${id}`, { status: 'pago' })
    assert.equal(await keptRows(caller), 4)
    await caller.patch(`/lancamentos/${id}`, { centro_custo: null })
    assert.equal(await keptRows(caller), 2)
    await assertRight(caller)
  })

  test('stays, while an entry is in its group, though its sum is zero', async () => {
    const caller = await service.caller()
    await create(caller, { status: 'pago', valor: 10, desconto: 10 })
    const { data } = await keptTotals(caller.empresa)
    const zero = { quantidade: 1n, soma: 0n }
    assert.deepEqual(Object.values(data), [zero, zero])
    assert.deepEqual(await numbers(caller), [1, 1, 1])
  })

  test('after everything is deleted, nothing is kept', async () => {
    const atOnce = await companyWithMany()
    await change(atOnce, 'delete from lancamentos')
    assert.equal(await keptRows(atOnce), 0)

    const oneByOne = await service.caller()
    const ids: string[] = []
    for (const fields of [{}, {}, { centro_custo: '' }, { status: 'pago' }, { tipo: 'despesa' }]) {
      ids.push((await create(oneByOne, fields)).id)
    }
    for (const id of ids) {
      await oneByOne.delete(`/lancamentos/${id}`)
      await assertRight(oneByOne)
    }
    assert.equal(await keptRows(oneByOne), 0)
  })
})

describe('a cost centre that is named like a mark of the totals', () => {
  const names = ['*', '=', '=x', 'x', '', '=*', '==']
  test('is counted as its own', async () => {
    const caller = await service.caller()
    for (const [i, name] of names.entries()) {
      for (let n = 0; n <= i; n++) await create(caller, { centro_custo: name, valor: 1 })
    }
    await create(caller, { centro_custo: null, valor: 1 })
    for (const [i, name] of names.entries()) {
      const expected = [i + 1, i + 1, i + 1]
      assert.deepEqual(await numbers(caller, { centro_custo: name }), expected, name)
      const { body } = await caller.get(`/resumo?${new URLSearchParams({ centro_custo: name })}`)
      assert.equal(body.em_aberto.a_receber, i + 1, name)
    }
    assert.deepEqual(await numbers(caller), [29, 29, 29])
    await assertRight(caller)
  })
})

describe('the total of a list', () => {
  test('of what is overdue is exact, with every other filter', async (t) => {
    service.clock.now = () => Date.parse('2026-07-01T12:00:00Z')
    t.after(() => {
      service.clock.now = Date.now
    })
    const caller = await companyWithMany()
    const filters: Record<string, string>[] = [
      {},
      { tipo: 'receita' },
      { centro_custo: '' },
      { centro_custo: 'Matriz', tipo: 'despesa' },
      { data_de: '2026-05-31' },
      { data_ate: '2026-06-02' },
      { data_de: '2026-05-31', data_ate: '2026-06-02', tipo: 'receita', centro_custo: '=' },
    ]
    for (const filter of filters) {
      const query = new URLSearchParams({ ...filter, status: 'vencido', limit: '1000' })
      const { status, body } = await caller.get(`/lancamentos?${query}`)
      assert.equal(status, 200, `${query}`)
      assert.notEqual(body.total, 0, `${query}`)
      assert.equal(body.total, body.items.length, `${query}`)
    }
  })
})

describe('writers of one company at once', () => {
  test('every change is counted, and no other', async () => {
    const caller = await service.caller()
    // As many at once as there are connections to write with.
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const ids: string[] = []
      for (let n = 0; n < 6; n++) {
        const fields = { valor: writer + 1, centro_custo: n % 2 === 0 ? 'Obra' : null }
        ids.push((await create(caller, fields)).id)
      }
      const changes = [
        { status: 'pago', juros: 1 },
        { data: '2026-06-23', centro_custo: '' },
        { valor: 0.07, vencimento: '2026-07-01' },
        { tipo: 'despesa', status: 'cancelado' },
      ]
      for (const [i, fields] of changes.entries()) {
        const { status } = await caller.patch(`/lancamentos/${ids[i]}`, fields)
        assert.equal(status, 200)
      }
      assert.equal((await caller.delete(`/lancamentos/${ids[4]}`)).status, 200)
    })
    await Promise.all(writers)
    await assertRight(caller)
    assert.deepEqual(await numbers(caller), [40, 40, 40])
  })

  test('one entry changed by all of them is counted once', async () => {
    const caller = await service.caller()
    const { id } = await create(caller, { valor: 1 })
    const centros = ['a', 'b', '', null, '*', 'a', '', 'b']
    await Promise.all(
      centros.map(async (centro_custo, i) => {
        const fields = { centro_custo, valor: i + 1, data: `2026-06-0${i + 1}` }
        assert.equal((await caller.patch(`/lancamentos/${id}`, fields)).status, 200)
      }),
    )
    await assertRight(caller)
    assert.deepEqual(await numbers(caller), [1, 1, 1])
  })

  test('an entry that all of them delete is taken off once', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    await create(caller)
    const deletions = Array.from({ length: 8 }, () => caller.delete(`/lancamentos/${id}`))
    const statuses = (await Promise.all(deletions)).map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, ...Array.from({ length: 7 }, () => 404)])
    await assertRight(caller)
    assert.deepEqual(await numbers(caller), [1, 1, 1])
  })
})

describe('lastro totais verify', () => {
  const verify = (...options: string[]) =>
    lastro(['totais', 'verify', ...options], { DATABASE_URL: service.databaseUrl })

  /** Each of one single kept row. */
  const corruptions = {
    'a wrong sum': "update totais_por_data set soma = soma + 1 where grao = 'dia'",
    'a wrong sum of a month': "update totais_por_data set soma = soma + 1 where grao = 'mes'",
    'a wrong number': "update totais_por_vencimento set quantidade = 2 where grao = 'dia'",
    'a missing total': "delete from totais_por_data where grao = 'dia'",
    'a missing total by due date': "delete from totais_por_vencimento where grao = 'mes'",
    'a total of nothing': `insert into totais_por_data
      select tenant_id, centro, grao, date '2030-01-01', tipo, status, quantidade, soma
      from totais_por_data where grao = 'dia'`,
  }

  /** A company with one entry: in each table, one kept row of its day and one of its month. */
  async function companyWithOne(): Promise<Caller> {
    const caller = await service.caller()
    await create(caller, { valor: 10, centro_custo: null })
    await addUp(caller)
    return caller
  }

  test('where every total is right, it says so and exits with 0', async () => {
    const caller = await companyWithMany()
    const { code, out, err } = await verify()
    assert.equal(code, 0, err)
    assert.match(out, new RegExp(`^${caller.empresa} +right$`, 'm'))
    assert.doesNotMatch(out, /wrong/)
    const { empresa } = await service.caller()
    const none = await verify('--empresa', empresa, '--json')
    assert.deepEqual([none.code, JSON.parse(none.out)], [0, [{ empresa, wrong: 0 }]])
  })

  for (const [name, sql] of Object.entries(corruptions)) {
    test(`${name} is found, and written anew where that is asked for`, async () => {
      const caller = await companyWithOne()
      const { empresa } = caller
      const right = await keptTotals(empresa)
      await change(caller, sql)
      assert.equal(await verifyTotais(service.db, empresa, false), 1)
      assert.notDeepEqual(await keptTotals(empresa), right, 'looking repairs nothing')
      assert.equal(await verifyTotais(service.db, empresa, true), 1)
      assert.deepEqual(await keptTotals(empresa), right)
    })
  }

  test('what is wrong exits with 1; --fix says what it has mended', async () => {
    const caller = await companyWithOne()
    const { empresa } = caller
    await change(caller, corruptions['a wrong sum'])
    const found = await verify('--empresa', empresa)
    assert.equal(found.code, 1)
    assert.match(found.out, new RegExp(`^${empresa} +1 wrong$`, 'm'))
    const fixed = await verify('--empresa', empresa, '--fix')
    assert.equal(fixed.code, 0, fixed.err)
    assert.match(fixed.out, new RegExp(`^${empresa} +1 wrong, fixed$`, 'm'))
  })

  test('without --empresa, every company is looked at and repaired', async () => {
    const healthy = await companyWithOne()
    const wrong = await companyWithMany()
    await change(wrong, "delete from totais_por_data where centro = '*'")
    const missing = Object.keys((await countedTotals(wrong.empresa)).data).filter((key) =>
      key.startsWith('["*"'),
    ).length
    const found = await verify('--json')
    assert.equal(found.code, 1)
    const byCompany = (out: string) =>
      new Map(JSON.parse(out).map((row: { empresa: string; wrong: number }) => Object.values(row)))
    assert.equal(byCompany(found.out).get(healthy.empresa), 0)
    assert.equal(byCompany(found.out).get(wrong.empresa), missing)
    assert.equal((await verify('--empresa', healthy.empresa)).code, 0)

    const fixed = await verify('--fix', '--json')
    assert.deepEqual([fixed.code, byCompany(fixed.out).get(wrong.empresa)], [0, missing])
    await assertRight(wrong)
    assert.equal((await verify()).code, 0)
  })

  test('--empresa repairs that company alone', async () => {
    const one = await companyWithOne()
    const other = await companyWithOne()
    for (const caller of [one, other]) await change(caller, 'delete from totais_por_data')
    assert.equal((await verify('--empresa', one.empresa, '--fix')).code, 0)
    await assertRight(one)
    assert.equal((await verify('--empresa', other.empresa)).code, 1)
    assert.equal((await verify('--fix')).code, 0)
  })

  test('the figures are right again after --fix, and stay right with the next write', async () => {
    const caller = await companyWithMany()
    const before = (await caller.get('/resumo')).body.realizado
    await change(caller, 'update totais_por_data set soma = soma * 2, quantidade = quantidade + 1')
    assert.notDeepEqual((await caller.get('/resumo')).body.realizado, before)
    await verify('--empresa', caller.empresa, '--fix')
    assert.deepEqual((await caller.get('/resumo')).body.realizado, before)
    await create(caller, { status: 'pago', centro_custo: '' })
    await assertRight(caller)
  })

  test('a company that does not exist is an error, not a right one', async () => {
    const { code, err } = await verify('--empresa', crypto.randomUUID())
    assert.notEqual(code, 0)
    assert.match(err, /no company/)
  })
})

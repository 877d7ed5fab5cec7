import assert from 'node:assert/strict'
import { get } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { insertEntries } from '../../test/support/bulk.ts'
import { addSubcategoria, createArea } from '../../test/support/categoria.ts'
import { createLancamento } from '../../test/support/lancamento.ts'
import { createParceiro } from '../../test/support/parceiro.ts'
import { OWN_PAGE, signIn } from '../../test/support/pessoa.ts'
import { faultyFields } from '../../test/support/refusal.ts'
import { startService } from '../../test/support/service.ts'
import type { Livro, LivroPage } from './livro-schema.ts'
import type { Lancamento } from './schema.ts'

const service = await startService()
const TODAY = '2026-06-22'
service.clock.now = () => Date.parse(`${TODAY}T12:00:00Z`)
const api = await service.caller()
const { empresa } = api
const pessoa = await signIn(service, { empresa, papel: 'leitura' })

const ana = await createParceiro(api, { nome: '=Ana; "Filha"' })
const bia = await createParceiro(api, { nome: 'Bia' })
const area = await createArea(api, 'Pessoal')
const other = await createArea(api, 'Outra')
const sub = await addSubcategoria(service, empresa, area.id, '+Salários')

/** Whatever a pattern could mistake for something else, and what a spreadsheet could. */
const TEXTS = [
  ...[
    'Ação 100%',
    'ACAO de marca',
    'ac\u0327a\u0303o',
    'Açúcar_União',
    'C:\\notas\\',
    'Œuvre Łódź',
  ],
  ...['a.b*c(d)[e]{2}|^$?+', '=HYPERLINK("http://x";"y")', '+55 11', '-1', '@SOMA(A1)', '\tx\r\ny'],
  ...['Прага', '***=x', '(?i)x', 'linha\noutra; "entre aspas"', '💸', ' '],
]
const text = fc.constantFrom(...TEXTS)
const day = fc.constantFrom('2026-04-30', '2026-05-01', '2026-05-31', '2026-06-21', TODAY)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const entry = fc.record({
  data: day,
  vencimento: day,
  descricao: text,
  contraparte: maybe(text),
  observacoes: maybe(text),
  centro_custo: maybe(fc.constantFrom('Matriz', '*', '=Filial')),
  tipo: fc.constantFrom('receita', 'despesa', 'transferencia'),
  status: fc.constantFrom('em_aberto', 'em_aberto', 'pago', 'cancelado'),
  valor: fc.integer({ min: 500, max: 1_000_000 }).map((centavos) => centavos / 100),
  juros: fc.constantFrom(0, 0.07),
  desconto: fc.constantFrom(0, 1.5),
  parceiro_id: maybe(fc.constantFrom(ana.id, bia.id)),
  categoria_id: maybe(fc.constantFrom(area.id, sub, other.id)),
})
const entries: Lancamento[] = []
for (const fields of fc.sample(entry, { numRuns: 60, seed: 10 })) {
  entries.push(await createLancamento(api, fields))
}
// The same in another company, of which nothing may show.
await createLancamento(await service.caller(), { descricao: TEXTS[0] })
entries.sort((a, b) => (b.data + b.id > a.data + a.id ? 1 : -1))

const fold = (value: string) => value.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The filter, one entry at a time. */
function matches(item: Lancamento, filter: LivroPage): boolean {
  const overdue = item.status === 'em_aberto' && item.vencimento < TODAY
  const { busca, categoria_id: categoria } = filter
  const found = (value: string | null) => fold(value ?? '').includes(fold(busca!))
  const { centro_custo: centro = item.centro_custo, parceiro_id = item.parceiro_id } = filter
  return (
    (filter.tipo ?? item.tipo) === item.tipo &&
    (filter.status === 'vencido' ? overdue : (filter.status ?? item.status) === item.status) &&
    (filter.data_de ?? '') <= item.data &&
    (filter.data_ate ?? '9') >= item.data &&
    (filter.vencimento_de ?? '') <= item.vencimento &&
    (filter.vencimento_ate ?? '9') >= item.vencimento &&
    centro === item.centro_custo &&
    parceiro_id === item.parceiro_id &&
    (!categoria ||
      [categoria, ...(categoria === area.id ? [sub] : [])].includes(item.categoria_id!)) &&
    (busca === undefined || found(item.descricao) || found(item.contraparte))
  )
}

/** What a page of the list should be. */
function expected(filter: LivroPage): Livro {
  const all = entries.filter((item) => matches(item, filter))
  const { limit = 100, offset = 0 } = filter
  const sum = (tipo: string) =>
    all
      .filter((item) => item.tipo === tipo && item.status !== 'cancelado')
      .reduce((total, { valor, valor_pago }) => total + Math.round((valor_pago ?? valor) * 100), 0)
  const [receitas, despesas] = [sum('receita'), sum('despesa')]
  const somas = {
    receitas: receitas / 100,
    despesas: despesas / 100,
    saldo: (receitas - despesas) / 100,
  }
  return { items: all.slice(offset, offset + limit), total: all.length, limit, offset, somas }
}

const addressOf = (filter: LivroPage) =>
  new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))

const BUSCAS = [
  ...[
    'acao',
    'AÇÃO',
    'ç',
    'E',
    '%',
    '_',
    '\\',
    'a.b*c(d)',
    '[e]',
    '{2}|^$?',
    '***=',
    '(?i)',
    'c:\\N',
  ],
  ...[
    'прага',
    '💸',
    'ß',
    ' ',
    '\n',
    'lodz',
    'a_c',
    'nada disso',
    'x'.repeat(200),
    '=HYPER',
    'união',
  ],
]

describe('the books', () => {
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 })
  const filters = fc
    .record({
      tipo: optional(fc.constantFrom('receita', 'despesa', 'transferencia')),
      status: optional(fc.constantFrom('em_aberto', 'pago', 'cancelado', 'vencido')),
      data_de: optional(fc.constantFrom('2026-05-01', '2026-05-20')),
      data_ate: optional(fc.constantFrom('2026-05-31', TODAY)),
      vencimento_de: optional(fc.constantFrom('2026-05-01', '2026-05-20')),
      vencimento_ate: optional(fc.constantFrom('2026-05-31', TODAY)),
      centro_custo: optional(fc.constantFrom('Matriz', '*', '=Filial')),
      busca: optional(fc.constantFrom(...BUSCAS)),
      parceiro_id: optional(fc.constantFrom(ana.id, bia.id)),
      categoria_id: optional(fc.constantFrom(area.id, sub, other.id)),
      limit: optional(fc.constantFrom(3, 1000)),
      offset: optional(fc.constantFrom(1, 500)),
    })
    // Most filters together match nothing: a few of them at a time.
    .chain((all) => fc.subarray(Object.entries(all), { minLength: 3, maxLength: 7 }))
    .map((some) => Object.fromEntries(some.filter(([, value]) => value !== undefined)) as LivroPage)

  test('are filtered, counted and summed as one would by hand, by any filters together', async () => {
    const single: LivroPage[] = [
      {},
      ...BUSCAS.map((busca) => ({ busca })),
      ...(['em_aberto', 'pago', 'cancelado', 'vencido'] as const).map((status) => ({ status })),
      ...[area.id, sub, other.id].map((categoria_id) => ({ categoria_id })),
    ]
    let found = 0
    for (const filter of [...single, ...fc.sample(filters, { numRuns: 150, seed: 10 })]) {
      const { status, body } = await pessoa.get(`/livro?${addressOf(filter)}`)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(body, expected(filter), JSON.stringify(filter))
      if (body.total > 0) found++
    }
    assert.ok(found > 80, String(found))
  })

  test('with the filters of the API are its list', async () => {
    for (const query of ['?tipo=receita&status=vencido', '?data_de=2026-05-01&limit=7&offset=2']) {
      const { somas, ...list } = (await pessoa.get(`/livro${query}`)).body
      assert.deepEqual(list, (await api.get(`/lancamentos${query}`)).body)
    }
  })

  test('refuse what is no filter, naming it', async () => {
    for (const [query, field] of [
      ['busca=', 'busca'],
      [`busca=${'x'.repeat(201)}`, 'busca'],
      ['busca=%00', 'busca'],
      ['parceiro_id=1', 'parceiro_id'],
      ['limit=1001', 'limit'],
      ['foo=1', 'foo'],
      ['vencimento_de=2026-02-30', 'vencimento_de'],
      ['vencimento_de=2026-02-02&vencimento_ate=2026-02-01', 'vencimento_de'],
      ['data_de=2026-02-02&data_ate=2026-02-01', 'data_de'],
    ] as const) {
      for (const path of ['/livro', '/livro.csv']) {
        const answer = await pessoa.get(`${path}?${query}`)
        assert.deepEqual([answer.status, answer.body.code], [400, 'invalid-query'], query)
        assert.deepEqual(faultyFields(answer), [field])
      }
    }
    assert.equal((await pessoa.get('/livro.csv?limit=1')).status, 400)
  })
})

/** Lines and cells, by the rules of RFC 4180. */
function parseCsv(csv: string): string[][] {
  const cells = csv.matchAll(/("(?:[^"]|"")*"|[^;\r\n"]*)(;|\r\n)/gy)
  const lines: string[][] = [[]]
  for (const [, cell, end] of cells) {
    lines.at(-1)!.push(cell!.startsWith('"') ? cell!.slice(1, -1).replaceAll('""', '"') : cell!)
    if (end === '\r\n') lines.push([])
  }
  assert.deepEqual(lines.pop(), [])
  return lines
}

describe('the export', () => {
  const headers = { ...OWN_PAGE, cookie: pessoa.cookie }
  const url = `${service.url}/app/api/e/${empresa}/livro.csv`

  test('has every entry of the list, and nothing in it is a formula', async () => {
    for (const filter of [{}, { busca: 'a', tipo: 'receita' }, { busca: 'nada disso' }] as const) {
      const response = await fetch(`${url}?${addressOf(filter)}`, { headers })
      assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
      assert.equal(
        response.headers.get('content-disposition'),
        `attachment; filename="lancamentos-${TODAY}.csv"`,
      )
      const csv = Buffer.from(await response.arrayBuffer()).toString()
      assert.ok(csv.startsWith('\ufeffData;Descrição;'))
      const [titles, ...lines] = parseCsv(csv.slice(1))
      const { items } = expected({ ...filter, limit: 1000 })
      assert.deepEqual(
        lines.map((cells) => Object.fromEntries(cells.map((cell, n) => [titles![n], cell]))),
        items.map(asLine),
      )
      for (const cell of lines.flat()) assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
    }
  })

  const br = (reais: number | null) => reais?.toFixed(2).replace('.', ',') ?? ''
  const date = (iso: string | null) => iso?.replace(/(.*)-(.*)-(.*)/, '$3/$2/$1') ?? ''
  const safe = (value: string | null) =>
    /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : (value ?? '')
  const words = {
    ...{ receita: 'Receita', despesa: 'Despesa', transferencia: 'Transferência' },
    ...{ em_aberto: 'Em aberto', pago: 'Pago', cancelado: 'Cancelado' },
  }
  const names: Record<string, string> = {
    ...{ [ana.id]: `'${ana.nome}`, [bia.id]: 'Bia' },
    ...{ [area.id]: 'Pessoal', [sub]: 'Pessoal › +Salários', [other.id]: 'Outra' },
  }
  const asLine = (item: Lancamento) => ({
    Data: date(item.data),
    Descrição: safe(item.descricao),
    Tipo: words[item.tipo],
    Valor: br(item.valor),
    Situação: words[item.status],
    Vencimento: date(item.vencimento),
    'Data do pagamento': date(item.data_pagamento),
    Juros: br(item.juros),
    Desconto: br(item.desconto),
    'Valor pago': br(item.valor_pago),
    Contraparte: safe(item.contraparte),
    Parceiro: names[item.parceiro_id!] ?? '',
    Categoria: names[item.categoria_id!] ?? '',
    'Centro de custo': safe(item.centro_custo),
    Observações: safe(item.observacoes),
    Id: item.id,
  })

  test('is opened by a link on our own pages, and by none elsewhere', async () => {
    const { cookie } = pessoa
    const open = async (more: Record<string, string>, address = url) => {
      const response = await fetch(address, { headers: { cookie, ...more } })
      await response.arrayBuffer()
      return response.status
    }
    assert.equal(await open({ 'sec-fetch-site': 'same-origin' }), 200)
    assert.equal(await open({ referer: `${service.url}/e/${empresa}/lancamentos` }), 200)
    for (const site of ['cross-site', 'same-site', 'none']) {
      assert.equal(await open({ 'sec-fetch-site': site, referer: service.url }), 403, site)
    }
    for (const referer of ['', 'https://evil.example/', `https://evil.example/?${service.url}`]) {
      assert.equal(await open({ referer }), 403, referer)
    }
    assert.equal(await open({ 'sec-fetch-site': 'same-origin' }, url.replace('.csv', '')), 403)
    const stranger = await signIn(service)
    assert.equal(await open({ cookie: stranger.cookie, 'sec-fetch-site': 'same-origin' }), 404)
  })

  describe('of many entries', async () => {
    const many = await signIn(service)
    // More than the buffers between here and there hold.
    const size = 6_500
    await insertEntries(service, many.empresa, size, {
      data: "date '2026-06-22' - n % 3",
      descricao: "repeat('x', 5000)",
    })
    const address = url.replace(empresa, many.empresa)
    const own = { ...OWN_PAGE, cookie: many.cookie }

    /** Counts the statements that are read for one export; what is given is awaited before each. */
    const counting = (t: TestContext, before: (count: number) => unknown = () => {}) => {
      const { db } = service
      const reads = { count: 0 }
      const reader = db.reader.bind(db)
      t.mock.method(db, 'reader', (tenant: string) => {
        const tx = reader(tenant)
        const query = async <Row>(...statement: Parameters<typeof tx.query>) => {
          reads.count++
          await before(reads.count)
          return tx.query<Row>(...statement)
        }
        return { ...tx, query }
      })
      return reads
    }

    test('has each of them once', async () => {
      const csv = await (await fetch(address, { headers: own })).text()
      const ids = parseCsv(csv).map((cells) => cells.at(-1))
      assert.equal(ids.length, 1 + size)
      assert.equal(new Set(ids).size, 1 + size)
    })

    test('that fails on the way breaks off, and does not look whole', async (t) => {
      const reads = counting(t, (count) => {
        if (count === 3) throw new Error('on purpose')
      })
      const response = await fetch(address, { headers: own })
      assert.equal(response.status, 200)
      await assert.rejects(response.text())
      assert.equal(reads.count, 3)
    })

    test('that fails at once is refused like any other call', async (t) => {
      counting(t, () => {
        throw new Error('on purpose')
      })
      const response = await fetch(address, { headers: own })
      assert.equal(response.status, 500)
      assert.equal(response.headers.get('content-disposition'), null)
      assert.equal(((await response.json()) as { code: string }).code, 'internal-error')
    })

    test('is read no faster than it is taken, and no further once nobody takes it', async (t) => {
      const reads = counting(t)
      const response = await new Promise<import('node:http').IncomingMessage>((resolve) =>
        get(address, { headers: own }, resolve),
      )
      const untilStill = async () => {
        for (let last = -1, still = 0; still < 5; last = reads.count) {
          still = reads.count === last ? still + 1 : 0
          await new Promise((resolve) => setTimeout(resolve, 30))
        }
        return reads.count
      }
      const waiting = await untilStill()
      assert.ok(waiting < 7, String(waiting))
      response.destroy()
      assert.ok((await untilStill()) <= waiting + 1)
    })
  })
})

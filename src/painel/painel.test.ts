import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { insertEntries } from '../../test/support/bulk.ts'
import { createLancamento } from '../../test/support/lancamento.ts'
import { type Entry, plusDays, reais, resumoOf } from '../../test/support/model.ts'
import { callConsole, type Pessoa, signIn } from '../../test/support/pessoa.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import type { Painel } from './schema.ts'

const service = await startService()

afterEach(() => {
  service.clock.now = Date.now
})

type Query = Record<string, string>

async function painelOf(pessoa: Pessoa, query: Query = {}): Promise<Painel> {
  const { status, body } = await pessoa.get(`/painel?${new URLSearchParams(query)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** A company with somebody of each way of reading it. */
async function company(fusoHorario = 'America/Sao_Paulo') {
  const caller = await service.caller({ fusoHorario })
  return { caller, pessoa: await signIn(service, { empresa: caller.empresa, papel: 'leitura' }) }
}

describe('every figure is what adding up the entries gives', () => {
  /** At noon in UTC each, so at that day in Sao Paulo and at that or the next one in Auckland. */
  const days = [
    // The thirty days go past the end of a year, and the months over two of them.
    { zone: 'America/Sao_Paulo', now: '2026-12-20T12:00:00Z', today: '2026-12-20' },
    // The next days hold a whole month, and the day is not that of UTC.
    { zone: 'Pacific/Auckland', now: '2028-02-29T12:00:00Z', today: '2028-03-01' },
  ]
  for (const { zone, now, today } of days) {
    test(`on ${today} in ${zone}`, async () => {
      service.clock.now = () => Date.parse(now)
      const { caller, pessoa } = await company(zone)
      const entries = await insertRandom(caller, today)
      const period = { data_de: plusDays(today, -100), data_ate: plusDays(today, 17) }
      const queries: Query[] = [{}, { centro_custo: 'C3' }, { centro_custo: '' }, period]
      queries.push(
        { ...period, centro_custo: 'C1' },
        { data_de: today },
        { centro_custo: 'não há' },
      )
      for (const query of queries) {
        const { resumo, ...rest } = await painelOf(pessoa, query)
        const expected = { hoje: today, ...figures(entries, query, today) }
        assert.deepEqual(rest, expected, JSON.stringify(query))
        const { atualizado_em, ...sums } = resumo
        assert.deepEqual(sums, resumoOf(entries, query, today))
        assert.deepEqual(resumo, (await caller.get(`/resumo?${new URLSearchParams(query)}`)).body)
      }
      const { items } = (await pessoa.get('/centros-custo')).body
      assert.deepEqual(
        items,
        ['', ...Array.from({ length: 13 }, (_, i) => `C${i + 1}`)].sort(order),
      )
    })
  }

  const order = new Intl.Collator('pt-BR').compare

  /** Entries around a day, the same at each run, most of them within the reach of some figure. */
  async function insertRandom(caller: Caller, today: string): Promise<Entry[]> {
    let seed = 20_261_220
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return Math.floor((seed / 2 ** 32) * below)
    }
    const pick = <T>(choices: readonly T[]) => choices[random(choices.length)]!
    const entries = Array.from({ length: 900 }, () => {
      const valor = BigInt(1 + random(5_000_000))
      return {
        data: plusDays(today, random(900) - 450),
        vencimento: plusDays(today, pick([random(900) - 450, random(240) - 120, random(32)])),
        tipo: pick(['receita', 'despesa', 'receita', 'despesa', 'transferencia'] as const),
        status: pick(['em_aberto', 'pago', 'em_aberto', 'pago', 'cancelado'] as const),
        valor,
        juros: BigInt(random(1000)),
        desconto: BigInt(random(Number(valor))),
        centro_custo: pick([null, '', ...Array.from({ length: 13 }, (_, i) => `C${i + 1}`)]),
      }
    })
    const column = (name: keyof (typeof entries)[number], type: string) => {
      const values = entries.map((entry) => (entry[name] === null ? 'null' : `'${entry[name]}'`))
      return `(array[${values.join(',')}]::${type}[])[n]`
    }
    await insertEntries(service, caller.empresa, entries.length, {
      data: column('data', 'date'),
      vencimento: column('vencimento', 'date'),
      tipo: column('tipo', 'text'),
      status: column('status', 'text'),
      valor: column('valor', 'bigint'),
      juros: column('juros', 'bigint'),
      desconto: column('desconto', 'bigint'),
      centro_custo: column('centro_custo', 'text'),
    })
    return entries as Entry[]
  }
})

/** The figures but for those of `/resumo`, each a filter and a sum. */
function figures(entries: Entry[], query: Query, today: string): Omit<Painel, 'hoje' | 'resumo'> {
  const ofCentro = entries.filter(
    ({ centro_custo }) => query.centro_custo === undefined || centro_custo === query.centro_custo,
  )
  const paid = ofCentro.filter(({ status }) => status === 'pago')
  const open = ofCentro.filter(({ status }) => status === 'em_aberto')
  const due = (from: string, to: string) => {
    const set = open.filter(({ vencimento }) => from <= vencimento && vencimento <= to)
    return { a_receber: reais(sum(set, 'receita')), a_pagar: reais(sum(set, 'despesa')) }
  }
  const ago = (days: number) => plusDays(today, -days)
  const [year, month] = today.split('-').map(Number) as [number, number]
  const months = Array.from({ length: 24 }, (_, n) =>
    new Date(Date.UTC(year, month - 1 + n - 11, 15)).toISOString().slice(0, 7),
  )
  const { data_de = '', data_ate = '9' } = query
  const moved = entries.filter(
    ({ data, status }) => data_de <= data && data <= data_ate && status !== 'cancelado',
  )
  const centros = [...new Set(entries.map(({ centro_custo }) => centro_custo))]
    .filter((centro) => centro !== null)
    .map((centro_custo) => {
      const set = moved.filter((entry) => entry.centro_custo === centro_custo)
      return { centro_custo, receitas: sum(set, 'receita'), despesas: sum(set, 'despesa') }
    })
    .filter(({ receitas, despesas }) => receitas + despesas > 0n)
    .sort((a, b) => Number(b.receitas + b.despesas - (a.receitas + a.despesas)))
  return {
    meses: months.map((mes) => {
      const ofMonth = paid.filter(({ data }) => data.startsWith(mes))
      return {
        mes,
        recebido: reais(sum(ofMonth, 'receita')),
        pago: reais(sum(ofMonth, 'despesa')),
        ...due(`${mes}-01`, `${mes}-31`),
      }
    }),
    vencidos: [
      { faixa: '1-30', ...due(ago(30), ago(1)) },
      { faixa: '31-60', ...due(ago(60), ago(31)) },
      { faixa: '61-90', ...due(ago(90), ago(61)) },
      { faixa: '90+', ...due('1900-01-01', ago(91)) },
    ],
    proximos_30_dias: Array.from({ length: 31 }, (_, n) => plusDays(today, n)).map((dia) => ({
      dia,
      ...due(dia, dia),
    })),
    centros: centros.slice(0, 10).map(({ centro_custo, receitas, despesas }) => ({
      centro_custo,
      receitas: reais(receitas),
      despesas: reais(despesas),
    })),
  }
}

function sum(entries: Entry[], tipo: Entry['tipo']): bigint {
  return entries
    .filter((entry) => entry.tipo === tipo)
    .map(({ status, valor, juros, desconto }) =>
      status === 'pago' ? valor + juros - desconto : valor,
    )
    .reduce((total, amount) => total + amount, 0n)
}

test('a cost centre whose last entry has gone is gone, though its totals are not added up yet', async (t) => {
  const lot = (says: string) =>
    service.pool.query(`create or replace function hora_de_somar(escritos bigint) returns boolean
      language sql volatile as 'select ${says}'`)
  t.after(() => lot('random() * 32 < escritos'))
  const { caller, pessoa } = await company()
  const shown = async () => [
    (await painelOf(pessoa)).centros.map(({ centro_custo }) => centro_custo),
    (await pessoa.get('/centros-custo')).body.items,
  ]
  await lot('true')
  const gone = await createLancamento(caller, { centro_custo: 'Filial' })
  await createLancamento(caller, { centro_custo: 'Matriz' })
  await lot('false')
  await createLancamento(caller, { centro_custo: 'Nova' })
  assert.deepEqual(await shown(), [
    ['Filial', 'Matriz', 'Nova'],
    ['Filial', 'Matriz', 'Nova'],
  ])
  await caller.delete(`/lancamentos/${gone.id}`)
  const short = await createLancamento(caller, { centro_custo: 'Breve' })
  await caller.patch(`/lancamentos/${short.id}`, { centro_custo: 'Matriz' })
  assert.deepEqual(await shown(), [
    ['Matriz', 'Nova'],
    ['Matriz', 'Nova'],
  ])
})

test('a company’s figures are for its own people alone', async () => {
  const { caller, pessoa } = await company()
  await createLancamento(caller, { centro_custo: 'Segredo', data: '2026-06-22' })
  const { pessoa: stranger } = await company()
  const nothing = await painelOf(stranger)
  assert.deepEqual([nothing.resumo.total_lancamentos, nothing.centros], [0, []])
  assert.deepEqual((await stranger.get('/centros-custo')).body.items, [])
  for (const path of ['painel', 'centros-custo']) {
    const { status } = await stranger.call('GET', `/e/${pessoa.empresa}/${path}`)
    assert.equal(status, 404)
    const nobody = await callConsole(service, 'GET', `/e/${pessoa.empresa}/${path}`)
    assert.equal(nobody.status, 401)
  }
  assert.equal((await painelOf(pessoa)).centros[0]!.centro_custo, 'Segredo')
})

test('what /resumo refuses is refused here, naming the field', async () => {
  const { pessoa } = await company()
  for (const [query, field] of [
    ['data_de=2026-02-02&data_ate=2026-02-01', 'data_de'],
    ['data_de=2026-02-30', 'data_de'],
    ['mes=2026-02', 'mes'],
  ]) {
    const { status, body } = await pessoa.get(`/painel?${query}`)
    assert.deepEqual([status, body.code, body.errors[0].field], [400, 'invalid-query', field])
  }
})

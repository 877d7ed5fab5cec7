// An entry is worded by the database when it is written: what is read has to be what the writer was answered.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { eventsOf } from '../../test/support/events.ts'
import { aLancamento } from '../../test/support/lancamento.ts'
import { startService } from '../../test/support/service.ts'
import type { Lancamento } from './schema.ts'

const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))
const ENTRIES = 60
const service = await startService()
const api = await service.caller()

/** Whatever JSON, SQL or a pattern of PostgreSQL could take for something else than text. */
const HOSTILE = [
  ...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code + 1)),
  ...[
    '"',
    '\\',
    '/',
    '\\"',
    "'",
    '\u007f',
    '\u0085',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\uffff',
    '👩‍👩‍👧',
    '𝄞',
    'é',
  ],
  ...[
    'e\u0301',
    '%',
    '_',
    '{}',
    '},{',
    ',"valor":0',
    '\\u0000',
    '\\n',
    '</script>',
    '$1',
    'null',
    ' ',
  ],
]
const text = (minLength: number, maxLength: number) =>
  fc
    .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 8 })), {
      maxLength: 12,
    })
    .map((parts) => [...parts.join('').replaceAll('\0', '')].slice(0, maxLength).join(''))
    .filter((made) => made.length >= minLength && made.isWellFormed())
const reais = (minimum: number) =>
  fc
    .oneof(
      fc.constantFrom(1, 7, 10, 99, 100, 101, 110, 1000, 999_999_999_999, 1_000_000_000_000 - 10),
      fc.integer({ min: minimum, max: 999_999_999_999 }),
      fc.integer({ min: minimum, max: 20_000 }),
    )
    .map((centavos) => centavos / 100)
const day = fc.oneof(
  fc.constantFrom('1900-01-01', '2199-12-31', '2024-02-29', '1999-12-31'),
  fc
    .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
)
const fields = {
  data: day,
  descricao: text(1, 500),
  tipo: fc.constantFrom('receita', 'despesa', 'transferencia'),
  valor: reais(1),
  status: fc.constantFrom('em_aberto', 'pago', 'cancelado'),
  vencimento: day,
  juros: fc.oneof(fc.constant(0), reais(0)),
  contraparte: fc.option(text(0, 200)),
  centro_custo: fc.option(text(0, 200)),
  observacoes: fc.option(text(0, 5000)),
}
const created = fc.record(fields)
const edited = fc
  .record(fields, { requiredKeys: [] })
  .filter((edit) => Object.keys(edit).length > 0)

test('an entry is read as it was answered when it was written, whatever is in it', async (t) => {
  t.diagnostic(`SEED=${SEED}`)
  const answered = new Map<string, string>()
  const told: string[] = []
  const note = ({ status, body }: { status: number; body: { item: Lancamento } }) => {
    assert.ok(status < 300, JSON.stringify(body))
    answered.set(body.item.id, JSON.stringify(body.item))
    if (status === 201) told.push(JSON.stringify({ lancamento: body.item }))
    return body.item
  }
  const bodies = fc.sample(fc.tuple(created, fc.option(edited)), { seed: SEED, numRuns: ENTRIES })
  for (const [body, edit] of bodies) {
    const { id, valor } = note(await api.post('/lancamentos', { ...aLancamento, ...body }))
    // The most that a discount may be, unless the edit leaves less to take it from.
    const desconto = edit?.valor === undefined ? valor : 0
    if (edit) note(await api.patch(`/lancamentos/${id}`, { ...edit, desconto }))
  }
  for (const [id, item] of answered) {
    const { body } = await api.get(`/lancamentos/${id}`)
    assert.equal(JSON.stringify(body.item), item)
  }
  const { items } = (await api.get('/lancamentos?limit=1000')).body
  assert.equal(items.length, answered.size)
  for (const item of items) assert.equal(JSON.stringify(item), answered.get(item.id))

  const events = await eventsOf(service, api.empresa)
  assert.deepEqual(
    events
      .filter(({ kind }) => kind === 'lancamento.created')
      .map(({ data }) => JSON.stringify(data)),
    told,
  )

  // On a server with other habits, as on ours.
  const client = await service.pool.connect()
  await client.query(`begin; set local datestyle = 'SQL, DMY'; set local timezone = 'Asia/Kathmandu';
    set local extra_float_digits = -15; set local intervalstyle = 'iso_8601'`)
  const { rows } = await client.query(
    `update lancamentos l set tipo = tipo
     returning l.id, l.item, lancamento_item(l) as anew`,
  )
  await client.query('rollback')
  client.release()
  assert.equal(rows.length, answered.size)
  for (const { id, item, anew } of rows) {
    assert.equal(item, anew)
    assert.equal(JSON.stringify(JSON.parse(item)), answered.get(id))
  }
})

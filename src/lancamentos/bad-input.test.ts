import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aLancamento, UNKNOWN_ID } from '../../test/support/lancamento.ts'
import { refusalsOf } from '../../test/support/refusal.ts'
import { type Answer, startService } from '../../test/support/service.ts'

const service = await startService()
const caller = await service.caller()
const stored = (
  await caller.post('/lancamentos', { ...aLancamento, valor: 10, centro_custo: 'Matriz' })
).body.item
const address = `/lancamentos/${stored.id}`
const OPTIONAL = [
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
const PARAMETERS = ['tipo', 'status', 'data_de', 'data_ate', 'centro_custo', 'limit', 'offset']

const refused = refusalsOf(service, caller, '/lancamentos')

/** Sends bytes as they are, with just the headers that are given. */
async function send(
  method: string,
  path: string,
  bytes: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${caller.key}`, ...headers },
    // Bytes, because fetch gives a string a content type of its own.
    body: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
  })
  const body = await response.json()
  service.contract.check(method, `/api/v1${path}`, response, body)
  return { status: response.status, headers: response.headers, body }
}

/** A valid body as JSON text, with one field written as it is given. */
function withRaw(field: string, json: string): string {
  const { [field]: _, ...rest } = aLancamento as Record<string, unknown>
  return JSON.stringify(rest).replace(/}$/, `,${JSON.stringify(field)}:${json}}`)
}

describe('a field is refused, in a new entry and in an edit', () => {
  const days = [
    '"2026-02-30"',
    '"2026-02-29"',
    '"1900-02-29"',
    '"2026-04-31"',
    '"2026-13-01"',
    '"2026-00-10"',
    '"2026-06-00"',
    '"2026-06-22T00:00:00Z"',
    '"2026-06-22 10:00"',
    '"1899-12-31"',
    '"2200-01-01"',
    '"2026-6-2"',
    '"20260622"',
    '"22/06/2026"',
    '" 2026-06-22"',
    '"2026-06-22\\n"',
    '"+002026-06-22"',
    '"２０２６-06-22"',
    '"hoje"',
    '""',
    '20260622',
    'true',
    '[]',
    '{}',
    '["2026-06-22"]',
  ]
  const sums = [
    '0.001',
    '1.005',
    '0.070000000000001',
    '9999999999.991',
    '10000000000',
    '1e30',
    '1e400',
    '1e-7',
    '-0.01',
    '-1',
    '-1e30',
    '"10"',
    '"10.00"',
    '"10,00"',
    '""',
    'true',
    '[10]',
    '{"valor":10}',
  ]
  const texts = (tooLong: number) => [
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00"',
    '"a\\ud83db"',
    '"\\udcb8\\ud83d"',
    JSON.stringify('x'.repeat(tooLong)),
    '1',
    'false',
    '["texto"]',
    '{"texto":{"texto":[]}}',
  ]
  const references = [
    '"abc"',
    '""',
    `"${UNKNOWN_ID}"`,
    `"${stored.id}"`,
    `"{${UNKNOWN_ID}}"`,
    `"${UNKNOWN_ID.replaceAll('-', '')}"`,
    '0',
    '{}',
    `["${UNKNOWN_ID}"]`,
  ]
  const choices = ['"Receita"', '"receita "', '"PAGO"', '"vencido"', '""', '0', 'true', '[]', '{}']
  const cases: Record<string, string[]> = {
    data: days,
    vencimento: days,
    data_pagamento: [...days, '"2026-06-22"'],
    valor: ['0', '-0', ...sums],
    juros: sums,
    desconto: [...sums, '1234.57'],
    descricao: ['""', ...texts(501)],
    contraparte: texts(201),
    centro_custo: texts(201),
    observacoes: texts(5001),
    tipo: [...choices, '["receita"]'],
    status: [...choices, '["pago"]'],
    parceiro_id: references,
    categoria_id: references,
    conta_bancaria_id: references,
  }
  for (const [field, values] of Object.entries(cases)) {
    describe(field, () => {
      for (const json of values) {
        const shown = json.length > 40 ? `a text of ${json.length - 2}` : json
        test(shown, async () => {
          const fields = [field]
          await refused(() => caller.post('/lancamentos', withRaw(field, json)), { fields })
          await refused(() => caller.patch(address, `{"${field}":${json}}`), { fields })
        })
      }
    })
  }

  for (const field of ['data', 'descricao', 'tipo', 'valor']) {
    test(`${field} left out or null`, async () => {
      const { [field]: _, ...rest } = aLancamento as Record<string, unknown>
      await refused(() => caller.post('/lancamentos', rest), { fields: [field] })
      const call = () => caller.post('/lancamentos', { ...rest, [field]: null })
      await refused(call, { fields: [field] })
    })
  }

  for (const field of [
    'data',
    'descricao',
    'tipo',
    'valor',
    'status',
    'vencimento',
    'juros',
    'desconto',
    'id',
    'criado_em',
    'atualizado_em',
  ]) {
    test(`${field} set to null in an edit`, async () => {
      await refused(() => caller.patch(address, { [field]: null }), { fields: [field] })
    })
  }
})

describe('a refusal lists the allowed values', () => {
  const TIPOS = ['receita', 'despesa', 'transferencia']
  const STATUS = ['em_aberto', 'pago', 'cancelado']
  const cases = [
    { field: 'tipo', value: 'entrada', allowed: TIPOS },
    { field: 'status', value: 'quitado', allowed: STATUS },
    { field: 'tipo', value: 1, allowed: TIPOS },
    { field: 'status', value: true, allowed: STATUS },
  ]
  for (const { field, value, allowed } of cases) {
    test(`of ${field}, for ${JSON.stringify(value)}`, async () => {
      for (const answer of [
        await caller.post('/lancamentos', { ...aLancamento, [field]: value }),
        await caller.patch(address, { [field]: value }),
      ]) {
        for (const word of allowed) {
          assert.ok(answer.body.detail.includes(word), `${word} in ${answer.body.detail}`)
          assert.ok(answer.body.errors[0].message.includes(word))
        }
      }
    })
  }

  test('of the filters', async () => {
    const tipo = (await caller.get('/lancamentos?tipo=entrada')).body.detail
    for (const word of TIPOS) assert.ok(tipo.includes(word), tipo)
    const status = (await caller.get('/lancamentos?status=quitado')).body.detail
    for (const word of [...STATUS, 'vencido']) assert.ok(status.includes(word), status)
  })
})

describe('unknown and read-only fields', () => {
  for (const field of [
    'valr',
    'Valor',
    'valor ',
    'empresa_id',
    'tenant_id',
    '0',
    '💸',
    'a.b',
    'a/b~c',
  ]) {
    test(`${field} is named, with those that are accepted`, async () => {
      const { body } = await refused(
        () => caller.post('/lancamentos', { ...aLancamento, [field]: 1 }),
        { fields: [field] },
      )
      for (const name of [...Object.keys(aLancamento), ...OPTIONAL]) {
        assert.ok(body.detail.includes(name), `${name} in ${body.detail}`)
      }
      const call = () => caller.patch(address, { valor: 1, [field]: 1 })
      await refused(call, { fields: [field] })
    })
  }

  for (const field of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    test(`${field} is a field like any other that is unknown`, async () => {
      for (const json of ['{"status":"pago"}', '"pago"', 'null', '[]']) {
        const fields = [field]
        await refused(() => caller.post('/lancamentos', withRaw(field, json)), { fields })
        await refused(() => caller.patch(address, `{"valor":1,"${field}":${json}}`), { fields })
      }
      assert.equal(({} as Record<string, unknown>).status, undefined)
    })
  }

  test('a required field cannot come from __proto__', async () => {
    const { valor, ...rest } = aLancamento
    const body = JSON.stringify(rest).replace(/}$/, `,"__proto__":{"valor":${valor}}}`)
    await refused(() => caller.post('/lancamentos', body), { fields: ['__proto__', 'valor'] })
  })

  test('a name that is no Unicode is refused too', async () => {
    const body = withRaw('valor', '1,"\\ud800":1,"\\u0000":1')
    await refused(() => caller.post('/lancamentos', body), { fields: ['\ud800', '\0'] })
  })

  for (const field of ['id', 'valor_pago', 'criado_em', 'atualizado_em']) {
    test(`${field} is not accepted in a new entry`, async () => {
      const value = field === 'valor_pago' ? 10 : stored[field]
      const call = () => caller.post('/lancamentos', { ...aLancamento, [field]: value })
      await refused(call, { fields: [field] })
    })
  }

  const others: Record<string, unknown[]> = {
    id: [UNKNOWN_ID, 'abc', 1],
    valor_pago: [0, 10, '10'],
    criado_em: ['2020-01-01T00:00:00.000Z', 'ontem', 0],
    atualizado_em: ['2020-01-01T00:00:00.000Z', 'ontem', 0],
  }
  for (const [field, values] of Object.entries(others)) {
    test(`${field} that differs from what is stored is refused in an edit`, async () => {
      for (const value of values) {
        const fields = [field]
        await refused(() => caller.patch(address, { [field]: value }), { fields })
        await refused(() => caller.patch(address, { ...stored, valor: 1, [field]: value }), {
          fields,
        })
      }
    })
  }

  test('an item that was changed meanwhile cannot be sent back whole', async () => {
    const { item } = (await caller.post('/lancamentos', aLancamento)).body
    const path = `/lancamentos/${item.id}`
    assert.equal((await caller.patch(path, { status: 'pago' })).status, 200)
    const { body } = await refused(() => caller.patch(path, { ...item, descricao: 'Outra' }))
    assert.match(body.detail, /valor_pago/)
  })
})

describe('rules between fields', () => {
  const cases: { name: string; body: object; fields: string[] }[] = [
    {
      name: 'discount above the amount',
      body: { valor: 10, desconto: 10.01 },
      fields: ['desconto'],
    },
    {
      name: 'discount above amount and interest',
      body: { valor: 0.1, juros: 0.2, desconto: 0.31, status: 'pago' },
      fields: ['desconto'],
    },
    {
      name: 'a day of payment of what is cancelled',
      body: { status: 'cancelado', data_pagamento: '2026-06-22' },
      fields: ['data_pagamento'],
    },
    {
      name: 'a day of payment of what is open',
      body: { status: 'em_aberto', data_pagamento: '2026-06-22' },
      fields: ['data_pagamento'],
    },
    {
      name: 'all of them together',
      body: {
        data_pagamento: '2026-06-22',
        valor: 1,
        desconto: 2,
        parceiro_id: UNKNOWN_ID,
        categoria_id: UNKNOWN_ID,
        conta_bancaria_id: UNKNOWN_ID,
      },
      fields: ['data_pagamento', 'desconto', 'parceiro_id', 'categoria_id', 'conta_bancaria_id'],
    },
  ]
  for (const { name, body, fields } of cases) {
    test(name, async () => {
      await refused(() => caller.post('/lancamentos', { ...aLancamento, ...body }), { fields })
      await refused(() => caller.patch(address, body), { fields })
    })
  }

  test('what is paid keeps a day of payment', async () => {
    const { item } = (await caller.post('/lancamentos', { ...aLancamento, status: 'pago' })).body
    const paid = `/lancamentos/${item.id}`
    const fields = ['data_pagamento']
    await refused(() => caller.patch(paid, { data_pagamento: null }), { fields })
    const body = { status: 'em_aberto', data_pagamento: '2026-06-30' }
    await refused(() => caller.patch(paid, body), { fields })
    await refused(() => caller.patch(paid, { ...body, status: 'cancelado' }), { fields })
  })
})

describe('several faults at once', () => {
  test('are all named', async () => {
    const body = {
      data: '2026-02-30',
      descricao: '',
      tipo: 'x',
      valor: '10',
      status: 'vencido',
      vencimento: 1,
      data_pagamento: '2026-06-22T00:00',
      juros: -1,
      desconto: 0.001,
      contraparte: 'x'.repeat(201),
      centro_custo: {},
      observacoes: '\0',
      parceiro_id: 'abc',
      categoria_id: 1,
      conta_bancaria_id: [],
      surpresa: true,
    }
    const fields = Object.keys(body)
    await refused(() => caller.post('/lancamentos', body), { fields })
    await refused(() => caller.patch(address, body), { fields })
  })

  test('what is missing is named with what is wrong', async () => {
    const fields = ['data', 'descricao', 'tipo', 'valor']
    await refused(() => caller.post('/lancamentos', {}), { fields })
    await refused(() => caller.post('/lancamentos', { x: 1, juros: '0' }), {
      fields: [...fields, 'x', 'juros'],
    })
  })

  test('of the query are all named', async () => {
    const query = 'tipo=x&status=y&data_de=hoje&data_ate=2026-02-30&limit=0&offset=-1&z=1'
    await refused(() => caller.get(`/lancamentos?${query}&centro_custo=%00`), {
      code: 'invalid-query',
      fields: [...PARAMETERS, 'z'],
    })
  })
})

describe('a body that is no object', () => {
  for (const body of ['[]', '[{}]', 'null', '"texto"', '1', 'true', '""']) {
    test(`${body} is refused`, async () => {
      await refused(() => caller.post('/lancamentos', body))
      await refused(() => caller.patch(address, body))
    })
  }

  test('an array of entries is refused', async () => {
    await refused(() => caller.post('/lancamentos', [aLancamento]))
  })

  test('an empty edit is refused', async () => {
    await refused(() => caller.patch(address, {}))
  })

  test('no body is refused, whatever its content type', async () => {
    for (const method of ['POST', 'PATCH']) {
      const path = method === 'POST' ? '/lancamentos' : address
      await refused(() => caller.call(method, path))
      for (const type of ['application/json', 'text/plain']) {
        await refused(() => caller.call(method, path, { headers: { 'content-type': type } }))
      }
    }
  })
})

describe('what is no JSON', () => {
  const valid = JSON.stringify(aLancamento)
  const bodies = {
    'cut short': valid.slice(0, -1),
    'followed by something': `${valid} x`,
    twice: valid + valid,
    'with a trailing comma': valid.replace(/}$/, ',}'),
    'with single quotes': valid.replaceAll('"', "'"),
    'with a comment': `/* */${valid}`,
    'with NaN': withRaw('valor', 'NaN'),
    'with a number of another base': withRaw('valor', '0x10'),
    'with a bare line break in a text': withRaw('descricao', '"a\nb"'),
    'only spaces': '   ',
    'a form': 'data=2026-06-22&valor=10',
  }
  for (const [name, text] of Object.entries(bodies)) {
    test(`${name} is refused`, async () => {
      await refused(() => caller.post('/lancamentos', text), { code: 'invalid-json' })
      await refused(() => caller.patch(address, text), { code: 'invalid-json' })
    })
  }

  for (const [name, bytes] of Object.entries({
    'a byte that is never used': [0xff],
    'a lone continuation': [0x80],
    'an overlong NUL': [0xc0, 0x80],
    'a surrogate': [0xed, 0xa0, 0x80],
    'Latin-1': [0xe7, 0xe3, 0x6f],
    'a text cut short': [0xf0, 0x9f, 0x92],
  })) {
    test(`bytes that are no UTF-8 are refused: ${name}`, async () => {
      const [head, tail] = withRaw('descricao', '"@"').split('@')
      const body = Buffer.concat([Buffer.from(head!), Buffer.from(bytes), Buffer.from(tail!)])
      const type = { 'content-type': 'application/json' }
      await refused(() => send('POST', '/lancamentos', body, type), { code: 'invalid-json' })
      await refused(() => send('PATCH', address, body, type), { code: 'invalid-json' })
    })
  }

  test('nesting without end is refused', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    await refused(() => caller.post('/lancamentos', deep))
    const fields = ['descricao']
    await refused(() => caller.post('/lancamentos', withRaw('descricao', deep)), { fields })
  })
})

describe('size and content type', () => {
  const MIB = 1024 * 1024
  const valid = JSON.stringify(aLancamento)

  test('a body above 1 MiB is refused', async () => {
    const tooLarge = { status: 413, code: 'payload-too-large' }
    for (const size of [MIB + 1, 2 * MIB]) {
      await refused(() => send('POST', '/lancamentos', valid.padEnd(size)), tooLarge)
      await refused(() => send('PATCH', address, '{"valor":1}'.padEnd(size)), tooLarge)
    }
  })

  test('a body of 1 MiB is read', async () => {
    assert.equal((await send('POST', '/lancamentos', valid.padEnd(MIB))).status, 201)
  })

  for (const type of [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/json-patch+json',
    'nonsense',
  ]) {
    test(`${type} is refused`, async () => {
      const headers = { 'content-type': type }
      const unsupported = { status: 415, code: 'unsupported-media-type' }
      await refused(() => send('POST', '/lancamentos', valid, headers), unsupported)
      await refused(() => send('PATCH', address, '{"valor":1}', headers), unsupported)
    })
  }

  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
    test(`${type} is read`, async () => {
      const answer = await send('POST', '/lancamentos', valid, { 'content-type': type })
      assert.equal(answer.status, 201)
    })
  }

  test('a body without a content type is read as JSON', async () => {
    assert.equal((await send('POST', '/lancamentos', valid)).status, 201)
    await refused(() => send('POST', '/lancamentos', '{'), { code: 'invalid-json' })
  })

  test('a content type without a body is no fault of GET and DELETE', async () => {
    for (const type of ['application/json', 'text/plain']) {
      const { item } = (await caller.post('/lancamentos', aLancamento)).body
      const headers = { 'content-type': type }
      for (const method of ['GET', 'DELETE']) {
        const answer = await caller.call(method, `/lancamentos/${item.id}`, { headers })
        assert.equal(answer.status, 200)
        assert.deepEqual(answer.body, { item })
      }
    }
  })

  test('DELETE ignores a body, whatever it holds', async () => {
    const bodies = { '{"valor":-1}': 'application/json', '{': 'application/json', x: 'text/plain' }
    for (const [body, type] of Object.entries(bodies)) {
      const { item } = (await caller.post('/lancamentos', aLancamento)).body
      const headers = { 'content-type': type }
      const answer = await send('DELETE', `/lancamentos/${item.id}`, body, headers)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, { item })
    }
  })
})

describe('parameters of the list', () => {
  const code = 'invalid-query'
  const cases: Record<string, string[]> = {
    limit: ['0', '1001', '-1', 'abc', '1e2', '', '%205', '5%20', '+5', '1.0', '0x10', '1,5', '९'],
    offset: ['-1', 'abc', '1e2', '', '%205', '0.5', 'null', 'Infinity', '1_000'],
    data_de: ['2026-02-30', '2026-06-22T00:00:00Z', '1899-12-31', '2200-01-01', '', 'hoje'],
    data_ate: ['2026-02-30', '2026-06-22T00:00:00Z', '1899-12-31', '2200-01-01', '', 'hoje'],
    tipo: ['Receita', 'receita%20', '', 'receita,despesa', 'x', '%zz'],
    status: ['aberto', 'PAGO', '', 'vencida', '%ff'],
    centro_custo: ['%00', '%ff', '%zz', '%', '%ed%a0%80', 'x'.repeat(201)],
  }
  for (const [name, values] of Object.entries(cases)) {
    for (const value of values) {
      test(`${name}=${value.slice(0, 40)} is refused`, async () => {
        await refused(() => caller.get(`/lancamentos?${name}=${value}`), { code, fields: [name] })
      })
    }
    test(`${name} given twice is refused`, async () => {
      const value =
        { limit: '5', offset: '0', tipo: 'receita', status: 'pago' }[name] ?? '2026-06-22'
      const query = `${name}=${value}&${name}=${value}`
      await refused(() => caller.get(`/lancamentos?${query}`), { code, fields: [name] })
    })
  }

  test('a range of dates that is reversed is refused', async () => {
    const { body } = await refused(
      () => caller.get('/lancamentos?data_de=2026-06-23&data_ate=2026-06-22'),
      { code },
    )
    assert.match(body.detail, /data_de/)
    assert.match(body.detail, /data_ate/)
    assert.match(body.errors[0].field, /^data_(de|ate)$/)
  })

  for (const name of [
    'tippo',
    'Tipo',
    'tipo[]',
    'tipo[0]',
    'page',
    'data',
    'order',
    '0',
    'constructor',
    '__proto__',
    'toString',
  ]) {
    test(`the unknown ${name} is refused, with those that are accepted`, async () => {
      for (const query of [`${name}=receita`, `${name}=receita&${name}=despesa`, name]) {
        const call = () => caller.get(`/lancamentos?${query}`)
        const { body } = await refused(call, { code, fields: [name] })
        for (const accepted of PARAMETERS) assert.ok(body.detail.includes(accepted), body.detail)
      }
    })
  }

  test('an unknown name with a broken escape is refused', async () => {
    for (const query of ['%zz=1', '%ff', '%=1']) {
      await refused(() => caller.get(`/lancamentos?${query}`), { code })
    }
  })
})

describe('addresses that take no parameter', () => {
  for (const name of ['x', 'limit', 'status', '__proto__']) {
    test(`${name} is refused and named`, async () => {
      const refusal = { code: 'invalid-query', fields: [name] }
      const query = `${name}=1`
      await refused(() => caller.post(`/lancamentos?${query}`, aLancamento), refusal)
      await refused(() => caller.get(`${address}?${query}`), refusal)
      await refused(() => caller.patch(`${address}?${query}`, { valor: 1 }), refusal)
      await refused(() => caller.delete(`${address}?${query}`), refusal)
    })
  }
})

describe('ids', () => {
  const missing = { status: 404, code: 'not-found' }
  for (const id of [
    UNKNOWN_ID,
    'abc',
    '0',
    '-1',
    'null',
    'undefined',
    '%20',
    '%00',
    '%zz',
    '%',
    '%ff',
    '%25zz',
    '💸',
    "1'%20or%20'1'='1",
    stored.id.slice(1),
    `${stored.id}0`,
    `${stored.id}%20`,
    `${stored.id}%0A`,
    `%7B${stored.id}%7D`,
    `urn:uuid:${stored.id}`,
    stored.id.replaceAll('-', ''),
    `${stored.id}%2F`,
    `..%2F${stored.id}`,
    'x'.repeat(5000),
  ]) {
    test(`${id.slice(0, 60)} belongs to nothing`, async () => {
      await refused(() => caller.get(`/lancamentos/${id}`), missing)
      await refused(() => caller.patch(`/lancamentos/${id}`, { valor: 1 }), missing)
      await refused(() => caller.delete(`/lancamentos/${id}`), missing)
    })
  }

  test('what is below an entry does not exist', async () => {
    await refused(() => caller.get(`${address}/x`), missing)
    await refused(() => caller.get(`${address}/%zz`), missing)
  })

  for (const id of [UNKNOWN_ID, 'abc', '%zz']) {
    test(`a bad body or query is told before it is told that ${id} does not exist`, async () => {
      const path = `/lancamentos/${id}`
      await refused(() => caller.patch(path, { valor: -1 }), { fields: ['valor'] })
      await refused(() => caller.patch(path, {}))
      await refused(() => caller.patch(path, '{'), { code: 'invalid-json' })
      await refused(() => send('PATCH', path, '{}', { 'content-type': 'text/plain' }), {
        status: 415,
        code: 'unsupported-media-type',
      })
      const query = { code: 'invalid-query', fields: ['x'] }
      await refused(() => caller.get(`${path}?x=1`), query)
      await refused(() => caller.delete(`${path}?x=1`), query)
    })
  }
})

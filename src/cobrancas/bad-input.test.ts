import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { aCobranca, chargesOf, createCobranca, REFUSE } from '../../test/support/cobranca.ts'
import { createLancamento, UNKNOWN_ID } from '../../test/support/lancamento.ts'
import { createParceiro } from '../../test/support/parceiro.ts'
import { type Refused, refusalsOf } from '../../test/support/refusal.ts'
import { type Caller, startService } from '../../test/support/service.ts'

const service = await startService()
const caller = await service.caller()
const stored = await createCobranca(caller, { parceiro_id: (await createParceiro(caller)).id })
const FIELDS = ['valor', 'vencimento', 'forma', 'descricao', 'parceiro_id', 'lancamento_id']

afterEach(() => {
  service.clock.now = Date.now
})

/** Holds that calls are refused, and that nothing was written down nor issued. */
function refusalsWithoutCharge(caller: Caller): Refused {
  const refused = refusalsOf(service, caller, '/cobrancas')
  return async (call, refusal) => {
    const before = await chargesOf(service, caller)
    const answer = await refused(call, refusal)
    assert.deepEqual(await chargesOf(service, caller), before)
    return answer
  }
}

const refused = refusalsWithoutCharge(caller)

/** A valid body as JSON text, with one field written as it is given. */
function withRaw(field: string, json: string): string {
  const { [field]: _, ...rest } = aCobranca as Record<string, unknown>
  return JSON.stringify(rest).replace(/}$/, `,${JSON.stringify(field)}:${json}}`)
}

describe('a field is refused', () => {
  const references = [
    '"abc"',
    '""',
    `"${UNKNOWN_ID}"`,
    `"${stored.id}"`,
    `"{${UNKNOWN_ID}}"`,
    '0',
    '{}',
    `["${UNKNOWN_ID}"]`,
  ]
  const cases: Record<string, string[]> = {
    valor: [
      '0',
      '-0',
      '-0.01',
      '-10',
      '0.001',
      '1.005',
      '10000000000',
      '9999999999.991',
      '1e400',
      '"10"',
      '"10,00"',
      '""',
      'true',
      '[10]',
      '{}',
    ],
    vencimento: [
      '"2000-01-31"',
      '"2099-02-29"',
      '"2100-02-29"',
      '"2099-04-31"',
      '"2099-13-01"',
      '"2200-01-01"',
      '"2099-01-31T00:00:00Z"',
      '"31/01/2099"',
      '"2099-1-31"',
      '"hoje"',
      '""',
      '20990131',
      'true',
      '[]',
    ],
    forma: ['"pix"', '"Boleto"', '"PIX "', '"TRANSFER"', '""', '0', '["PIX"]', '{}'],
    descricao: ['""', '"\\u0000"', '"\\ud800"', JSON.stringify('x'.repeat(501)), '1', '["x"]'],
    parceiro_id: references,
    lancamento_id: references,
  }
  for (const [field, values] of Object.entries(cases)) {
    describe(field, () => {
      for (const json of values) {
        const shown = json.length > 40 ? `a text of ${json.length - 2}` : json
        test(shown, async () => {
          const body = withRaw(field, json)
          await refused(() => caller.post('/cobrancas', body), { fields: [field] })
        })
      }
    })
  }

  for (const field of Object.keys(aCobranca)) {
    test(`${field} left out or null`, async () => {
      const { [field]: _, ...rest } = aCobranca as Record<string, unknown>
      const fields = [field]
      await refused(() => caller.post('/cobrancas', rest), { fields })
      await refused(() => caller.post('/cobrancas', { ...rest, [field]: null }), { fields })
    })
  }

  test('forma, telling which there are', async () => {
    const { body } = await caller.post('/cobrancas', { ...aCobranca, forma: 'CARNE' })
    for (const forma of ['UNDEFINED', 'BOLETO', 'PIX', 'CREDIT_CARD']) {
      assert.ok(body.errors[0].message.includes(forma), body.errors[0].message)
    }
  })

  for (const field of ['valr', 'Valor', 'status', 'id', 'provedor', 'empresa_id', '__proto__']) {
    test(`${field}, which is not known, telling which are`, async () => {
      const body = withRaw(field, '"pendente"')
      const answer = await refused(() => caller.post('/cobrancas', body), { fields: [field] })
      for (const name of FIELDS) assert.ok(answer.body.detail.includes(name), name)
    })
  }
})

describe('due before today, on the company’s own day', () => {
  const due = (vencimento: string) => ({ ...aCobranca, vencimento })
  const fields = ['vencimento']

  test('just before and just after midnight in Sao Paulo', async () => {
    service.clock.now = () => Date.parse('2026-07-01T02:59:59.999Z')
    await refused(() => caller.post('/cobrancas', due('2026-06-29')), { fields })
    service.clock.now = () => Date.parse('2026-07-01T03:00:00Z')
    await refused(() => caller.post('/cobrancas', due('2026-06-30')), { fields })
  })

  test('where the day begins earlier', async () => {
    const kiritimati = await service.caller({ fusoHorario: 'Pacific/Kiritimati' })
    const refused = refusalsWithoutCharge(kiritimati)
    service.clock.now = () => Date.parse('2026-06-30T10:00:00Z')
    await refused(() => kiritimati.post('/cobrancas', due('2026-06-30')), { fields })
  })
})

describe('a reference is refused', () => {
  test('to a partner or an entry of another company', async () => {
    const other = await service.caller()
    const [parceiro, lancamento] = [await createParceiro(other), await createLancamento(other)]
    const body = { ...aCobranca, parceiro_id: parceiro.id, lancamento_id: lancamento.id }
    const fields = ['parceiro_id', 'lancamento_id']
    await refused(() => caller.post('/cobrancas', body), { fields })
  })

  const entries = {
    'an expense': { tipo: 'despesa' },
    'a transfer': { tipo: 'transferencia' },
    'paid revenue': { status: 'pago' },
    'cancelled revenue': { status: 'cancelado' },
  }
  for (const [name, fields] of Object.entries(entries)) {
    test(`to ${name}`, async () => {
      const { id: lancamento_id } = await createLancamento(caller, fields)
      const body = { ...aCobranca, lancamento_id }
      await refused(() => caller.post('/cobrancas', body), { fields: ['lancamento_id'] })
    })
  }
})

describe('several faults at once', () => {
  test('are all named', async () => {
    const body = {
      valor: '10',
      vencimento: '2099-02-30',
      forma: 'x',
      descricao: '',
      parceiro_id: 'abc',
      lancamento_id: 1,
      surpresa: true,
    }
    await refused(() => caller.post('/cobrancas', body), { fields: Object.keys(body) })
    await refused(() => caller.post('/cobrancas', {}), { fields: ['valor', 'vencimento'] })
  })

  test('also those that only the company’s records and day tell', async () => {
    const body = {
      valor: 10,
      vencimento: '2020-01-31',
      parceiro_id: UNKNOWN_ID,
      lancamento_id: UNKNOWN_ID,
    }
    const fields = ['vencimento', 'parceiro_id', 'lancamento_id']
    await refused(() => caller.post('/cobrancas', body), { fields })
  })
})

describe('a body is refused', () => {
  for (const body of ['[]', 'null', '1', '""', JSON.stringify([aCobranca])]) {
    test(`that is no object: ${body}`, async () => {
      await refused(() => caller.post('/cobrancas', body))
    })
  }

  test('that is not there', async () => {
    await refused(() => caller.post('/cobrancas'))
  })

  test('that is no JSON', async () => {
    await refused(() => caller.post('/cobrancas', '{"valor":'), { code: 'invalid-json' })
  })

  test('what the provider is told to do is not reached', async () => {
    const body = { ...aCobranca, valor: 0, descricao: REFUSE }
    await refused(() => caller.post('/cobrancas', body), { fields: ['valor'] })
  })
})

describe('a query is refused', () => {
  const queries = {
    'status=PAGA': ['status'],
    'status=': ['status'],
    'status=pago': ['status'],
    'parceiro_id=abc': ['parceiro_id'],
    'parceiro_id=': ['parceiro_id'],
    'limit=0': ['limit'],
    'limit=1001': ['limit'],
    'offset=-1': ['offset'],
    'parceiro=x&forma=PIX': ['parceiro', 'forma'],
    'status=x&parceiro_id=y&limit=z&offset=w': ['status', 'parceiro_id', 'limit', 'offset'],
  }
  for (const [query, fields] of Object.entries(queries)) {
    test(query, async () => {
      await refused(() => caller.get(`/cobrancas?${query}`), { code: 'invalid-query', fields })
    })
  }

  test('of a POST and of one charge: they take none', async () => {
    const refusal = { code: 'invalid-query', fields: ['status'] }
    await refused(() => caller.post('/cobrancas?status=paga', aCobranca), refusal)
    await refused(() => caller.get(`/cobrancas/${stored.id}?status=paga`), refusal)
  })
})

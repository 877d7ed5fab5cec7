import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startAsaas } from '../../test/support/asaas.ts'
import { whenDone } from '../../test/support/cleanup.ts'
import { Asaas } from './asaas.ts'
import {
  type Account,
  type ChargeRequest,
  FORMAS,
  type Forma,
  ProviderRefused,
  ProviderUnavailable,
} from './provider.ts'

const DUE = '2026-09-10'
const clock = () => Date.parse('2026-09-01T12:00:00Z')

const request: ChargeRequest = {
  reference: '0199d2f0-0000-7000-8000-000000000001',
  valor: 2990n,
  vencimento: DUE,
  forma: 'UNDEFINED',
  descricao: 'Mensalidade de setembro',
  payer: {
    nome: 'Ana Souza',
    documento: '52998224725',
    email: 'ana@exemplo.com.br',
    telefone: '+55 11 91234-5678',
  },
}
const payer = request.payer!

async function start(options: ConstructorParameters<typeof Asaas>[0] = {}) {
  const api = await startAsaas({ clock })
  const provider = new Asaas(options)
  whenDone(() => provider.close())
  const account: Account = { tenantId: 't', id: 'a', baseUrl: api.url, apiKey: api.apiKey }
  const asked = () => api.requests.map(({ method, path }) => `${method} ${path}`)
  const bodies = (path: string) =>
    api.requests.filter((asked) => asked.method === 'POST' && asked.path === path)
  /** Answered to the next such request. */
  const answer = (on: string, body: unknown, status = 200) =>
    void api.faults.push({ on, kind: 'reply', status, body })
  return { api, provider, account, asked, bodies, answer }
}

async function issued(...args: Parameters<typeof start>) {
  const started = await start(...args)
  const charge = await started.provider.issue(started.account, request)
  started.api.requests.splice(0)
  return { ...started, id: charge.id, charge, payment: started.api.payments.get(charge.id)! }
}

/** Holds the error's class, and that neither it nor what it came from tells the key. */
async function fails(
  call: Promise<unknown>,
  kind: typeof ProviderRefused | typeof ProviderUnavailable,
  { says = /./, key }: { says?: RegExp; key?: string } = {},
): Promise<void> {
  await assert.rejects(call, (error: Error) => {
    assert.equal(error.constructor, kind, `${error.stack}`)
    assert.match(error.message, says)
    assert.equal(error.cause, undefined)
    if (key) assert.ok(!`${error.stack} ${JSON.stringify(error)}`.includes(key))
    return true
  })
}

describe('check', () => {
  test('an account whose key is accepted passes', async () => {
    const { api, provider, account } = await start()
    await provider.check(account)
    const [{ method, path, query, headers }] = api.requests as [(typeof api.requests)[0]]
    assert.deepEqual(
      { method, path, query },
      { method: 'GET', path: '/customers', query: { limit: '1' } },
    )
    assert.equal(headers['user-agent'], 'Lastro')
  })

  test('a base address may end in a slash', async () => {
    const { api, provider, account, asked } = await start()
    await provider.check({ ...account, baseUrl: `${api.url}/` })
    assert.deepEqual(asked(), ['GET /customers'])
  })

  test('a key that is not accepted is refused', async () => {
    const { provider, account } = await start()
    const apiKey = '$aact_hmlg_wrong'
    await fails(provider.check({ ...account, apiKey }), ProviderRefused, {
      says: /não aceitou a chave/,
      key: apiKey,
    })
  })

  test('so is a key that may not do this', async () => {
    const { provider, account, answer } = await start()
    answer('GET /customers', { errors: [{ description: account.apiKey }] }, 403)
    await fails(provider.check(account), ProviderRefused, {
      says: /não aceitou a chave/,
      key: account.apiKey!,
    })
  })

  for (const apiKey of [null, '', 'with space', 'line\r\nbreak', 'chave-é']) {
    test(`the key ${JSON.stringify(apiKey)} is refused without asking`, async () => {
      const { provider, account, asked } = await start()
      await fails(provider.check({ ...account, apiKey }), ProviderRefused, { says: /a chave/ })
      assert.deepEqual(asked(), [])
    })
  }

  test('an address that is none is unavailable', async () => {
    const { provider, account } = await start()
    await fails(provider.check({ ...account, baseUrl: 'nowhere' }), ProviderUnavailable)
  })
})

describe('issue', () => {
  const codes: Record<Forma, string[]> = {
    UNDEFINED: ['identificationField', 'pixQrCode'],
    BOLETO: ['identificationField'],
    PIX: ['pixQrCode'],
    CREDIT_CARD: [],
  }
  for (const forma of FORMAS) {
    test(`a charge by ${forma}, and its codes`, async () => {
      const { api, provider, account, asked, bodies } = await start()
      const charge = await provider.issue(account, { ...request, forma })
      const [customer] = [...api.customers.keys()]
      const { id } = charge
      assert.deepEqual([...api.payments.keys()], [id])
      assert.deepEqual(asked(), [
        'GET /customers',
        'POST /customers',
        'POST /payments',
        ...codes[forma].map((code) => `GET /payments/${id}/${code}`),
      ])
      assert.deepEqual(api.requests[0]!.query, { cpfCnpj: '52998224725' })
      assert.deepEqual(bodies('/customers')[0]!.body, {
        name: 'Ana Souza',
        cpfCnpj: '52998224725',
        email: 'ana@exemplo.com.br',
        mobilePhone: '11912345678',
        notificationDisabled: true,
      })
      assert.deepEqual(bodies('/payments')[0]!.body, {
        customer,
        billingType: forma,
        value: 29.9,
        dueDate: DUE,
        description: 'Mensalidade de setembro',
        externalReference: request.reference,
      })
      const boleto = codes[forma].includes('identificationField')
      const digits = BigInt(`0x${id.slice(4)}`).toString()
      assert.deepEqual(charge, {
        id,
        status: 'pendente',
        invoiceUrl: `https://asaas.test/i/${id}`,
        bankSlipUrl: boleto ? `https://asaas.test/b/${id}` : null,
        linhaDigitavel: boleto ? digits.padStart(47, '0') : null,
        codigoBarras: boleto ? digits.padStart(44, '0') : null,
        pixCopiaECola: codes[forma].includes('pixQrCode') ? `pix-copia-e-cola-${id}` : null,
        pagoEm: null,
        valorPago: null,
      })
    })
  }

  test('every request has the key, a name, and a body only where it is a POST', async () => {
    const { api, provider, account } = await start()
    await provider.issue(account, request)
    for (const { method, headers, body } of api.requests) {
      assert.equal(headers.access_token, api.apiKey)
      assert.equal(headers['user-agent'], 'Lastro')
      assert.equal(headers['content-type'], method === 'POST' ? 'application/json' : undefined)
      assert.equal(body !== undefined, method === 'POST')
    }
  })

  for (const [valor, value] of [
    [500n, 5],
    [501n, 5.01],
    [1_007n, 10.07],
    [123_456_789_012_345n, 1234567890123.45],
  ] as const) {
    test(`${valor} centavos are R$ ${value}`, async () => {
      const { provider, account, bodies } = await start()
      await provider.issue(account, { ...request, valor })
      assert.equal(bodies('/payments')[0]!.body.value, value)
    })
  }

  test('what is not known is not sent', async () => {
    const { provider, account, bodies } = await start()
    const bare = { ...payer, email: null, telefone: null }
    await provider.issue(account, { ...request, descricao: null, payer: bare })
    assert.deepEqual(Object.keys(bodies('/customers')[0]!.body), [
      'name',
      'cpfCnpj',
      'notificationDisabled',
    ])
    assert.ok(!('description' in bodies('/payments')[0]!.body))
  })

  for (const [telefone, mobilePhone] of [
    ['(11) 3123-4567', '1131234567'],
    ['5511912345678', '11912345678'],
    ['55912345678', '55912345678'],
    ['ramal 12', undefined],
    ['+1 202 555 0100 99', undefined],
  ] as const) {
    test(`the phone ${telefone} is sent as ${mobilePhone}`, async () => {
      const { provider, account, bodies } = await start()
      await provider.issue(account, { ...request, payer: { ...payer, telefone } })
      assert.equal(bodies('/customers')[0]!.body.mobilePhone, mobilePhone)
    })
  }

  test('a payer that is known is not created again', async () => {
    const { api, provider, account, bodies } = await start()
    await provider.issue(account, request)
    await provider.issue(account, { ...request, reference: 'other' })
    const [customer, ...others] = [...api.customers.keys()]
    assert.deepEqual(others, [])
    assert.deepEqual(
      bodies('/payments').map(({ body }) => body.customer),
      [customer, customer],
    )
  })

  test('one that was deleted there is', async () => {
    const { api, provider, account } = await start()
    await provider.issue(account, request)
    const [old] = [...api.customers.values()]
    old!.deleted = true
    const { id } = await provider.issue(account, { ...request, reference: 'other' })
    assert.equal(api.customers.size, 2)
    assert.notEqual(api.payments.get(id)!.customer, old!.id)
  })

  test('one that is listed without having been asked for is not charged', async () => {
    const { api, provider, account, answer } = await start()
    api.customers.set('cus_1', { id: 'cus_1', name: 'B', cpfCnpj: '11144477735', deleted: false })
    answer('GET /customers', { object: 'list', data: [...api.customers.values()] })
    const { id } = await provider.issue(account, request)
    assert.notEqual(api.payments.get(id)!.customer, 'cus_1')
  })

  test('a document is known whether or not it is punctuated there', async () => {
    const { api, provider, account, answer } = await start()
    const customer = { id: 'cus_1', name: 'A', cpfCnpj: '529.982.247-25', deleted: false }
    api.customers.set('cus_1', customer)
    answer('GET /customers', { object: 'list', data: [customer] })
    const { id } = await provider.issue(account, request)
    assert.equal(api.payments.get(id)!.customer, 'cus_1')
  })

  for (const nobody of [null, { ...payer, documento: null }]) {
    test(`${nobody ? 'a payer without document' : 'no payer'} is refused without asking`, async () => {
      const { provider, account, asked } = await start()
      const call = provider.issue(account, { ...request, payer: nobody })
      await fails(call, ProviderRefused, { says: /CPF ou CNPJ/ })
      assert.deepEqual(asked(), [])
    })
  }

  test('an account without a PIX key has no PIX to show, but the boleto', async () => {
    const { api, provider, account } = await start()
    api.pixKey = false
    const charge = await provider.issue(account, request)
    assert.equal(charge.pixCopiaECola, null)
    assert.equal(charge.linhaDigitavel?.length, 47)
  })

  for (const status of [400, 401, 403, 404]) {
    test(`codes that are answered ${status} are none: the charge was issued`, async () => {
      const { provider, account, answer } = await start()
      answer('GET /payments/*/identificationField', { errors: [] }, status)
      answer('GET /payments/*/pixQrCode', { errors: [] }, status)
      const { linhaDigitavel, codigoBarras, pixCopiaECola } = await provider.issue(account, request)
      assert.deepEqual([linhaDigitavel, codigoBarras, pixCopiaECola], [null, null, null])
    })
  }

  for (const [name, change, says] of [
    ['too little', { valor: 499n }, /ao menos R\$ 5,00/],
    ['a due date in the past', { vencimento: '2026-08-31' }, /anterior a hoje/],
  ] as const) {
    test(`${name} is refused in their words`, async () => {
      const { api, provider, account } = await start()
      await fails(provider.issue(account, { ...request, ...change }), ProviderRefused, { says })
      assert.equal(api.payments.size, 0)
    })
  }
})

describe('what fails', () => {
  const KINDS = {
    'timeout-before': 0,
    'timeout-after': 1,
    '500-before': 0,
    '500-after': 1,
    'reset-before': 0,
    'reset-after': 1,
    garbage: 1,
    endless: 1,
    '429': 0,
  } as const
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[]

  for (const kind of kinds) {
    test(`${kind} of a charge is unavailable, and its reference tells whether it is there`, async () => {
      const { api, provider, account } = await start({ timeoutMs: 500 })
      api.faults.push({ on: 'POST /payments', kind })
      await fails(provider.issue(account, request), ProviderUnavailable, {
        says: /POST \/payments/,
        key: api.apiKey,
      })
      assert.equal(api.payments.size, KINDS[kind])
      const found = await provider.find(account, request.reference)
      assert.equal(found?.id, [...api.payments.keys()][0])
    })
  }

  for (const on of ['GET /customers', 'POST /customers']) {
    test(`where ${on} fails, nothing is charged`, async () => {
      const { api, provider, account } = await start()
      for (const kind of ['500-after', 'reset-before', 'garbage', '429'] as const) {
        api.faults.push({ on, kind })
        await fails(provider.issue(account, request), ProviderUnavailable, { key: api.apiKey })
        api.customers.clear()
      }
      assert.equal(api.payments.size, 0)
    })
  }

  for (const kind of ['500-before', 'reset-before', 'garbage', '429', 'endless'] as const) {
    test(`${kind} of any other request is unavailable`, async () => {
      const { api, provider, account, id } = await issued()
      const calls = {
        'GET /customers': () => provider.check(account),
        'GET /payments': () => provider.find(account, request.reference),
        'GET /payments/*': () => provider.read(account, id),
        'GET /payments/*/identificationField': () => provider.read(account, id),
        'GET /payments/*/pixQrCode': () => provider.find(account, request.reference),
        'DELETE /payments/*': () => provider.cancel(account, id),
      }
      for (const [on, call] of Object.entries(calls)) {
        api.faults.push({ on, kind })
        await fails(call(), ProviderUnavailable, { key: api.apiKey })
        assert.deepEqual(api.faults, [], on)
      }
    })
  }

  test('a redirection is not followed', async () => {
    const { api, provider, account, asked } = await start()
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { location: `${api.url}/customers?limit=2` }
      api.faults.push({ on: 'GET /customers', kind: 'reply', status, headers, body: {} })
      await fails(provider.check(account), ProviderUnavailable, { says: new RegExp(`${status}`) })
    }
    assert.equal(asked().length, 5)
  })

  test('all requests of a call share a deadline', async () => {
    const { api, provider, account } = await start({ timeoutMs: 60_000, deadlineMs: 500 })
    api.faults.push({ on: 'GET /customers', kind: 'timeout-before' })
    await fails(provider.check(account), ProviderUnavailable, { says: /TimeoutError/ })
  })

  test('nobody there is unavailable', async () => {
    const { provider, account } = await start()
    const call = provider.check({ ...account, baseUrl: 'http://127.0.0.1:1' })
    await fails(call, ProviderUnavailable, { says: /ECONNREFUSED/, key: account.apiKey! })
  })

  test("a payer's document is in no message", async () => {
    const { api, provider, account } = await start()
    api.faults.push({ on: 'GET /customers', kind: '500-before' })
    await fails(provider.issue(account, request), ProviderUnavailable, { key: payer.documento! })
  })
})

describe('a refusal', () => {
  const refuse = async (body: unknown, says: RegExp, status = 400) => {
    const { provider, account, answer } = await start()
    answer('POST /payments', body, status)
    await fails(provider.issue(account, request), ProviderRefused, { says, key: account.apiKey! })
  }

  test('has every description', () =>
    refuse(
      {
        errors: [
          { code: 'a', description: 'Um.' },
          { code: 'b', description: 'Dois.' },
        ],
      },
      /^Um\.; Dois\.$/,
    ))

  for (const body of [
    {},
    [],
    null,
    'não',
    { errors: {} },
    { errors: [] },
    { errors: [null, 1, { code: 'a' }, { description: 7 }, { description: '' }] },
  ]) {
    test(`that says ${JSON.stringify(body)} has a sentence of ours`, () =>
      refuse(body, /^O Asaas recusou/))
  }

  for (const status of [400, 402, 404, 409, 422]) {
    test(`may be a ${status}`, () =>
      refuse({ errors: [{ description: 'Não.' }] }, /^Não\.$/, status))
  }

  test('is cut, and can be kept', () =>
    refuse({ errors: [{ description: `\0${'😀'.repeat(400)}` }] }, /^\uFFFD[^\0]{499}$/))

  test('does not repeat the key', async () => {
    const { provider, account, answer } = await start()
    answer('GET /customers', { errors: [{ description: `Chave ${account.apiKey}!` }] }, 400)
    await fails(provider.check(account), ProviderRefused, {
      says: /^Chave …!$/,
      key: account.apiKey!,
    })
  })
})

describe('find', () => {
  test('a charge by its reference, codes included', async () => {
    const { api, provider, account, charge } = await issued()
    await provider.issue(account, { ...request, reference: 'other' })
    api.requests.splice(0)
    assert.deepEqual(await provider.find(account, request.reference), charge)
    assert.deepEqual(api.requests[0]!.query, { externalReference: request.reference })
  })

  test('none', async () => {
    const { provider, account, asked } = await start()
    assert.equal(await provider.find(account, request.reference), undefined)
    assert.deepEqual(asked(), ['GET /payments'])
  })

  test('a reference is sent as it is', async () => {
    const { api, provider, account } = await start()
    await provider.find(account, 'a b&c=d/é?')
    assert.deepEqual(api.requests[0]!.query, { externalReference: 'a b&c=d/é?' })
  })

  test("not another's, where the filter is ignored", async () => {
    const { provider, account, payment, answer } = await issued()
    const reference = 'other'
    for (const externalReference of [request.reference, null, undefined, 'OTHER', 'other ']) {
      answer('GET /payments', { hasMore: false, data: [{ ...payment, externalReference }] })
      assert.equal(await provider.find(account, reference), undefined)
    }
    answer('GET /payments', {
      hasMore: true,
      data: [
        payment,
        { ...payment, id: 'pay_2', externalReference: reference, status: 'RECEIVED' },
      ],
    })
    assert.equal((await provider.find(account, reference))?.id, 'pay_2')
  })

  test('a list that goes on has not said that there is none', async () => {
    const { provider, account, payment, answer } = await issued()
    answer('GET /payments', { hasMore: true, data: [payment] })
    await fails(provider.find(account, 'other'), ProviderUnavailable, { says: /hasMore/ })
    answer('GET /payments', { hasMore: true, data: [{ ...payment, deleted: true }] })
    await fails(provider.find(account, request.reference), ProviderUnavailable)
  })

  test('the living one before one that was deleted', async () => {
    const { api, provider, account, id } = await issued()
    const other = await provider.issue(account, request)
    assert.equal((await provider.find(account, request.reference))?.id, id)
    api.payments.get(id)!.deleted = true
    assert.equal((await provider.find(account, request.reference))?.id, other.id)
    api.payments.get(other.id)!.deleted = true
    const found = await provider.find(account, request.reference)
    assert.deepEqual([found?.id, found?.status], [id, 'cancelada'])
  })
})

describe('read', () => {
  test('a charge as it was issued', async () => {
    const { provider, account, id, charge } = await issued()
    assert.deepEqual(await provider.read(account, id), charge)
  })

  test('all codes there are, where the form is not told', async () => {
    const { provider, account, id, charge, payment, answer } = await issued()
    answer('GET /payments/*', { ...payment, billingType: undefined })
    assert.deepEqual(await provider.read(account, id), charge)
  })

  test('what was paid, without its codes', async () => {
    const { api, provider, account, id, charge, asked } = await issued()
    api.pay(id, { date: '2026-09-09', value: 31.05 })
    const paid = {
      ...charge,
      status: 'paga',
      linhaDigitavel: null,
      codigoBarras: null,
      pixCopiaECola: null,
      pagoEm: '2026-09-09',
      valorPago: 3105n,
    }
    assert.deepEqual(await provider.read(account, id), paid)
    api.refund(id)
    assert.deepEqual(await provider.read(account, id), { ...paid, status: 'estornada' })
    assert.deepEqual(asked(), [`GET /payments/${id}`, `GET /payments/${id}`])
  })

  test('what was deleted, and restored', async () => {
    const { api, provider, account, id, charge, payment } = await issued()
    payment.deleted = true
    assert.equal((await provider.read(account, id)).status, 'cancelada')
    api.restore(id)
    assert.deepEqual(await provider.read(account, id), charge)
  })

  test('what they do not know is refused', async () => {
    const { provider, account } = await start()
    await fails(provider.read(account, 'pay_none'), ProviderRefused, { says: /não encontrado/ })
  })

  test('an id is one segment of the path', async () => {
    const { provider, account, asked } = await start()
    await fails(provider.read(account, 'a/b?c'), ProviderRefused)
    assert.deepEqual(asked(), ['GET /payments/a%2Fb%3Fc'])
  })

  const STATUS = {
    paga: [
      'RECEIVED',
      'CONFIRMED',
      'RECEIVED_IN_CASH',
      'DUNNING_RECEIVED',
      'REFUND_REQUESTED',
      'REFUND_IN_PROGRESS',
      'CHARGEBACK_REQUESTED',
      'CHARGEBACK_DISPUTE',
      'CHARGEBACK_LATER_ADDED',
      'AWAITING_CHARGEBACK_REVERSAL',
    ],
    estornada: ['REFUNDED'],
    pendente: ['PENDING', 'OVERDUE', 'DUNNING_REQUESTED', 'AWAITING_RISK_ANALYSIS', 'AUTHORIZED'],
  }
  test('each status of theirs is one of ours', async () => {
    const { provider, account, id, payment } = await issued()
    for (const [ours, theirs] of Object.entries(STATUS)) {
      for (const status of theirs) {
        Object.assign(payment, { status, deleted: false })
        const charge = await provider.read(account, id)
        assert.equal(charge.status, ours, status)
        assert.equal(charge.valorPago, ours === 'pendente' ? null : 2990n, status)
        assert.equal(charge.pagoEm, null, status)
        assert.equal(charge.pixCopiaECola !== null, ours === 'pendente', status)
        payment.deleted = true
        const deleted = await provider.read(account, id)
        assert.deepEqual([deleted.status, deleted.valorPago], ['cancelada', null], status)
      }
    }
  })

  test('one that is new to us is named', async () => {
    const { provider, account, id, payment } = await issued()
    payment.status = 'PARTIALLY_RECEIVED'
    await fails(provider.read(account, id), ProviderUnavailable, { says: /PARTIALLY_RECEIVED/ })
  })

  for (const [day, dates] of [
    ['2026-09-03', { paymentDate: '2026-09-03', clientPaymentDate: '2026-09-02' }],
    ['2026-09-02', { clientPaymentDate: '2026-09-02', confirmedDate: '2026-09-01' }],
    ['2026-09-01', { confirmedDate: '2026-09-01' }],
    ['2026-09-04', { paymentDate: '2026-09-04 10:11:12' }],
    ['2026-09-05', { paymentDate: '2026-09-05T10:11:12-03:00' }],
    [null, { paymentDate: undefined, clientPaymentDate: undefined, confirmedDate: undefined }],
  ] as const) {
    test(`of ${JSON.stringify(dates)} the day of payment is ${day}`, async () => {
      const { provider, account, id, payment } = await issued()
      Object.assign(payment, { status: 'CONFIRMED' }, dates)
      assert.equal((await provider.read(account, id)).pagoEm, day)
    })
  }
})

describe('cancel', () => {
  test('a charge', async () => {
    const { provider, account, id, payment, asked } = await issued()
    assert.deepEqual(await provider.cancel(account, id), {
      id,
      status: 'cancelada',
      invoiceUrl: null,
      bankSlipUrl: null,
      linhaDigitavel: null,
      codigoBarras: null,
      pixCopiaECola: null,
      pagoEm: null,
      valorPago: null,
    })
    assert.equal(payment.deleted, true)
    assert.deepEqual(asked(), [`DELETE /payments/${id}`])
  })

  for (const kind of ['500-after', 'reset-after', 'garbage'] as const) {
    test(`again, after ${kind}`, async () => {
      const { api, provider, account, id } = await issued()
      api.faults.push({ on: 'DELETE /payments/*', kind })
      await fails(provider.cancel(account, id), ProviderUnavailable)
      assert.equal((await provider.cancel(account, id)).status, 'cancelada')
    })
  }

  test('what is paid is refused in their words', async () => {
    const { api, provider, account, id } = await issued()
    api.pay(id)
    await fails(provider.cancel(account, id), ProviderRefused, { says: /não pode ser removida/ })
  })

  test('what they do not know is refused', async () => {
    const { provider, account } = await start()
    await fails(provider.cancel(account, 'pay_none'), ProviderRefused)
  })

  test('what is not said to be deleted may not be', async () => {
    const { provider, account, id, answer } = await issued()
    for (const reply of [{}, { id }, { deleted: true }, { deleted: true, id: 'pay_2' }, []]) {
      answer('DELETE /payments/*', reply)
      await fails(provider.cancel(account, id), ProviderUnavailable)
    }
  })
})

describe('an odd reply is unavailable', () => {
  const odd: Record<string, unknown>[] = [
    ...[undefined, null, '', 7, {}, 'pay_2', '\0'].map((id) => ({ id })),
    ...[undefined, null, '', 1, [], '$KEY', 'constructor'].map((status) => ({ status })),
    ...[undefined, null, '29.90', -1, 1e300, {}].map((value) => ({ value })),
    ...['true', 1, {}].map((deleted) => ({ deleted })),
    ...[1, {}, ['https://asaas.test']].map((invoiceUrl) => ({ invoiceUrl })),
    ...[1, {}].map((bankSlipUrl) => ({ bankSlipUrl })),
    { billingType: 3 },
    ...[1, {}, 'hoje', '2026-02-30', '09/10/2026'].map((paymentDate) => ({
      status: 'RECEIVED',
      paymentDate,
    })),
  ]
  for (const fields of odd) {
    test(`a charge with ${JSON.stringify(fields)} ${Object.keys(fields)}`, async () => {
      const { provider, account, id, payment, answer } = await issued()
      answer('GET /payments/*', { ...payment, ...fields })
      const says = new RegExp(`${Object.keys(fields).at(-1)}$`)
      await fails(provider.read(account, id), ProviderUnavailable, { says })
    })
  }

  for (const body of [null, [], 'pay', 7, true]) {
    test(`${JSON.stringify(body)} anywhere`, async () => {
      const { provider, account, id, answer } = await issued()
      const calls = {
        'GET /customers': () => provider.check(account),
        'POST /payments': () => provider.issue(account, request),
        'GET /payments': () => provider.find(account, request.reference),
        'GET /payments/*': () => provider.read(account, id),
        'GET /payments/*/pixQrCode': () => provider.read(account, id),
        'DELETE /payments/*': () => provider.cancel(account, id),
      }
      for (const [on, call] of Object.entries(calls)) {
        answer(on, body)
        await fails(call(), ProviderUnavailable, { says: /body/ })
      }
    })
  }

  for (const data of [undefined, null, {}, 'data', [null], [[]], ['pay']]) {
    test(`a list of ${JSON.stringify(data)}`, async () => {
      const { provider, account, answer } = await start()
      const calls = [
        ['GET /customers', () => provider.check(account)],
        ['GET /customers', () => provider.issue(account, request)],
        ['GET /payments', () => provider.find(account, request.reference)],
      ] as const
      for (const [on, call] of calls) {
        answer(on, { object: 'list', data })
        await fails(call(), ProviderUnavailable)
      }
    })
  }

  test('a customer without an id', async () => {
    const { api, provider, account, answer } = await start()
    answer('POST /customers', { object: 'customer' })
    await fails(provider.issue(account, request), ProviderUnavailable, { says: /id$/ })
    answer('GET /customers', { data: [{ cpfCnpj: payer.documento }] })
    await fails(provider.issue(account, request), ProviderUnavailable, { says: /id$/ })
    assert.equal(api.payments.size, 0)
  })

  test('codes that are no text; where they are missing, there are none', async () => {
    const { provider, account, id, answer } = await issued()
    answer('GET /payments/*/identificationField', { identificationField: 1 })
    await fails(provider.read(account, id), ProviderUnavailable, { says: /identificationField$/ })
    answer('GET /payments/*/pixQrCode', { payload: {} })
    await fails(provider.read(account, id), ProviderUnavailable, { says: /payload$/ })
    answer('GET /payments/*/identificationField', {})
    answer('GET /payments/*/pixQrCode', { payload: null })
    const { linhaDigitavel, codigoBarras, pixCopiaECola } = await provider.read(account, id)
    assert.deepEqual([linhaDigitavel, codigoBarras, pixCopiaECola], [null, null, null])
  })
})

describe('readNotice', () => {
  const provider = new Asaas()
  const headers = { 'asaas-access-token': 'token' }

  test('what a webhook carries', async () => {
    const { api, id } = await issued()
    const body = api.notice(id, 'PAYMENT_RECEIVED')
    assert.deepEqual(provider.readNotice(headers, body), {
      token: 'token',
      id: body.id,
      chargeId: id,
    })
  })

  test('one that is not about a charge', () => {
    for (const payment of [undefined, null, 7, 'pay_1', [], {}, { id: 7 }, { id: null }]) {
      const notice = provider.readNotice(headers, {
        id: 'evt_1',
        event: 'NEW_ONE',
        new: [1],
        payment,
      })
      assert.deepEqual(notice, { token: 'token', id: 'evt_1', chargeId: null })
    }
  })

  test('none without token', () => {
    for (const other of [{}, { 'asaas-access-token': '' }, { 'asaas-access-token': ['a', 'b'] }]) {
      assert.equal(provider.readNotice(other, { id: 'evt_1' }), undefined)
    }
  })

  test('none without id', () => {
    for (const body of [undefined, null, 7, 'evt_1', [], {}, { id: 7 }, { id: '' }, { id: null }]) {
      assert.equal(provider.readNotice(headers, body), undefined)
    }
  })
})

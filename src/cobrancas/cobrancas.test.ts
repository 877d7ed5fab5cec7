import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import {
  aCobranca,
  chargesOf,
  createCobranca as create,
  fetchCobranca as fetchOne,
  NO_ANSWER,
  REFUSE,
  unissuedCobranca,
} from '../../test/support/cobranca.ts'
import { createLancamento, UNKNOWN_ID } from '../../test/support/lancamento.ts'
import { createParceiro } from '../../test/support/parceiro.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import { SYSTEM } from '../events/outbox.ts'
import { disconnect } from '../provedores/contas.ts'
import { type Cobranca, STATUS } from './schema.ts'

const PUBLIC_URL = 'https://lastro.example'
const service = await startService({ PUBLIC_URL })

afterEach(() => {
  service.clock.now = Date.now
})

function setNow(instant: string): void {
  service.clock.now = () => Date.parse(instant)
}

async function list(caller: Caller, query: Record<string, string> = {}) {
  const { status, body } = await caller.get(`/cobrancas?${new URLSearchParams(query)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { items: Cobranca[]; total: number; limit: number; offset: number }
}

/** The ids that a filter finds, and that its total says the same. */
async function found(caller: Caller, query: Record<string, string>): Promise<string[]> {
  const { items, total } = await list(caller, query)
  assert.equal(total, items.length)
  return items.map(({ id }) => id)
}

function act(caller: Caller, { id }: Cobranca, what: 'pay' | 'refund' | 'cancel') {
  return service.payments.issuer.act(caller.empresa, SYSTEM, id, what)
}

/** What a charge can be paid with, by its name in the answer. */
const codesOf = ({ bank_slip_url, linha_digitavel, codigo_barras, pix_copia_e_cola }: Cobranca) => {
  const codes = { bank_slip_url, linha_digitavel, codigo_barras, pix_copia_e_cola }
  return Object.keys(codes).filter((name) => codes[name as keyof typeof codes] !== null)
}
const BOLETO = ['bank_slip_url', 'linha_digitavel', 'codigo_barras']
const PIX = ['pix_copia_e_cola']

describe('issuing', () => {
  test('answers 201 with the charge, field by field', async () => {
    const caller = await service.caller()
    const { status, body } = await caller.post('/cobrancas', aCobranca)
    assert.equal(status, 201)
    const { item, ...rest } = body
    assert.deepEqual(rest, { reaproveitada: false })
    const { linha_digitavel, codigo_barras, pix_copia_e_cola, criado_em, atualizado_em } = item
    const page = `${PUBLIC_URL}/pagar/${caller.empresa}/${item.id}`
    assert.deepEqual(item, {
      id: item.id,
      status: 'pendente',
      valor: 1234.56,
      vencimento: '2099-01-31',
      forma: 'UNDEFINED',
      descricao: null,
      parceiro_id: null,
      lancamento_id: null,
      invoice_url: page,
      bank_slip_url: `${page}#boleto`,
      linha_digitavel,
      codigo_barras,
      pix_copia_e_cola,
      provedor: 'sandbox',
      provedor_id: `sbx_${item.id}`,
      pago_em: null,
      valor_pago: null,
      criado_em,
      atualizado_em,
    })
    assert.match(item.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.match(linha_digitavel, /^\d{33}\d{4}0000123456$/)
    assert.match(codigo_barras, /^0009\d\d{4}0000123456\d{25}$/)
    assert.match(pix_copia_e_cola, /^000201.*br\.gov\.bcb\.pix.*54071234\.565802BR/)
    assert.match(criado_em, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(atualizado_em >= criado_em)
  })

  const codes = {
    UNDEFINED: [...BOLETO, ...PIX],
    BOLETO,
    PIX,
    CREDIT_CARD: [],
  }
  for (const [forma, expected] of Object.entries(codes)) {
    test(`${forma} has ${expected.join(', ') || 'no code'}, and a page`, async () => {
      const item = await create(await service.caller(), { forma })
      assert.equal(item.forma, forma)
      assert.deepEqual(codesOf(item), expected)
      assert.ok(item.invoice_url?.endsWith(item.id))
    })
  }

  test('every field is kept, and fetched and listed as it was answered', async () => {
    const caller = await service.caller()
    const body = {
      valor: 0.07,
      vencimento: '2031-05-31',
      forma: 'PIX',
      descricao: ' Mensalidade de junho 🥖 ',
      parceiro_id: (await createParceiro(caller)).id,
      lancamento_id: (await createLancamento(caller)).id,
    }
    const item = await create(caller, body)
    const { valor, vencimento, forma, descricao, parceiro_id, lancamento_id } = item
    const kept = { valor, vencimento, forma, descricao, parceiro_id, lancamento_id }
    assert.deepEqual(kept, body)
    assert.deepEqual(await fetchOne(caller, item.id), item)
    assert.deepEqual(await list(caller), { items: [item], total: 1, limit: 100, offset: 0 })
  })

  test('null for an optional field is the same as leaving it out', async () => {
    const nulls = { forma: null, descricao: null, parceiro_id: null, lancamento_id: null }
    const item = await create(await service.caller(), nulls)
    const { forma, descricao, parceiro_id, lancamento_id } = item
    const kept = { forma, descricao, parceiro_id, lancamento_id }
    assert.deepEqual(kept, { ...nulls, forma: 'UNDEFINED' })
  })

  test('ids may be sent in upper case', async () => {
    const caller = await service.caller()
    const { id: parceiro } = await createParceiro(caller)
    const { id: lancamento } = await createLancamento(caller)
    const item = await create(caller, {
      parceiro_id: parceiro.toUpperCase(),
      lancamento_id: lancamento.toUpperCase(),
    })
    assert.equal(item.parceiro_id, parceiro)
    assert.equal(item.lancamento_id, lancamento)
    assert.deepEqual(await found(caller, { parceiro_id: parceiro.toUpperCase() }), [item.id])
  })

  test('a description may have 500 characters', async () => {
    const descricao = '💸'.repeat(500)
    assert.equal((await create(await service.caller(), { descricao })).descricao, descricao)
  })

  for (const valor of [0.01, 0.29, 1.1, 10, 99_999_999.99]) {
    test(`${valor} is charged exactly`, async () => {
      const item = await create(await service.caller(), { valor })
      const centavos = String(Math.round(valor * 100)).padStart(10, '0')
      assert.equal(item.valor, valor)
      assert.equal(item.codigo_barras!.slice(9, 19), centavos)
      assert.match(item.pix_copia_e_cola!, new RegExp(`54\\d\\d${valor.toFixed(2)}5802`))
    })
  }

  for (const valor of [100_000_000, 9_999_999_999.99]) {
    test(`${valor} does not fit in a boleto, and is charged without one`, async () => {
      const item = await create(await service.caller(), { valor })
      assert.equal(item.valor, valor)
      assert.deepEqual(codesOf(item), PIX)
    })
  }

  for (const vencimento of [
    '2027-01-31',
    '2027-02-28',
    '2028-02-29',
    '2030-04-30',
    '2030-12-31',
    '2049-10-13',
    '2049-10-14',
    '2199-12-31',
  ]) {
    test(`it may be due on ${vencimento}`, async () => {
      setNow('2026-06-22T12:00:00Z')
      const caller = await service.caller()
      const { id } = await create(caller, { vencimento })
      const item = await fetchOne(caller, id)
      assert.equal(item.vencimento, vencimento)
      assert.deepEqual(codesOf(item), [...BOLETO, ...PIX])
    })
  }

  test('what is due today is charged, the day being the company’s own', async () => {
    const manaus = await service.caller({ fusoHorario: 'America/Manaus' })
    const caller = await service.caller()
    // In Sao Paulo 23:59 and 00:00, in Manaus an hour less.
    setNow('2026-07-01T02:59:59.999Z')
    assert.equal((await create(caller, { vencimento: '2026-06-30' })).status, 'pendente')
    setNow('2026-07-01T03:00:00Z')
    assert.equal((await create(caller, { vencimento: '2026-07-01' })).status, 'pendente')
    assert.equal((await create(manaus, { vencimento: '2026-06-30' })).status, 'pendente')
  })

  test('each POST without a key issues a charge of its own', async () => {
    const caller = await service.caller()
    const ids = [(await create(caller)).id, (await create(caller)).id]
    assert.equal(new Set(ids).size, 2)
    assert.deepEqual(await chargesOf(service, caller), { kept: 2, issued: 2 })
  })

  test('two charges may be about one entry', async () => {
    const caller = await service.caller()
    const { id: lancamento_id } = await createLancamento(caller)
    for (const _ of [1, 2]) {
      assert.equal((await create(caller, { lancamento_id })).lancamento_id, lancamento_id)
    }
  })
})

describe('the list', () => {
  test('of a company without charges is empty', async () => {
    const empty = { items: [], total: 0, limit: 100, offset: 0 }
    assert.deepEqual(await list(await service.caller()), empty)
  })

  test('is newest first, whatever is due first, and is paged without gap or repetition', async () => {
    const caller = await service.caller()
    const ids: string[] = []
    for (const year of [2050, 2030, 2070, 2040, 2060]) {
      ids.unshift((await create(caller, { vencimento: `${year}-01-31` })).id)
    }
    assert.deepEqual(await found(caller, {}), ids)
    for (const offset of [0, 2, 4, 5, 6]) {
      const { items, ...rest } = await list(caller, { limit: '2', offset: String(offset) })
      assert.deepEqual(rest, { total: 5, limit: 2, offset })
      assert.deepEqual(
        items.map(({ id }) => id),
        ids.slice(offset, offset + 2),
      )
    }
  })

  test('keeps its order when a charge changes', async () => {
    const caller = await service.caller()
    const [first, second] = [await create(caller), await create(caller)]
    await act(caller, first, 'pay')
    assert.deepEqual(await found(caller, {}), [second.id, first.id])
  })

  test('is filtered by every status, each charge being in just one', async () => {
    const caller = await service.caller()
    setNow('2026-07-01T12:00:00Z')
    const charges = {
      emitindo: await unissuedCobranca(caller, NO_ANSWER, { vencimento: '2026-07-01' }),
      falhou: await unissuedCobranca(caller, REFUSE, { vencimento: '2026-07-01' }),
      paga: await create(caller, { vencimento: '2026-07-01' }),
      cancelada: await create(caller, { vencimento: '2026-07-01' }),
      estornada: await create(caller, { vencimento: '2026-07-01' }),
      vencida: await create(caller, { vencimento: '2026-07-01' }),
      pendente: await create(caller, { vencimento: '2026-07-02' }),
    } satisfies Record<Cobranca['status'], Cobranca>
    await act(caller, charges.paga, 'pay')
    await act(caller, charges.cancelada, 'cancel')
    await act(caller, charges.estornada, 'pay')
    await act(caller, charges.estornada, 'refund')
    setNow('2026-07-02T12:00:00Z')
    for (const status of STATUS) {
      const { id } = charges[status]
      assert.deepEqual(await found(caller, { status }), [id], status)
      assert.equal((await fetchOne(caller, id)).status, status)
    }
    assert.equal((await list(caller)).total, STATUS.length)
  })

  test('shows as overdue, and as nothing else, what was due before the company’s day', async () => {
    const [caller, manaus] = [
      await service.caller(),
      await service.caller({ fusoHorario: 'America/Manaus' }),
    ]
    setNow('2026-07-01T02:59:59.999Z')
    const companies = [caller, manaus]
    for (const company of companies) await create(company, { vencimento: '2026-06-30' })
    const overdue = () =>
      Promise.all(companies.map(async (c) => (await list(c, { status: 'vencida' })).total))
    const pending = () =>
      Promise.all(companies.map(async (c) => (await list(c, { status: 'pendente' })).total))
    assert.deepEqual(
      [await overdue(), await pending()],
      [
        [0, 0],
        [1, 1],
      ],
    )
    setNow('2026-07-01T03:00:00Z')
    assert.deepEqual(
      [await overdue(), await pending()],
      [
        [1, 0],
        [0, 1],
      ],
    )
    assert.equal((await list(caller)).items[0]!.status, 'vencida')
    assert.equal((await list(manaus)).items[0]!.status, 'pendente')
  })

  test('is filtered by partner, and by partner and status together', async () => {
    const caller = await service.caller()
    const [ana, bia] = [await createParceiro(caller), await createParceiro(caller)]
    const ofAna = await create(caller, { parceiro_id: ana.id })
    const paidOfAna = await create(caller, { parceiro_id: ana.id })
    const paidOfBia = await create(caller, { parceiro_id: bia.id })
    await create(caller)
    for (const charge of [paidOfAna, paidOfBia]) await act(caller, charge, 'pay')
    assert.deepEqual(await found(caller, { parceiro_id: ana.id }), [paidOfAna.id, ofAna.id])
    assert.deepEqual(await found(caller, { parceiro_id: bia.id }), [paidOfBia.id])
    const both = { parceiro_id: ana.id, status: 'paga' }
    assert.deepEqual(await found(caller, both), [paidOfAna.id])
    assert.deepEqual(await found(caller, { ...both, status: 'cancelada' }), [])
    const page = await list(caller, { parceiro_id: ana.id, limit: '1', offset: '1' })
    assert.deepEqual(page, { items: [ofAna], total: 2, limit: 1, offset: 1 })
  })

  test('of a partner that does not exist is empty', async () => {
    const caller = await service.caller()
    await create(caller)
    const { id: charge } = await create(caller, { parceiro_id: (await createParceiro(caller)).id })
    assert.deepEqual(await found(caller, { parceiro_id: UNKNOWN_ID }), [])
    assert.deepEqual(await found(caller, { parceiro_id: charge }), [])
  })
})

describe('two companies', () => {
  test('see nothing of each other’s charges', async () => {
    const [own, other] = [await service.caller(), await service.caller()]
    const { id: parceiro_id } = await createParceiro(other)
    const theirs = await create(other, { parceiro_id })
    const ours = await create(own)
    assert.deepEqual(await found(own, {}), [ours.id])
    assert.deepEqual(await found(other, {}), [theirs.id])
    assert.deepEqual(await found(own, { parceiro_id }), [])
    const { status, body } = await own.get(`/cobrancas/${theirs.id}`)
    assert.equal(status, 404)
    assert.equal(body.code, 'not-found')
  })
})

describe('who may', () => {
  const issue = (caller: Caller) => caller.post('/cobrancas', aCobranca)

  test('without cobrancas:write nothing is issued; it includes reading', async () => {
    const { empresa } = await service.caller()
    const reader = await service.caller({ empresa, scopes: ['cobrancas:read'] })
    const writer = await service.caller({ empresa, scopes: ['cobrancas:write'] })
    const refused = await issue(reader)
    assert.equal(refused.status, 403)
    assert.equal(refused.body.code, 'insufficient-scope')
    assert.equal(refused.body.scope, 'cobrancas:write')
    const { id } = await create(writer)
    for (const caller of [reader, writer]) {
      assert.equal((await fetchOne(caller, id)).id, id)
      assert.deepEqual(await found(caller, {}), [id])
    }
  })

  const scopes = ['read', 'write', 'lancamentos:delete', 'parceiros:delete', 'webhooks:delete']
  test('no other scope reaches charges, nor do the old words', async () => {
    const { empresa } = await service.caller()
    const caller = await service.caller({ empresa, scopes })
    const path = `/cobrancas/${UNKNOWN_ID}`
    for (const answer of [
      await issue(caller),
      await caller.get('/cobrancas'),
      await caller.get(path),
    ]) {
      assert.equal(answer.status, 403)
      assert.equal(answer.body.code, 'insufficient-scope')
    }
  })

  test('with the module off every route answers 403, before anything is judged', async () => {
    const caller = await service.caller({ modulos: ['integracoes'] })
    for (const answer of [
      await issue(caller),
      await caller.post('/cobrancas', { valor: 'x' }),
      await caller.post('/cobrancas', '{', { 'idempotency-key': '' }),
      await caller.get('/cobrancas'),
      await caller.get('/cobrancas?status=x'),
      await caller.get(`/cobrancas/${UNKNOWN_ID}`),
    ]) {
      assert.equal(answer.status, 403, JSON.stringify(answer.body))
      assert.equal(answer.body.code, 'module-required')
    }
    assert.deepEqual(await chargesOf(service, caller), { kept: 0, issued: 0 })
  })

  test('without the scope it is the scope that is missing, not the module', async () => {
    const caller = await service.caller({ modulos: [], scopes: ['lancamentos:read'] })
    assert.equal((await issue(caller)).body.code, 'insufficient-scope')
  })

  test('without a connected account nothing is issued, but charges are still read', async () => {
    const caller = await service.caller()
    const item = await create(caller)
    await disconnect(service.db, caller.empresa)
    const { status, body } = await issue(caller)
    assert.equal(status, 409)
    assert.equal(body.code, 'payment-account-not-connected')
    assert.deepEqual(await fetchOne(caller, item.id), item)
    assert.deepEqual(await found(caller, {}), [item.id])
    assert.deepEqual(await chargesOf(service, caller), { kept: 1, issued: 1 })
  })

  test('a company that never had an account has an empty list', async () => {
    const caller = await service.caller({ provedor: null })
    assert.equal((await issue(caller)).status, 409)
    assert.equal((await caller.post('/cobrancas', { ...aCobranca, valor: 0 })).status, 400)
    assert.equal((await list(caller)).total, 0)
  })
})

describe('what cannot be done', () => {
  test('there is no way to change or cancel a charge over the API', async () => {
    const caller = await service.caller()
    const item = await create(caller)
    const path = `/cobrancas/${item.id}`
    for (const method of ['PATCH', 'PUT', 'DELETE', 'POST']) {
      const answer = await caller.call(method, path, { body: { status: 'cancelada' } })
      assert.equal(answer.status, 405, method)
    }
    assert.deepEqual(await fetchOne(caller, item.id), item)
  })

  for (const id of [UNKNOWN_ID, 'abc', '0', `{${UNKNOWN_ID}}`, `${UNKNOWN_ID}0`]) {
    test(`the id ${id} belongs to nothing`, async () => {
      const { status, body } = await (await service.caller()).get(`/cobrancas/${id}`)
      assert.equal(status, 404)
      assert.equal(body.code, 'not-found')
    })
  }

  test('a partner that a charge points to is not deleted', async () => {
    const caller = await service.caller()
    const parceiro = await createParceiro(caller)
    const charge = await create(caller, { parceiro_id: parceiro.id })
    await act(caller, charge, 'cancel')
    const { status, body } = await caller.delete(`/parceiros/${parceiro.id}`)
    assert.equal(status, 409)
    assert.equal(body.code, 'parceiro-in-use')
    assert.deepEqual((await caller.get(`/parceiros/${parceiro.id}`)).body.item, parceiro)
    assert.equal((await fetchOne(caller, charge.id)).parceiro_id, parceiro.id)
  })
})

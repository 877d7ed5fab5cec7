import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import {
  createCobranca as create,
  eventsOfChange,
  fetchCobranca as fetchOne,
  NO_ANSWER,
  REFUSE,
  unissuedCobranca,
} from '../../test/support/cobranca.ts'
import { createLancamento } from '../../test/support/lancamento.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import { SYSTEM } from '../events/outbox.ts'
import type { Lancamento } from '../lancamentos/schema.ts'
import { disconnect } from '../provedores/contas.ts'
import { ProviderRefused } from '../providers/provider.ts'
import type { Cobranca } from './schema.ts'

const service = await startService()
const { issuer } = service.payments
const ACTS = ['pay', 'refund', 'cancel'] as const

afterEach(() => {
  service.clock.now = Date.now
})

function setNow(instant: string): void {
  service.clock.now = () => Date.parse(instant)
}

function act(caller: Caller, { id }: { id: string }, what: (typeof ACTS)[number]) {
  return issuer.act(caller.empresa, SYSTEM, id, what)
}

async function entryOf(caller: Caller, id: string): Promise<Lancamento> {
  return (await caller.get(`/lancamentos/${id}`)).body.item
}

const eventsAfter = <T>(caller: Caller, change: () => Promise<T>) =>
  eventsOfChange(service, caller, change)

/** Holds that an act is refused, and that neither the charge nor the events show anything of it. */
async function assertRefused(caller: Caller, charge: { id: string }, what: (typeof ACTS)[number]) {
  const before = await fetchOne(caller, charge.id)
  const { events } = await eventsAfter(caller, () =>
    assert.rejects(act(caller, charge, what), ProviderRefused),
  )
  assert.deepEqual(events, [])
  assert.deepEqual(await fetchOne(caller, charge.id), before)
}

/** By which transactions these rows, and the last events, were written. */
async function writersOf({ empresa }: Caller, cobranca: Cobranca, events: number) {
  const rows = await service.db.reader(empresa).query<{ writer: string }>(
    `select xmin::text as writer from cobrancas where tenant_id = $1 and id = $2
     union all select xmin::text from lancamentos where tenant_id = $1 and id = $3
     union all (select xmin::text from events where tenant_id = $1 order by seq desc limit $4)`,
    [empresa, cobranca.id, cobranca.lancamento_id, events],
  )
  assert.equal(rows.length, events + 2)
  return new Set(rows.map(({ writer }) => writer))
}

describe('a charge that is issued', () => {
  test('emits one event, with the charge as it was answered', async () => {
    const caller = await service.caller()
    const { result: item, events } = await eventsAfter(caller, () => create(caller))
    assert.deepEqual(events, [['cobranca.criada', { cobranca: item }]])
  })

  test('leaves its entry as it is', async () => {
    const caller = await service.caller()
    const entry = await createLancamento(caller)
    const { events } = await eventsAfter(caller, () => create(caller, { lancamento_id: entry.id }))
    assert.equal(events.length, 1)
    assert.deepEqual(await entryOf(caller, entry.id), entry)
  })
})

describe('a charge that is paid', () => {
  test('shows the day and the amount, and emits one event with it as it now is', async () => {
    const caller = await service.caller()
    const before = await create(caller)
    // In Sao Paulo still the day before.
    setNow('2026-07-01T02:59:59.999Z')
    const { result: item, events } = await eventsAfter(caller, () => act(caller, before, 'pay'))
    const { atualizado_em } = item
    const paid = { status: 'paga', pago_em: '2026-06-30', valor_pago: 1234.56 }
    assert.deepEqual(item, { ...before, ...paid, atualizado_em })
    assert.ok(atualizado_em > before.atualizado_em)
    assert.deepEqual(await fetchOne(caller, item.id), item)
    assert.deepEqual(events, [['cobranca.paga', { cobranca: item }]])
  })

  test('pays its entry in the same transaction', async () => {
    const caller = await service.caller()
    const before = await createLancamento(caller)
    const charge = await create(caller, { lancamento_id: before.id })
    setNow('2026-07-01T12:00:00Z')
    const { result: item, events } = await eventsAfter(caller, () => act(caller, charge, 'pay'))
    const entry = await entryOf(caller, before.id)
    const { atualizado_em } = entry
    const paid = { status: 'pago', data_pagamento: '2026-07-01', valor_pago: 1234.56 }
    assert.deepEqual(entry, { ...before, ...paid, atualizado_em })
    assert.deepEqual(events, [
      ['lancamento.paid', { lancamento: entry }],
      ['cobranca.paga', { cobranca: item }],
    ])
    assert.equal((await writersOf(caller, item, 2)).size, 1)
  })

  const differences = [
    {
      name: 'with more than its entry has, pays interest',
      valor: 1000,
      juros: 234.56,
      desconto: 0,
    },
    {
      name: 'with less than its entry has, gets a discount',
      valor: 1234.57,
      juros: 0,
      desconto: 0.01,
    },
    {
      name: 'with a sliver of the largest entry, gets the rest as discount',
      valor: 9_999_999_999.99,
      juros: 0,
      desconto: 9_999_998_765.43,
    },
  ]
  for (const { name, valor, juros, desconto } of differences) {
    test(name, async () => {
      const caller = await service.caller()
      const { id: lancamento_id } = await createLancamento(caller, { valor })
      await act(caller, await create(caller, { lancamento_id }), 'pay')
      const entry = await entryOf(caller, lancamento_id)
      const { status, valor_pago } = entry
      assert.deepEqual(
        { status, valor: entry.valor, juros: entry.juros, desconto: entry.desconto, valor_pago },
        { status: 'pago', valor, juros, desconto, valor_pago: 1234.56 },
      )
    })
  }

  test('takes the place of the interest and the discount that its entry had', async () => {
    const caller = await service.caller()
    const agreed = { valor: 1300, juros: 10, desconto: 75.44 }
    const { id: lancamento_id } = await createLancamento(caller, agreed)
    await act(caller, await create(caller, { lancamento_id }), 'pay')
    const { valor, juros, desconto, valor_pago } = await entryOf(caller, lancamento_id)
    assert.deepEqual([valor, juros, desconto, valor_pago], [1300, 0, 65.44, 1234.56])
  })

  for (const status of ['pago', 'cancelado']) {
    test(`leaves alone an entry that is ${status} meanwhile`, async () => {
      const caller = await service.caller()
      const { id: lancamento_id } = await createLancamento(caller, { valor: 1 })
      const charge = await create(caller, { lancamento_id })
      const path = `/lancamentos/${lancamento_id}`
      const { item: entry } = (await caller.patch(path, { status })).body
      const { result: item, events } = await eventsAfter(caller, () => act(caller, charge, 'pay'))
      assert.deepEqual(await entryOf(caller, lancamento_id), entry)
      assert.equal(item.lancamento_id, lancamento_id)
      assert.deepEqual(events, [['cobranca.paga', { cobranca: item }]])
    })
  }

  test('is paid though its entry was deleted', async () => {
    const caller = await service.caller()
    const { id: lancamento_id } = await createLancamento(caller)
    const charge = await create(caller, { lancamento_id })
    assert.equal((await caller.delete(`/lancamentos/${lancamento_id}`)).status, 200)
    assert.equal((await fetchOne(caller, charge.id)).lancamento_id, null)
    const { result: item, events } = await eventsAfter(caller, () => act(caller, charge, 'pay'))
    assert.equal(item.status, 'paga')
    assert.equal(item.lancamento_id, null)
    assert.deepEqual(events, [['cobranca.paga', { cobranca: item }]])
  })

  test('is the second of one entry, and pays it no second time', async () => {
    const caller = await service.caller()
    const { id: lancamento_id } = await createLancamento(caller)
    const [first, second] = [
      await create(caller, { lancamento_id }),
      await create(caller, { lancamento_id, valor: 1 }),
    ]
    await act(caller, first, 'pay')
    const entry = await entryOf(caller, lancamento_id)
    const { events } = await eventsAfter(caller, () => act(caller, second, 'pay'))
    assert.deepEqual(
      events.map(([kind]) => kind),
      ['cobranca.paga'],
    )
    assert.deepEqual(await entryOf(caller, lancamento_id), entry)
  })

  test('may have been overdue', async () => {
    const caller = await service.caller()
    setNow('2026-07-01T12:00:00Z')
    const charge = await create(caller, { vencimento: '2026-07-01' })
    setNow('2027-01-01T12:00:00Z')
    assert.equal((await fetchOne(caller, charge.id)).status, 'vencida')
    const item = await act(caller, charge, 'pay')
    assert.equal(item.status, 'paga')
    assert.equal(item.pago_em, '2027-01-01')
  })

  test('may have been issued in an account that is no longer connected', async () => {
    const caller = await service.caller()
    const charge = await create(caller)
    await disconnect(service.db, caller.empresa)
    assert.equal((await act(caller, charge, 'pay')).status, 'paga')
  })

  test('by 5 at once emits one event, and pays its entry once', async () => {
    const caller = await service.caller()
    const { id: lancamento_id } = await createLancamento(caller)
    const charge = await create(caller, { lancamento_id })
    const { events } = await eventsAfter(caller, () =>
      Promise.allSettled(Array.from({ length: 5 }, () => act(caller, charge, 'pay'))),
    )
    assert.deepEqual(
      events.map(([kind]) => kind),
      ['lancamento.paid', 'cobranca.paga'],
    )
  })

  test('is not paid again, nor changed by the try', async () => {
    const caller = await service.caller()
    setNow('2026-07-01T12:00:00Z')
    const paid = await act(caller, await create(caller), 'pay')
    setNow('2026-07-02T12:00:00Z')
    const { events } = await eventsAfter(caller, () => act(caller, paid, 'pay').catch(() => {}))
    assert.deepEqual(events, [])
    assert.deepEqual(await fetchOne(caller, paid.id), paid)
  })

  test('is not cancelled', async () => {
    const caller = await service.caller()
    await assertRefused(caller, await act(caller, await create(caller), 'pay'), 'cancel')
  })
})

describe('a charge that is cancelled', () => {
  test('emits one event, however often it is cancelled, and leaves its entry open', async () => {
    const caller = await service.caller()
    const entry = await createLancamento(caller)
    const before = await create(caller, { lancamento_id: entry.id })
    const { result: item, events } = await eventsAfter(caller, async () => {
      const item = await act(caller, before, 'cancel')
      await act(caller, before, 'cancel').catch(() => {})
      return item
    })
    const { atualizado_em } = item
    assert.deepEqual(item, { ...before, status: 'cancelada', atualizado_em })
    assert.deepEqual(events, [['cobranca.cancelada', { cobranca: item }]])
    assert.deepEqual(await fetchOne(caller, item.id), item)
    assert.deepEqual(await entryOf(caller, entry.id), entry)
  })

  test('is not paid nor refunded', async () => {
    const caller = await service.caller()
    const charge = await act(caller, await create(caller), 'cancel')
    for (const what of ['pay', 'refund'] as const) await assertRefused(caller, charge, what)
  })

  test('is not overdue, whenever it was due', async () => {
    const caller = await service.caller()
    const { id } = await act(caller, await create(caller), 'cancel')
    setNow('2150-01-01T12:00:00Z')
    assert.equal((await fetchOne(caller, id)).status, 'cancelada')
  })
})

describe('a charge that is refunded', () => {
  test('still says when it was paid, emits no event and leaves its entry paid', async () => {
    const caller = await service.caller()
    const { id: lancamento_id } = await createLancamento(caller)
    const paid = await act(caller, await create(caller, { lancamento_id }), 'pay')
    const entry = await entryOf(caller, lancamento_id)
    setNow('2098-01-01T12:00:00Z')
    const { result: item, events } = await eventsAfter(caller, () => act(caller, paid, 'refund'))
    const { atualizado_em } = item
    assert.deepEqual(item, { ...paid, status: 'estornada', atualizado_em })
    assert.deepEqual(events, [])
    assert.deepEqual(await entryOf(caller, lancamento_id), entry)
    for (const what of ['pay', 'cancel'] as const) await assertRefused(caller, item, what)
  })

  test('was paid before', async () => {
    const caller = await service.caller()
    await assertRefused(caller, await create(caller), 'refund')
  })
})

describe('a charge that is not issued', () => {
  for (const descricao of [REFUSE, NO_ANSWER] as const) {
    test(`because of ${descricao} is not paid, cancelled or refunded`, async () => {
      const caller = await service.caller()
      const charge = await unissuedCobranca(caller, descricao)
      for (const what of ACTS) await assertRefused(caller, charge, what)
    })
  }

  test('in this company cannot be acted on', async () => {
    const [caller, other] = [await service.caller(), await service.caller()]
    const charge = await create(caller)
    await assert.rejects(act(other, charge, 'pay'), ProviderRefused)
    assert.deepEqual(await fetchOne(caller, charge.id), charge)
  })
})

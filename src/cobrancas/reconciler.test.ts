import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import {
  aCobranca,
  chargesOf,
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
import { ProviderUnavailable } from '../providers/provider.ts'
import { Reconciler } from './reconciler.ts'
import type { Cobranca } from './schema.ts'

const service = await startService()
const { issuer } = service.payments

afterEach(() => {
  service.clock.now = Date.now
})

const eventsAfter = <T>(caller: Caller, change: () => Promise<T>) =>
  eventsOfChange(service, caller, change)

/** The charge is to be looked at now, and its description, which the sandbox obeys, is another. */
async function prepare({ empresa }: Caller, id: string, descricao: string | null): Promise<void> {
  await service.db.write(empresa, (tx) =>
    tx.query(
      `update cobrancas set conferir_em = clock_timestamp(), descricao = $3
       where tenant_id = $1 and id = $2`,
      [empresa, id, descricao],
    ),
  )
}

/** One turn of who looks after charges. */
async function reconcile(): Promise<void> {
  const reconciler = new Reconciler(service.db, issuer, service.logger)
  reconciler.wake()
  await reconciler.stop()
}

/** As if the provider had issued the charge, and its answer been lost. */
async function issueUnseen({ empresa }: Caller, { id, valor, vencimento, forma }: Cobranca) {
  await service.db.write(empresa, (tx) =>
    tx.query(
      `insert into sandbox_cobrancas (tenant_id, reference, valor, vencimento, forma)
       values ($1, $2, $3, $4, $5)`,
      [empresa, id, BigInt(Math.round(valor * 100)), vencimento, forma],
    ),
  )
}

/** The same of its payment, on 2026-07-01. */
async function payUnseen({ empresa }: Caller, id: string) {
  await service.db.write(empresa, (tx) =>
    tx.query(
      `update sandbox_cobrancas set status = 'paga', pago_em = '2026-07-01'
       where tenant_id = $1 and reference = $2`,
      [empresa, id],
    ),
  )
}

describe('a charge whose provider did not answer', () => {
  test('is issued by the one who looks after it, with one event', async () => {
    const caller = await service.caller()
    const { id } = await unissuedCobranca(caller, NO_ANSWER)
    await prepare(caller, id, 'Mensalidade')
    const { events } = await eventsAfter(caller, reconcile)
    const item = await fetchOne(caller, id)
    assert.equal(item.status, 'pendente')
    assert.ok(item.pix_copia_e_cola)
    assert.deepEqual(events, [['cobranca.criada', { cobranca: item }]])
    assert.deepEqual(await chargesOf(service, caller), { kept: 1, issued: 1 })
  })

  test('is found where it was issued, and not issued again', async () => {
    const caller = await service.caller()
    const before = await unissuedCobranca(caller, NO_ANSWER)
    await issueUnseen(caller, before)
    // Whoever asked the sandbox to issue it would still get no answer.
    const { events } = await eventsAfter(caller, () => issuer.look(caller.empresa, before.id))
    const item = await fetchOne(caller, before.id)
    assert.equal(item.status, 'pendente')
    assert.equal(item.provedor_id, `sbx_${item.id}`)
    assert.deepEqual(events, [['cobranca.criada', { cobranca: item }]])
    assert.deepEqual(await chargesOf(service, caller), { kept: 1, issued: 1 })
  })

  test('was issued and paid meanwhile: both are told, and the entry is paid', async () => {
    const caller = await service.caller()
    const { id: lancamento_id } = await createLancamento(caller)
    const before = await unissuedCobranca(caller, NO_ANSWER, { lancamento_id })
    await issueUnseen(caller, before)
    await payUnseen(caller, before.id)
    const { events } = await eventsAfter(caller, () => issuer.look(caller.empresa, before.id))
    assert.deepEqual(
      events.map(([kind]) => kind),
      ['cobranca.criada', 'lancamento.paid', 'cobranca.paga'],
    )
    assert.equal((await fetchOne(caller, before.id)).pago_em, '2026-07-01')
    assert.equal(
      (await caller.get(`/lancamentos/${lancamento_id}`)).body.item.data_pagamento,
      '2026-07-01',
    )
  })

  test('is answered to its key once it is issued', async () => {
    const caller = await service.caller()
    const headers = { 'idempotency-key': 'pedido-42' }
    const { id } = await unissuedCobranca(caller, NO_ANSWER, {}, headers)
    await prepare(caller, id, null)
    await reconcile()
    const { status, body } = await caller.post('/cobrancas', aCobranca, headers)
    assert.equal(status, 200)
    assert.deepEqual(body, { item: await fetchOne(caller, id), reaproveitada: true })
    assert.equal(body.item.status, 'pendente')
  })

  test('stays as it is while there is no answer, and is not asked for at once', async () => {
    const caller = await service.caller()
    const before = await unissuedCobranca(caller, NO_ANSWER)
    const { events } = await eventsAfter(caller, async () => {
      await assert.rejects(issuer.look(caller.empresa, before.id), ProviderUnavailable)
      await prepare(caller, before.id, NO_ANSWER)
      await reconcile()
      await reconcile()
    })
    assert.deepEqual(events, [])
    assert.deepEqual(await fetchOne(caller, before.id), before)
    const [row] = await service.db
      .reader(caller.empresa)
      .query<{ perguntas: bigint }>(
        'select perguntas from cobrancas where tenant_id = $1 and id = $2',
        [caller.empresa, before.id],
      )
    assert.equal(row!.perguntas, 2n)
  })

  test('has failed when the provider then refuses it, without an event', async () => {
    const caller = await service.caller()
    const { id } = await unissuedCobranca(caller, NO_ANSWER)
    await prepare(caller, id, REFUSE)
    const { events } = await eventsAfter(caller, reconcile)
    assert.deepEqual(events, [])
    const failed = await fetchOne(caller, id)
    assert.equal(failed.status, 'falhou')
    await prepare(caller, id, null)
    await reconcile()
    assert.equal((await fetchOne(caller, id)).status, 'falhou')
    assert.deepEqual(await chargesOf(service, caller), { kept: 1, issued: 0 })
  })
})

describe('looking at a charge again', () => {
  const ways: Record<string, ('pay' | 'refund' | 'cancel')[]> = {
    'is pending': [],
    'is paid': ['pay'],
    'is cancelled': ['cancel'],
    'is refunded': ['pay', 'refund'],
  }
  for (const [state, acts] of Object.entries(ways)) {
    test(`that ${state} changes nothing and emits nothing`, async () => {
      const caller = await service.caller()
      const { id } = await create(caller)
      for (const what of acts) await issuer.act(caller.empresa, SYSTEM, id, what)
      const item = await fetchOne(caller, id)
      // Another day is no change of what was paid on its own.
      service.clock.now = () => Date.parse('2098-12-31T12:00:00Z')
      const { events } = await eventsAfter(caller, async () => {
        for (const _ of [1, 2]) await issuer.look(caller.empresa, id)
        await prepare(caller, id, null)
        await reconcile()
      })
      assert.deepEqual(events, [])
      assert.deepEqual(await fetchOne(caller, id), item)
    })
  }

  test('by 5 at once emits each event once', async () => {
    const caller = await service.caller()
    const before = await unissuedCobranca(caller, NO_ANSWER)
    await issueUnseen(caller, before)
    const { events } = await eventsAfter(caller, () =>
      Promise.all(Array.from({ length: 5 }, () => issuer.look(caller.empresa, before.id))),
    )
    assert.deepEqual(
      events.map(([kind]) => kind),
      ['cobranca.criada'],
    )
  })

  test('finds what was paid without a word', async () => {
    const caller = await service.caller()
    const { id } = await create(caller)
    await payUnseen(caller, id)
    await prepare(caller, id, null)
    const { events } = await eventsAfter(caller, reconcile)
    const item = await fetchOne(caller, id)
    assert.equal(item.status, 'paga')
    assert.equal(item.pago_em, '2026-07-01')
    assert.deepEqual(events, [['cobranca.paga', { cobranca: item }]])
  })
})

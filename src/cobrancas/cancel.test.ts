import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAsaas } from '../../test/support/asaas.ts'
import {
  createCobranca,
  fetchCobranca,
  NO_ANSWER,
  unissuedCobranca,
} from '../../test/support/cobranca.ts'
import { eventsOf } from '../../test/support/events.ts'
import { UNKNOWN_ID } from '../../test/support/lancamento.ts'
import { CPF, createParceiro } from '../../test/support/parceiro.ts'
import { signIn } from '../../test/support/pessoa.ts'
import { type Answer, type Caller, startService } from '../../test/support/service.ts'
import { SYSTEM } from '../events/outbox.ts'
import { connect } from '../provedores/contas.ts'

const service = await startService()
const { db, payments } = service
const api = await service.caller()
const pessoa = await signIn(service, { empresa: api.empresa, papel: 'financeiro' })

const cancel = (id: string, who = pessoa) => who.post(`/cobrancas/${id}/cancelar`)
const sandboxHas = (id: string, status: string) =>
  service.pool.query('update sandbox_cobrancas set status = $2 where reference = $1', [id, status])

/** The cancellations of a charge that were told, each by whom. */
async function cancellations({ empresa }: Caller, id: string) {
  const events = await db.reader(empresa).query<{ actor_kind: string; actor_id: string }>(
    `select actor_kind, actor_id from events
     where tenant_id = $1 and record_id = $2 and kind = 'cobranca.cancelada'`,
    [empresa, id],
  )
  return events.map(({ actor_kind, actor_id }) => [actor_kind, actor_id])
}

function refused({ status, body }: Answer, expected: number, code: string) {
  assert.deepEqual([status, body.code], [expected, code], JSON.stringify(body))
}

test('a person cancels a charge that is pending or overdue, once', async () => {
  const pending = await createCobranca(api)
  const overdue = await createCobranca(api)
  await service.pool.query(`update cobrancas set vencimento = '2020-01-01' where id = $1`, [
    overdue.id,
  ])
  for (const { id } of [pending, overdue]) {
    const { status, body } = await cancel(id)
    assert.deepEqual([status, body.item.status], [200, 'cancelada'])
    assert.deepEqual(body.item, await fetchCobranca(api, id))
    refused(await cancel(id), 409, 'cobranca-not-cancelable')
    assert.deepEqual(await cancellations(api, id), [['usuario', pessoa.id]])
  }
})

test('cancelled by several at once it is cancelled once', async () => {
  const { id } = await createCobranca(api)
  const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(id)))
  const statuses = new Set(answers.map(({ status }) => status))
  assert.ok(statuses.has(200))
  assert.deepEqual(
    [...statuses].filter((status) => status !== 200 && status !== 409),
    [],
  )
  assert.equal((await cancellations(api, id)).length, 1)
})

test('what was paid, or never issued, is not cancelled', async () => {
  const paid = await createCobranca(api)
  await payments.issuer.act(api.empresa, SYSTEM, paid.id, 'pay')
  const unknown = await unissuedCobranca(api, NO_ANSWER)
  for (const { id } of [paid, unknown]) {
    const before = await fetchCobranca(api, id)
    refused(await cancel(id), 409, 'cobranca-not-cancelable')
    assert.deepEqual(await fetchCobranca(api, id), before)
  }
})

test('paid at the same moment: what the provider refuses is told, and looked at soon', async () => {
  const { id } = await createCobranca(api)
  await sandboxHas(id, 'paga')
  const answer = await cancel(id)
  refused(answer, 422, 'provider-refused')
  assert.match(answer.body.detail, /paga/)
  const { rows } = await service.pool.query(
    'select conferir_em <= clock_timestamp() as due from cobrancas where id = $1',
    [id],
  )
  assert.deepEqual(rows, [{ due: true }])
  await payments.issuer.look(api.empresa, id)
  assert.equal((await fetchCobranca(api, id)).status, 'paga')
})

test('where the provider does not answer nothing is claimed, and it can be tried again', async () => {
  const asaas = await startAsaas()
  const caller = await service.caller({ provedor: null })
  const account = { provedor: 'asaas', apiKey: asaas.apiKey, baseUrl: asaas.url }
  await connect(db, payments.accounts, { empresa: caller.empresa, ...account })
  const own = await signIn(service, { empresa: caller.empresa })
  const { id: parceiro_id } = await createParceiro(caller, { documento: CPF })
  const { id } = await createCobranca(caller, { parceiro_id })
  asaas.faults.push({ on: 'DELETE /payments/*', kind: '500-after' })
  refused(await cancel(id, own), 502, 'provider-unavailable')
  assert.equal((await fetchCobranca(caller, id)).status, 'pendente')
  assert.equal((await cancel(id, own)).body.item.status, 'cancelada')
  assert.equal((await cancellations(caller, id)).length, 1)
})

test('readers, other companies, programs and whoever lacks the module are refused', async () => {
  const { id } = await createCobranca(api)
  const before = (await eventsOf(service, api.empresa)).length
  const leitura = await signIn(service, { empresa: api.empresa, papel: 'leitura' })
  const stranger = await signIn(service)
  refused(await cancel(id, leitura), 403, 'insufficient-role')
  refused(await cancel(id, stranger), 404, 'not-found')
  refused(await cancel(UNKNOWN_ID), 404, 'not-found')
  refused(await cancel('x'), 404, 'not-found')
  refused(await api.post(`/cobrancas/${id}/cancelar`), 404, 'not-found')
  refused(await pessoa.post(`/cobrancas/${id}/cancelar?ja=1`), 400, 'invalid-query')
  await stranger.patch('/empresa', { modulos: [] })
  refused(await cancel(id, stranger), 403, 'module-required')
  assert.equal((await eventsOf(service, api.empresa)).length, before)
})

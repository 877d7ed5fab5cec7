// Answers of a provider that come when the charge has already moved on.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aCobranca, createCobranca, fetchCobranca, REFUSE } from '../../test/support/cobranca.ts'
import { eventsOf } from '../../test/support/events.ts'
import { createLancamento } from '../../test/support/lancamento.ts'
import { startService } from '../../test/support/service.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { SYSTEM } from '../events/outbox.ts'
import { createLogger } from '../logger.ts'
import type { Provider } from '../providers/provider.ts'

const service = await startService()
const { issuer, providers } = service.payments
const sandbox = providers.sandbox as Provider

/** Holds back the next answer of the sandbox. Whoever asks is told apart by `asked`. */
function holdBack(question: 'read' | 'issue') {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const answer = sandbox[question].bind(sandbox) as (...args: unknown[]) => Promise<never>
  sandbox[question] = async (...args: unknown[]) => {
    // Its own, from the prototype, is back for whoever asks next.
    delete (sandbox as Partial<Provider>)[question]
    const charge = await answer(...args).then(
      (value) => () => value,
      (error) => () => {
        throw error
      },
    )
    asked.resolve()
    await answered.promise
    return charge()
  }
  return { asked: asked.promise, letGo: answered.resolve }
}

for (const [act, status] of [
  ['pay', 'paga'],
  ['refund', 'estornada'],
] as const) {
  test(`a look that read before a ${act} and writes after it undoes nothing`, async () => {
    const caller = await service.caller()
    const { id } = await createCobranca(caller)
    if (act === 'refund') await issuer.act(caller.empresa, SYSTEM, id, 'pay')
    const { asked, letGo } = holdBack('read')
    const look = issuer.look(caller.empresa, id)
    await asked
    await issuer.act(caller.empresa, SYSTEM, id, act)
    letGo()
    await look
    await issuer.look(caller.empresa, id)
    assert.equal((await fetchCobranca(caller, id)).status, status)
    const kinds = (await eventsOf(service, caller.empresa)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['cobranca.criada', 'cobranca.paga'])
  })
}

test('who waits at another instance for a charge that is then refused is refused too', async () => {
  const second = await buildApp({
    ...service,
    config: readConfig({ RATE_LIMIT_PER_MINUTE: '1000000' }),
    logger: createLogger('silent'),
    clock: Date.now,
  })
  const url = await second.listen({ host: '127.0.0.1', port: 0 })
  after(() => second.close())
  const caller = await service.caller()
  const body = { ...aCobranca, descricao: REFUSE }
  const headers = { 'idempotency-key': 'k' }
  const { asked, letGo } = holdBack('issue')
  const first = caller.post('/cobrancas', body, headers)
  await asked
  const other = fetch(`${url}/api/v1/cobrancas`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'x-api-key': caller.key, 'content-type': 'application/json', ...headers },
  })
  await sleep(300)
  letGo()
  assert.deepEqual([(await first).status, (await other).status], [422, 422])
})

test('an entry that has become an expense is not paid by its charge', async () => {
  const caller = await service.caller()
  const { id: lancamento_id } = await createLancamento(caller)
  const { id } = await createCobranca(caller, { lancamento_id })
  await caller.patch(`/lancamentos/${lancamento_id}`, { tipo: 'despesa' })
  await issuer.act(caller.empresa, SYSTEM, id, 'pay')
  const { item } = (await caller.get(`/lancamentos/${lancamento_id}`)).body
  assert.deepEqual([item.tipo, item.status], ['despesa', 'em_aberto'])
})

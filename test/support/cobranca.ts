import assert from 'node:assert/strict'
import type { Cobranca } from '../../src/cobrancas/schema.ts'
import { eventsOf } from './events.ts'
import type { Caller, TestService } from './service.ts'

/** A valid body, with what is required and nothing else. */
export const aCobranca = { valor: 1234.56, vencimento: '2099-01-31' }

/** Descriptions by which the sandbox is told what to do. */
export const REFUSE = 'sandbox:recusar'
export const NO_ANSWER = 'sandbox:sem-resposta'

export async function createCobranca(caller: Caller, fields: object = {}): Promise<Cobranca> {
  const { status, body } = await caller.post('/cobrancas', { ...aCobranca, ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body.item
}

/** The charge that the provider would not issue, or did not say whether it has. */
export async function unissuedCobranca(
  caller: Caller,
  descricao: typeof REFUSE | typeof NO_ANSWER,
  fields: object = {},
  headers: Record<string, string> = {},
): Promise<Cobranca> {
  const answer = await caller.post('/cobrancas', { ...aCobranca, descricao, ...fields }, headers)
  assert.equal(answer.status, descricao === REFUSE ? 422 : 502, JSON.stringify(answer.body))
  return (await caller.get('/cobrancas?limit=1')).body.items[0]
}

export async function fetchCobranca(caller: Caller, id: string): Promise<Cobranca> {
  const { status, body } = await caller.get(`/cobrancas/${id}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.item
}

/** How many charges there are in a company's own books, and in those of its sandbox. */
export async function chargesOf(service: TestService, { empresa }: Caller) {
  const [counts] = await service.db.reader(empresa).query<{ kept: bigint; issued: bigint }>(
    `select (select count(*) from cobrancas where tenant_id = $1) as kept,
       (select count(*) from sandbox_cobrancas where tenant_id = $1) as issued`,
    [empresa],
  )
  return { kept: Number(counts!.kept), issued: Number(counts!.issued) }
}

/** What a change leaves behind, with its result: the events of it, each as its kind and data. */
export async function eventsOfChange<T>(
  service: TestService,
  caller: Caller,
  change: () => Promise<T>,
) {
  const before = (await eventsOf(service, caller.empresa)).length
  const result = await change()
  const all = await eventsOf(service, caller.empresa)
  // None is missing.
  assert.deepEqual(
    all.map(({ seq }) => Number(seq)),
    all.map((_, index) => index + 1),
  )
  return { result, events: all.slice(before).map(({ kind, data }) => [kind, data]) }
}

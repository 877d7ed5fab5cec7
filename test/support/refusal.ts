import assert from 'node:assert/strict'
import { eventsOf } from './events.ts'
import type { Answer, Caller, TestService } from './service.ts'

interface Refusal {
  status?: number
  code?: string
  /** Every field that is named, and no other. */
  fields?: string[]
}

export type Refused = (call: () => Promise<Answer>, refusal?: Refusal) => Promise<Answer>

/** Holds that calls are refused as they should be, and that nothing was written to a collection. */
export function refusalsOf(service: TestService, caller: Caller, collection: string): Refused {
  /** Everything that a write could leave behind. */
  const state = async () => ({
    events: await eventsOf(service, caller.empresa),
    list: (await caller.get(`${collection}?limit=1000`)).body,
  })

  return async (call, { status = 400, code = 'invalid-body', fields } = {}) => {
    const before = await state()
    const answer = await call()
    const { body } = answer
    assert.equal(answer.status, status, JSON.stringify(body))
    assert.equal(body.code, code)
    assert.equal(body.error, code)
    assert.equal(body.request_id, answer.headers.get('x-request-id'))
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    if (fields) assert.deepEqual(faultyFields(answer), fields.toSorted())
    assert.deepEqual(await state(), before)
    return answer
  }
}

/** The fields that a refusal names, each once. What a program is told, a person is told too. */
export function faultyFields({ body }: Answer): string[] {
  const faults: { field: string; message: string }[] = body.errors
  for (const { field, message } of faults) {
    assert.ok(body.detail.includes(field), `${field} in ${body.detail}`)
    assert.ok(body.detail.includes(message), `${message} in ${body.detail}`)
  }
  return [...new Set(faults.map(({ field }) => field))].sort()
}

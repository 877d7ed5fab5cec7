// R8: each route × each verb with another company's id answers 404 and changes nothing. It runs over the
// route table itself, so that a route added later cannot be forgotten.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from './support/makers.ts'
import { startService } from './support/service.ts'

const service = await startService()
const owner = await service.caller()
const stranger = await service.caller()
// Totals say when they were read: it is always the same moment.
service.clock.now = () => Date.parse('2026-11-15T12:00:00Z')

for (const operation of service.contract.operations.filter(({ path }) => path.includes('{'))) {
  const collection = operation.path.split('/')[3]!
  test(`${operation.method} ${operation.path} with an id of another company: 404`, async () => {
    const make = makers[collection]
    assert.ok(make, `test/support/makers.ts must make one of ${collection}`)
    const id = await make(owner)
    const path = operation.path.replace('/api/v1', '').replace(/\{\w+\}/g, id)
    const before = await owner.get(`/${collection}`)
    const body = operation.spec.requestBody ? exampleOf(operation.spec.requestBody) : undefined
    const answer = await stranger.call(operation.method, path, { body })
    assert.equal(answer.status, 404)
    assert.equal(answer.body.code, 'not-found')
    assert.deepEqual((await owner.get(`/${collection}`)).body, before.body)
  })
}

for (const operation of service.contract.operations.filter(
  ({ path, method }) => method === 'GET' && !path.includes('{'),
)) {
  test(`${operation.method} ${operation.path} shows nothing of another company`, async () => {
    const path = operation.path.replace('/api/v1', '')
    const before = await stranger.get(path)
    await makers[operation.path.split('/')[3]!]?.(owner)
    assert.deepEqual((await stranger.get(path)).body, before.body)
  })
}

function exampleOf({
  content,
}: {
  content: Record<string, { examples?: Record<string, { value: unknown }>; example?: unknown }>
}) {
  const media = content['application/json']!
  return media.example ?? Object.values(media.examples ?? {})[0]?.value
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support/service.ts'

const service = await startService()
const caller = await service.caller()

const statusOf = async (path: string) => {
  const headers = { authorization: `Bearer ${caller.key}` }
  const response = await fetch(service.url + path, { headers })
  await response.body?.cancel()
  return response.status
}

test('9 the version is a path segment: the routes live below /api/v1', async () => {
  assert.equal(await statusOf('/api/v1/lancamentos'), 200)
})

test('9 every route of the published contract lies below /api/v1', () => {
  const paths = service.contract.operations.map(({ path }) => path)
  assert.ok(paths.length > 0)
  for (const path of paths) assert.match(path, /^\/api\/v1\/\w/)
})

test('9 without the segment, or with that of another version, there is no route', async () => {
  const paths = ['/lancamentos', '/api/lancamentos', '/v1/lancamentos']
  for (const path of [...paths, '/api/v2/lancamentos', '/api/V1/lancamentos']) {
    assert.equal(await statusOf(path), 404, path)
  }
})

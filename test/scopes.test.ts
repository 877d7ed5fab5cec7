// R9: each route × each scope, as the specification's table says. It runs over the route table itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LEGACY_SCOPES, SCOPES } from '../src/auth/scopes.ts'
import { startService } from './support/service.ts'

const service = await startService()

/** Section 5: what each method of a resource needs. Totals are of the entries, events of the webhooks. */
const ACTION: Record<string, string> = {
  GET: 'read',
  POST: 'write',
  PATCH: 'write',
  DELETE: 'delete',
}
const RESOURCE: Record<string, string> = { resumo: 'lancamentos', eventos: 'webhooks' }
const ORDER = ['read', 'write', 'delete']
const LEGACY_REACH = ['lancamentos', 'parceiros', 'categorias']

function isEnough(scope: string, resource: string, action: string): boolean {
  if (scope === 'write') return LEGACY_REACH.includes(resource)
  if (scope === 'read') return LEGACY_REACH.includes(resource) && action === 'read'
  const [ofResource, upTo] = scope.split(':')
  return ofResource === resource && ORDER.indexOf(action) <= ORDER.indexOf(upTo!)
}

for (const { method, path } of service.contract.operations) {
  const segment = path.split('/')[3]!
  const resource = RESOURCE[segment] ?? segment
  const action = ACTION[method]!
  test(`${method} ${path} needs ${resource}:${action}`, async () => {
    for (const scope of [...SCOPES, ...LEGACY_SCOPES]) {
      const caller = await service.caller({ scopes: [scope] })
      const url = path.replace('/api/v1', '').replace(/\{\w+\}/g, crypto.randomUUID())
      const { status, body } = await caller.call(method, url)
      if (isEnough(scope, resource, action)) {
        assert.notEqual(status, 403, `${scope} opens it`)
        continue
      }
      assert.equal(status, 403, `${scope} does not open it`)
      assert.equal(body.code, 'insufficient-scope')
      assert.equal(body.scope, `${resource}:${action}`)
    }
  })
}

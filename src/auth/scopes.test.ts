import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allows, LEGACY_SCOPES, PRESETS, SCOPES, type Scope } from './scopes.ts'

const granted = (scopes: string[]) => SCOPES.filter((needed) => allows(scopes, needed)).sort()

test('there are the thirteen scopes of the specification', () => {
  assert.deepEqual(SCOPES, [
    'lancamentos:read',
    'lancamentos:write',
    'lancamentos:delete',
    'parceiros:read',
    'parceiros:write',
    'parceiros:delete',
    'categorias:read',
    'categorias:write',
    'cobrancas:read',
    'cobrancas:write',
    'webhooks:read',
    'webhooks:write',
    'webhooks:delete',
  ])
})

test('within a resource, delete includes write, which includes read; other resources stay closed', () => {
  assert.deepEqual(granted(['parceiros:read']), ['parceiros:read'])
  assert.deepEqual(granted(['parceiros:write']), ['parceiros:read', 'parceiros:write'])
  assert.deepEqual(granted(['webhooks:delete']), [
    'webhooks:delete',
    'webhooks:read',
    'webhooks:write',
  ])
  assert.deepEqual(granted([]), [])
})

test('legacy words keep their reach: never charges, never webhooks; write also deletes', () => {
  const reached = SCOPES.filter((scope) => /^(lancamentos|parceiros|categorias):/.test(scope))
  assert.deepEqual(granted(['write']), [...reached].sort())
  assert.deepEqual(granted(['read']), reached.filter((scope) => scope.endsWith(':read')).sort())
})

test('no preset and no legacy word holds a scope of charges or webhooks', () => {
  const later: Scope[] = SCOPES.filter((scope) => /^(cobrancas|webhooks):/.test(scope))
  assert.equal(later.length, 5)
  for (const scopes of [...Object.values(PRESETS), ...LEGACY_SCOPES.map((word) => [word])]) {
    for (const scope of later) assert.equal(allows(scopes, scope), false)
  }
})

test('presets are as the contract lists them', () => {
  assert.deepEqual(PRESETS, {
    leitura: ['lancamentos:read', 'parceiros:read', 'categorias:read'],
    'leitura-escrita': ['lancamentos:write', 'parceiros:write', 'categorias:write'],
    total: ['lancamentos:delete', 'parceiros:delete', 'categorias:write'],
  })
})

test('what only looks like a scope grants nothing', () => {
  for (const odd of ['lancamentos', 'lancamentos:', ':read', 'lancamentos:admin', 'Read', '']) {
    assert.deepEqual(granted([odd]), [], odd)
  }
})

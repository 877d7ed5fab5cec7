import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastro } from '../../test/support/process.ts'
import { startService } from '../../test/support/service.ts'

const service = await startService()
const env = { DATABASE_URL: service.databaseUrl }
const { empresa } = await service.caller()

const chaves = (...args: string[]) => lastro(['chaves', ...args], env)
const use = (key: string) => service.call('GET', '/lancamentos', { headers: { 'x-api-key': key } })

describe('chaves create', () => {
  test('prints the key once, and it works at once', async () => {
    const { code, out } = await chaves(
      'create',
      '--empresa',
      empresa,
      '--preset',
      'leitura',
      '--json',
    )
    assert.equal(code, 0)
    assert.equal(out.trim().split('\n').length, 1)
    const { id, key } = JSON.parse(out)
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.equal((await use(key)).status, 200)
    const list = await chaves('list', '--empresa', empresa, '--json')
    assert.ok(!list.out.includes(key))
  })

  test('takes scopes, legacy words, a name and a validity', async () => {
    const made = await chaves(
      ...['create', '--empresa', empresa, '--scopes', 'read, cobrancas:write', '--json'],
      ...['--nome', 'Integração', '--expires-at', '2030-01-31'],
    )
    const { id } = JSON.parse(made.out)
    const list = JSON.parse((await chaves('list', '--empresa', empresa, '--json')).out)
    const chave = list.find((each: { id: string }) => each.id === id)
    assert.deepEqual(chave.scopes, ['read', 'cobrancas:write'])
    assert.equal(chave.nome, 'Integração')
    assert.equal(chave.expira_em, '2030-02-01T03:00:00.000Z')
    assert.equal(chave.revogada_em, null)
  })

  test('refuses in one sentence what it cannot make', async () => {
    const create = ['create', '--empresa', empresa]
    for (const [args, reason] of [
      [[...create], /either --scopes or --preset/],
      [[...create, '--scopes', 'read', '--preset', 'total'], /either --scopes or --preset/],
      [[...create, '--preset', 'tudo'], /no preset tudo.*leitura, leitura-escrita, total/],
      [[...create, '--scopes', 'lancamentos:fly'], /Unknown scope lancamentos:fly/],
      [[...create, '--scopes', 'read', '--expires-at', '2026-02-30'], /neither a day/],
      [[...create, '--scopes', 'read', '--expires-at', 'amanhã'], /neither a day/],
      [['create', '--empresa', crypto.randomUUID(), '--scopes', 'read'], /no company/],
    ] as const) {
      const { code, err, out } = await chaves(...args)
      assert.equal(code, 1)
      assert.match(err, reason)
      assert.equal(err.trim().split('\n').length, 1)
      assert.equal(out, '')
    }
  })
})

test('chaves revoke ends a key; twice is no mistake; an unknown one is said to be', async () => {
  const { id, key } = JSON.parse(
    (await chaves('create', '--empresa', empresa, '--preset', 'total', '--json')).out,
  )
  assert.equal((await chaves('revoke', id)).code, 0)
  assert.deepEqual(JSON.parse((await chaves('revoke', id, '--json')).out), { id })
  assert.equal((await use(key)).body.code, 'revoked-api-key')
  for (const unknown of ['x', crypto.randomUUID()]) {
    const { code, err } = await chaves('revoke', unknown)
    assert.equal(code, 1)
    assert.match(err, /There is no key/)
  }
})

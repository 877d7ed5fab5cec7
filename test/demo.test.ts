import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from './support/delivery.ts'
import { dataFolder, lastro, serve, temporaryFolder } from './support/process.ts'

const empresas = async (env: Record<string, string>) =>
  JSON.parse((await lastro(['empresas', 'list', '--json'], env)).out)

test('the first start makes a company to try, and prints its key once with a call that works', async () => {
  const env = { LASTRO_DATA_DIR: temporaryFolder(), LASTRO_DEMO: 'on' }
  const first = await serve(env)
  const key = await eventually(
    async () => /svc_live_\w{32}/.exec(first.printed())?.[0] ?? '',
    (printed) => printed !== '',
  )
  assert.match(
    first.printed(),
    new RegExp(`curl -H "Authorization: Bearer ${key}" "${first.url}/api`),
  )
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${first.url}/api/v1/lancamentos?limit=1000`, { headers })
  const { items, total } = (await response.json()) as {
    items: { tipo: string; status: string }[]
    total: number
  }
  assert.equal(items.length, total)
  assert.ok(total > 300)
  assert.deepEqual([...new Set(items.map(({ tipo }) => tipo))].sort(), [
    'despesa',
    'receita',
    'transferencia',
  ])
  assert.deepEqual([...new Set(items.map(({ status }) => status))].sort(), [
    'cancelado',
    'em_aberto',
    'pago',
  ])
  const charges = await fetch(`${first.url}/api/v1/cobrancas`, { headers })
  const { items: cobrancas } = (await charges.json()) as { items: { status: string }[] }
  assert.deepEqual([...new Set(cobrancas.map(({ status }) => status))].sort(), [
    'cancelada',
    'emitindo',
    'estornada',
    'falhou',
    'paga',
    'pendente',
    'vencida',
  ])
  await first.end()

  const [empresa] = await empresas(env)
  assert.equal(empresa.nome, 'Empresa Demonstração')
  assert.deepEqual(empresa.modulos, ['cobrancas', 'integracoes'])

  const second = await serve(env)
  const { out } = await second.end()
  assert.doesNotMatch(out, /svc_live_/)
  const command = /npm run -s lastro -- (chaves create .*)/.exec(out)![1]!
  const made = await lastro([...command.split(' '), '--json'], env)
  assert.match(JSON.parse(made.out).key, /^svc_live_/)
  assert.equal((await empresas(env)).length, 1)
})

test('LASTRO_DEMO=off makes nothing and prints nothing of it', async () => {
  const env = { LASTRO_DATA_DIR: await dataFolder(), LASTRO_DEMO: 'off' }
  const { out } = await (await serve(env)).end()
  assert.doesNotMatch(out, /svc_live_|demonstration/)
  assert.deepEqual(await empresas(env), [])
})

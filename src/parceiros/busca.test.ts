import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CNPJ, CPF, createParceiro } from '../../test/support/parceiro.ts'
import { signIn } from '../../test/support/pessoa.ts'
import { startService } from '../../test/support/service.ts'

const service = await startService()
const api = await service.caller()
const pessoa = await signIn(service, { empresa: api.empresa, papel: 'leitura' })

const found = async (query: Record<string, string>) => {
  const { status, body } = await pessoa.get(`/parceiros-busca?${new URLSearchParams(query)}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total, body.items.length)
  return body.items.map(({ nome }: { nome: string }) => nome)
}

test('a partner is found by name, whatever its case and accents, and by document', async () => {
  await createParceiro(api, { nome: 'Padaria São João', documento: CNPJ, tipo: 'fornecedor' })
  await createParceiro(api, { nome: 'João 100%', documento: CPF, ativo: false })
  await createParceiro(api, { nome: 'José' })
  const stranger = await signIn(service)
  assert.deepEqual(await found({}), ['João 100%', 'José', 'Padaria São João'])
  for (const busca of ['joao', 'JOÃO', 'joão'.normalize('NFD')]) {
    assert.deepEqual(await found({ busca }), ['João 100%', 'Padaria São João'])
  }
  assert.deepEqual(await found({ busca: '0%' }), ['João 100%'])
  assert.deepEqual(await found({ busca: '11.222.333/0001-81' }), ['Padaria São João'])
  assert.deepEqual(await found({ busca: '529.982' }), ['João 100%'])
  assert.deepEqual(await found({ busca: '-' }), [])
  assert.deepEqual(await found({ busca: 'joao', ativo: 'true' }), ['Padaria São João'])
  assert.deepEqual(await found({ busca: 'joao', tipo: 'cliente' }), ['João 100%'])
  const { items } = (await api.get('/parceiros')).body
  const ids = items.map(({ id }: { id: string }) => id)
  assert.deepEqual(await found({ ids: [ids[1], ids[0]].join() }), ['João 100%', 'José'])
  const others = `/parceiros-busca?ids=${ids}`
  assert.equal((await stranger.get(others)).body.total, 0)
  assert.equal((await pessoa.get('/parceiros-busca?ids=x')).status, 400)
  assert.equal((await stranger.get('/parceiros-busca?busca=joao')).body.total, 0)
  assert.equal((await pessoa.get('/parceiros-busca?busca=')).status, 400)
  assert.equal((await pessoa.get('/parceiros-busca?nome=x')).status, 400)
})

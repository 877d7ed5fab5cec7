import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLancamento } from '../../test/support/lancamento.ts'
import { createParceiro } from '../../test/support/parceiro.ts'
import { signIn } from '../../test/support/pessoa.ts'
import { startService } from '../../test/support/service.ts'

const service = await startService()

test('an open page learns what has changed since it last asked, in its own company alone', async () => {
  const api = await service.caller()
  const other = await service.caller()
  const pessoa = await signIn(service, { empresa: api.empresa, papel: 'leitura' })
  const ask = async (query = '') => (await pessoa.get(`/mudancas${query}`)).body

  await createLancamento(api)
  assert.deepEqual(await ask(), { seq: 1, recursos: [] })
  await createLancamento(api)
  await createLancamento(api)
  await createParceiro(api)
  await createParceiro(other)
  const { seq, recursos } = await ask('?desde=1')
  assert.equal(seq, 4)
  assert.deepEqual(recursos.sort(), ['lancamento', 'parceiro'])
  assert.deepEqual(await ask('?desde=4'), { seq: 4, recursos: [] })
  assert.equal((await pessoa.call('GET', `/e/${other.empresa}/mudancas`)).status, 404)
  assert.equal((await pessoa.get('/mudancas?desde=-1')).status, 400)
  assert.deepEqual(await ask(`?desde=${'9'.repeat(20)}`), { seq: 4, recursos: [] })
})

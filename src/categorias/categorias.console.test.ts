import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsOf } from '../../test/support/events.ts'
import { createLancamento, UNKNOWN_ID } from '../../test/support/lancamento.ts'
import { signIn } from '../../test/support/pessoa.ts'
import { faultyFields } from '../../test/support/refusal.ts'
import { type Answer, startService } from '../../test/support/service.ts'
import type { Categoria } from './schema.ts'

const service = await startService()
const api = await service.caller()
const { empresa } = api
const pessoa = await signIn(service, { empresa, papel: 'financeiro' })
const leitura = await signIn(service, { empresa, papel: 'leitura' })

function done({ status, body }: Answer, expected = 200): Categoria {
  assert.equal(status, expected, JSON.stringify(body))
  return body.item
}

async function refused(answer: Promise<Answer>, status: number, code: string, ...fields: string[]) {
  const { headers, body, ...rest } = await answer
  assert.deepEqual([rest.status, body.code], [status, code], JSON.stringify(body))
  if (fields.length > 0) assert.deepEqual(faultyFields({ ...rest, headers, body }), fields)
}

const area = async (nome: string) => done(await pessoa.post('/categorias', { nome }), 201)
const within = ({ id }: Categoria, nome: string) =>
  pessoa.post(`/categorias/${id}/subcategorias`, { nome })
const change = ({ id }: Categoria, fields: object) => pessoa.patch(`/categorias/${id}`, fields)
const remove = ({ id }: Categoria) => pessoa.delete(`/categorias/${id}`)
const events = async () =>
  (await eventsOf(service, empresa)).map(({ kind, data }) => [kind, data] as const)

test('a subcategory is made, renamed, moved and deleted, each with its event', async () => {
  const before = (await events()).length
  const vendas = await area('Vendas')
  const custos = await area('Custos')
  const made = done(await within(vendas, 'Loja'), 201)
  assert.deepEqual([made.nome, made.area_id], ['Loja', vendas.id])
  const renamed = done(await change(made, { nome: 'Loja física' }))
  assert.deepEqual(renamed, {
    ...made,
    nome: 'Loja física',
    atualizado_em: renamed.atualizado_em,
  })
  assert.ok(renamed.atualizado_em > made.atualizado_em)
  const moved = done(await change(made, { area_id: custos.id }))
  assert.deepEqual([moved.nome, moved.area_id], ['Loja física', custos.id])
  const raised = done(await change(made, { area_id: null }))
  assert.equal(raised.area_id, null)
  const lowered = done(await change(made, { area_id: vendas.id, nome: 'Loja' }))
  assert.deepEqual(done(await change(made, lowered)), lowered)
  assert.deepEqual(done(await remove(made)), lowered)
  await refused(remove(made), 404, 'not-found')
  const updates = [renamed, moved, raised, lowered].map(
    (categoria) => ['categoria.updated', { categoria }] as const,
  )
  assert.deepEqual((await events()).slice(before), [
    ...[vendas, custos, made].map((categoria) => ['categoria.created', { categoria }]),
    ...updates,
    ['categoria.deleted', { categoria: lowered }],
  ])
})

test('a name is taken once in its level, however it is written', async () => {
  const [first, second] = [await area('Ação'), await area('Outra')]
  const sub = done(await within(first, 'Água'), 201)
  const same = done(await within(second, 'ÁGUA'), 201)
  const before = await events()
  const duplicate = [409, 'duplicate-name'] as const
  await refused(within(first, 'água'.normalize('NFD')), ...duplicate)
  await refused(change(second, { nome: 'AÇÃO' }), ...duplicate)
  await refused(change(same, { area_id: first.id }), ...duplicate)
  await refused(change(sub, { area_id: second.id }), ...duplicate)
  assert.deepEqual(await events(), before)
  assert.equal(done(await change(first, { nome: 'AÇÃO' })).nome, 'AÇÃO')
})

test('there are two levels: an area is put into another only where it is empty', async () => {
  const [full, empty] = [await area('Cheia'), await area('Vazia')]
  const sub = done(await within(full, 'Dentro'), 201)
  await refused(change(full, { area_id: empty.id }), 400, 'invalid-body', 'area_id')
  await refused(change(empty, { area_id: sub.id }), 400, 'invalid-body', 'area_id')
  await refused(change(empty, { area_id: empty.id }), 400, 'invalid-body', 'area_id')
  await refused(change(sub, { area_id: UNKNOWN_ID }), 400, 'invalid-body', 'area_id')
  await refused(within(sub, 'Mais fundo'), 404, 'not-found')
  assert.equal(done(await change(empty, { area_id: full.id })).area_id, full.id)
})

test('what is in use is not deleted', async () => {
  const usada = await area('Usada')
  const sub = done(await within(usada, 'Parte'), 201)
  const entry = await createLancamento(api, { categoria_id: sub.id })
  await refused(remove(usada), 409, 'categoria-in-use')
  await refused(remove(sub), 409, 'categoria-in-use')
  assert.equal((await api.delete(`/lancamentos/${entry.id}`)).status, 200)
  done(await remove(sub))
  done(await remove(usada))
})

test('who has seen an older version is told so before it is overwritten', async () => {
  const seen = await area('Vista')
  const since = done(await change(seen, { nome: 'Revista' }))
  const { atualizado_em } = seen
  const late = change(seen, { nome: 'Minha', atualizado_em })
  await refused(late, 400, 'invalid-body', 'atualizado_em')
  const again = { nome: 'Minha', atualizado_em: since.atualizado_em }
  assert.equal(done(await change(seen, again)).nome, 'Minha')
})

test('faulty bodies, other companies, readers and programs are refused', async () => {
  const mine = await area('Minha área')
  const stranger = await signIn(service)
  const before = await events()
  const path = `/categorias/${mine.id}`
  const fault = [400, 'invalid-body'] as const
  await refused(change(mine, { nome: '' }), ...fault, 'nome')
  await refused(change(mine, {}), ...fault)
  await refused(change(mine, { nome: 'x', cor: 'azul' }), ...fault, 'cor')
  const sub = { nome: 'x', area_id: mine.id }
  await refused(pessoa.post(`${path}/subcategorias`, sub), ...fault, 'area_id')
  await refused(pessoa.delete(`${path}?forcar=1`), 400, 'invalid-query', 'forcar')
  for (const [who, status, code] of [
    [stranger, 404, 'not-found'],
    [leitura, 403, 'insufficient-role'],
  ] as const) {
    await refused(who.post(`${path}/subcategorias`, { nome: 'x' }), status, code)
    await refused(who.patch(path, { nome: 'x' }), status, code)
    await refused(who.delete(path), status, code)
  }
  const own = done(await stranger.post('/categorias', { nome: 'Alheia' }), 201)
  await refused(change(mine, { area_id: own.id }), ...fault, 'area_id')
  await refused(api.post(`${path}/subcategorias`, { nome: 'x' }), 404, 'not-found')
  await refused(api.patch(path, { nome: 'x' }), 404, 'not-found')
  await refused(api.delete(path), 404, 'not-found')
  assert.deepEqual(await events(), before)
})

test('an id is the same in either case', async () => {
  const before = await area('Maiúscula')
  const own = { area_id: before.id.toUpperCase() }
  await refused(change(before, own), 400, 'invalid-body', 'area_id')
  const made = done(await within({ ...before, id: before.id.toUpperCase() }, 'Dentro'), 201)
  assert.equal(made.area_id, before.id)
  assert.deepEqual(done(await change(made, own)), made)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLancamento } from '../../test/support/lancamento.ts'
import { lastro } from '../../test/support/process.ts'
import { startService } from '../../test/support/service.ts'
import { createChave } from '../chaves/chaves.ts'
import { SYSTEM } from '../events/outbox.ts'
import { createParceiro } from '../parceiros/parceiros.ts'
import { listAuditoria } from './auditoria.ts'

const service = await startService()
const env = { DATABASE_URL: service.databaseUrl }

test('who did what to which record, and what each field was and became', async () => {
  const caller = await service.caller()
  const { empresa } = caller
  const scopes = ['lancamentos:write']
  const erp = await createChave(service.db, { empresa, scopes, nome: 'ERP' })
  const { id } = await createLancamento(caller, { valor: 10 })
  await createLancamento(caller)
  await service.call('PATCH', `/lancamentos/${id}`, {
    body: { valor: 12.5, centro_custo: 'Loja' },
    headers: { authorization: `Bearer ${erp.key}`, 'x-request-id': 'pedido-7' },
  })
  await caller.delete(`/lancamentos/${id}`)

  const acts = await listAuditoria(service.db, { empresa, registro: id, limit: 50 })
  assert.deepEqual(
    acts.map(({ kind, seq }) => [kind, seq]),
    [
      ['lancamento.deleted', 4],
      ['lancamento.updated', 3],
      ['lancamento.created', 1],
    ],
  )
  const [deleted, updated, created] = acts
  assert.deepEqual(updated!.actor, { kind: 'chave', id: erp.id, nome: 'ERP' })
  assert.ok(updated!.request_id)
  assert.deepEqual(updated!.changes, [
    { field: 'valor', before: 10, after: 12.5 },
    { field: 'centro_custo', before: null, after: 'Loja' },
  ])
  assert.deepEqual(deleted!.changes, [])
  assert.deepEqual(
    created!.changes.find(({ field }) => field === 'valor'),
    { field: 'valor', before: null, after: 10 },
  )

  const { out } = await lastro(['auditoria', 'list', '--empresa', empresa, '--limit', '2'], env)
  assert.match(out, /^4 {2}\S+ {2}lancamento\.deleted \S+ by key \S+, request \S+\n3 /)
  assert.match(out, /by key "ERP" .*\n {2}valor: 10 → 12\.5\n {2}centro_custo: null → "Loja"\n$/)
})

test('what the service does by itself is of the system, and no company sees another', async () => {
  const [one, other] = [await service.caller(), await service.caller()]
  await createLancamento(other)
  await service.db.write(one.empresa, (tx) =>
    createParceiro(tx, SYSTEM, { nome: 'Feito pelo sistema' }),
  )
  const { code, out } = await lastro(['auditoria', 'list', '--empresa', one.empresa, '--json'], env)
  assert.equal(code, 0)
  const acts = JSON.parse(out)
  assert.equal(acts.length, 1)
  assert.deepEqual(acts[0].actor, { kind: 'sistema', id: null, nome: null })
})

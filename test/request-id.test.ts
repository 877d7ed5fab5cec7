import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveriesOf, eventually, passTime, startWorker, subscribe } from './support/delivery.ts'
import { aLancamento } from './support/lancamento.ts'
import { startReceiver } from './support/receiver.ts'
import { startService } from './support/service.ts'

test('one id leads from the call through its event to each attempt to tell of it', async () => {
  const service = await startService()
  startWorker(service)
  const caller = await service.caller()
  const receiver = await startReceiver()
  receiver.answer = (response) => response.writeHead(receiver.received.length > 1 ? 200 : 500).end()
  await subscribe(caller, receiver.url)
  const { headers } = await caller.post('/lancamentos', aLancamento)
  const requestId = headers.get('x-request-id')!
  await eventually(
    () => deliveriesOf(service, caller),
    ([delivery]) => delivery!.attempts === 1n && !delivery!.leased,
  )
  await passTime(service, caller)
  const [delivery] = await eventually(
    () => deliveriesOf(service, caller),
    ([delivery]) => delivery!.state === 'delivered',
  )

  const [event] = await service.db
    .reader(caller.empresa)
    .query<{ request_id: string }>('select request_id from events where tenant_id = $1', [
      caller.empresa,
    ])
  assert.equal(event!.request_id, requestId)
  const lines = service.log.map((line) => JSON.parse(line))
  const joined = lines.filter((line) => line.requestId === requestId)
  assert.deepEqual(
    joined.map(({ msg, route, delivery, status }) => [msg, route ?? delivery, status]),
    [
      ['request', '/api/v1/lancamentos', 201],
      ['webhook attempt', delivery!.id, 500],
      ['webhook attempt', delivery!.id, 200],
    ],
  )
})

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { startWorker, subscribe } from '../../test/support/delivery.ts'
import { createLancamento, UNKNOWN_ID } from '../../test/support/lancamento.ts'
import { isGenuine, type Received, startReceiver } from '../../test/support/receiver.ts'
import { refusalsOf } from '../../test/support/refusal.ts'
import { type Caller, startService } from '../../test/support/service.ts'

const service = await startService()
startWorker(service)

/** As the libraries of Standard Webhooks do: one signature of those that are there will do. */
function accepts({ headers, raw }: Received, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return signaturesOf({ headers }).includes(expected)
}

const signaturesOf = ({ headers }: Pick<Received, 'headers'>) =>
  String(headers['webhook-signature']).split(' ')

async function rotate(caller: Caller, id: string, body: object = {}) {
  const answer = await caller.post(`/webhooks/${id}/rotate-secret`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as { item: Record<string, unknown>; secret: string }
}

/** A subscription, and how its next delivery is received. */
async function subscribed() {
  const caller = await service.caller()
  const receiver = await startReceiver()
  const { id, secret } = await subscribe(caller, receiver.url)
  const next = async () => {
    const count = receiver.received.length
    await createLancamento(caller)
    return (await receiver.until(count + 1))[count]!
  }
  return { caller, id, secret, next, receiver }
}

/** Which secrets a delivery is accepted by: our header's, and those of Standard Webhooks. */
function signers(received: Received, secrets: Record<string, string>) {
  const by = (check: (secret: string) => boolean) =>
    Object.keys(secrets).filter((name) => check(secrets[name]!))
  return {
    ours: by((secret) => isGenuine(received, secret, Date.now())),
    theirs: by((secret) => accepts(received, secret)),
    count: signaturesOf(received).length,
  }
}

const hoursOf = ({ item }: { item: Record<string, unknown> }) =>
  Math.round(
    (Date.parse(item.segredo_anterior_ate as string) - Date.parse(item.atualizado_em as string)) /
      3_600_000,
  )

describe('a new secret', () => {
  test('is shown once, beside the subscription, and is another', async () => {
    const { caller, id, secret: old } = await subscribed()
    const { item, secret } = await rotate(caller, id)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.notEqual(secret, old)
    assert.equal(item.id, id)
    assert.equal(item.secret, undefined)
    const [listed] = (await caller.get('/webhooks')).body.items
    assert.deepEqual(listed, item)
  })

  test('is in no other answer, no line of the log, and sealed where it is kept', async () => {
    const { caller, id, next, secret: old } = await subscribed()
    const { item, secret } = await rotate(caller, id)
    await next()
    const answers = await Promise.all([
      caller.get('/webhooks'),
      caller.get('/eventos'),
      caller.get(`/webhooks/${id}/deliveries`),
      caller.patch(`/webhooks/${id}`, { name: 'outro' }),
      caller.post(`/webhooks/${id}/test`, { event: 'lancamento.paid' }),
    ])
    const [row] = await service.db
      .reader(caller.empresa)
      .query<{ row: string }>(
        'select to_jsonb(w)::text as row from webhooks w where tenant_id = $1',
        [caller.empresa],
      )
    assert.match(row!.row, /"secret_anterior": "[^"]/)
    const text = JSON.stringify([item, row, service.log, answers.map(({ body }) => body)])
    for (const each of [old, secret]) assert.ok(!text.includes(each.slice('whsec_'.length)))
  })

  test('signs beside the old one, which is last, and alone in X-SVC-Signature', async () => {
    const { caller, id, next, secret: old } = await subscribed()
    const { secret } = await rotate(caller, id)
    const received = await next()
    assert.deepEqual(signers(received, { old, new: secret }), {
      ...{ ours: ['new'], theirs: ['old', 'new'], count: 2 },
    })
    const [first] = signaturesOf(received)
    const alone = { ...received, headers: { ...received.headers, 'webhook-signature': first } }
    assert.ok(accepts(alone, secret))
  })

  test('signs alone when the old one has had its time', async () => {
    const { caller, id, next, secret: old } = await subscribed()
    const { secret } = await rotate(caller, id, { horas: 168 })
    await service.db.write(caller.empresa, (tx) =>
      tx.query('update webhooks set anterior_ate = clock_timestamp() where tenant_id = $1', [
        caller.empresa,
      ]),
    )
    assert.deepEqual(signers(await next(), { old, new: secret }), {
      ...{ ours: ['new'], theirs: ['new'], count: 1 },
    })
    const [item] = (await caller.get('/webhooks')).body.items
    assert.equal(item.segredo_anterior_ate, null)
  })

  test('ends the old one at once where it is given no hours', async () => {
    const { caller, id, next, secret: old } = await subscribed()
    const { item, secret } = await rotate(caller, id, { horas: 0 })
    assert.equal(item.segredo_anterior_ate, null)
    assert.deepEqual(signers(await next(), { old, new: secret }), {
      ...{ ours: ['new'], theirs: ['new'], count: 1 },
    })
    const [row] = await service.db
      .reader(caller.empresa)
      .query('select secret_anterior, anterior_ate from webhooks where tenant_id = $1', [
        caller.empresa,
      ])
    assert.deepEqual(row, { secret_anterior: null, anterior_ate: null })
  })

  test('drops the oldest of three', async () => {
    const { caller, id, next, secret: oldest } = await subscribed()
    const { secret: old } = await rotate(caller, id)
    const { secret } = await rotate(caller, id)
    assert.deepEqual(signers(await next(), { oldest, old, new: secret }), {
      ...{ ours: ['new'], theirs: ['old', 'new'], count: 2 },
    })
  })

  test('with no hours ends both that were in force', async () => {
    const { caller, id, next, secret: oldest } = await subscribed()
    const { secret: old } = await rotate(caller, id)
    const { secret } = await rotate(caller, id, { horas: 0 })
    assert.deepEqual(signers(await next(), { oldest, old, new: secret }).theirs, ['new'])
  })

  test('signs what waited for it', async () => {
    const { caller, id, receiver, secret: old } = await subscribed()
    await caller.patch(`/webhooks/${id}`, { ativo: false })
    await createLancamento(caller)
    const { secret } = await rotate(caller, id, { horas: 1 })
    await caller.patch(`/webhooks/${id}`, { ativo: true })
    const [received] = await receiver.until(1)
    assert.deepEqual(signers(received!, { old, new: secret }), {
      ...{ ours: ['new'], theirs: ['old', 'new'], count: 2 },
    })
  })

  test('signs examples as it signs deliveries', async () => {
    const { caller, id, receiver, secret: old } = await subscribed()
    const { secret } = await rotate(caller, id)
    await caller.post(`/webhooks/${id}/test`, { event: 'nfse.emitida' })
    assert.deepEqual(signers(receiver.received[0]!, { old, new: secret }), {
      ...{ ours: ['new'], theirs: ['old', 'new'], count: 2 },
    })
  })

  test('of one subscription leaves another as it was', async () => {
    const { caller, id } = await subscribed()
    const other = await startReceiver()
    const { secret } = await subscribe(caller, other.url)
    await rotate(caller, id)
    await createLancamento(caller)
    const [received] = await other.until(1)
    assert.deepEqual(signers(received!, { own: secret }), {
      ...{ ours: ['own'], theirs: ['own'], count: 1 },
    })
  })

  test('answers what a receiver echoes of the old one without it', async () => {
    const { caller, id, secret: old, receiver } = await subscribed()
    const { secret } = await rotate(caller, id)
    receiver.answer = (response, { headers }) =>
      response.end(`${old} ${secret} ${headers['webhook-signature']}`)
    const { body } = await caller.post(`/webhooks/${id}/test`, { event: 'lancamento.created' })
    assert.equal(body.item.response.body, '… … v1,… v1,…')
  })
})

describe('the hours of the old one', () => {
  for (const [sent, hours] of [
    [{}, 24],
    [{ horas: null }, 24],
    [{ horas: 1 }, 1],
    [{ horas: 168 }, 168],
  ] as const) {
    test(`are ${hours} for ${JSON.stringify(sent)}`, async () => {
      const { caller, id } = await subscribed()
      assert.equal(hoursOf(await rotate(caller, id, sent)), hours)
    })
  }

  for (const body of [
    ...[-1, 169, 1.5, '24', true, [], 1e21].map((horas) => ({ horas })),
    { hours: 24 },
    { horas: 24, secret: 'whsec_x' },
  ]) {
    test(`are refused in ${JSON.stringify(body)}, and nothing is replaced`, async () => {
      const { caller, id, next, secret } = await subscribed()
      const fields = Object.keys(body).filter((field) => field !== 'horas' || !('secret' in body))
      const isRefused = refusalsOf(service, caller, '/webhooks')
      await isRefused(() => caller.post(`/webhooks/${id}/rotate-secret`, body), { fields })
      assert.ok(isGenuine(await next(), secret, Date.now()))
    })
  }
})

test('the secret of what is not there cannot be replaced: 404', async () => {
  const { caller, id, next, secret } = await subscribed()
  const stranger = await service.caller()
  for (const [who, of] of [
    [stranger, id],
    [caller, UNKNOWN_ID],
    [caller, 'x'],
  ] as const) {
    const { status, body } = await who.post(`/webhooks/${of}/rotate-secret`, {})
    assert.deepEqual([status, body.code], [404, 'not-found'])
  }
  assert.ok(isGenuine(await next(), secret, Date.now()))
})

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeCertificates, NO_OPENSSL } from '../../test/support/certificate.ts'
import { attemptsOf, deliveriesOf, subscribe } from '../../test/support/delivery.ts'
import { eventsOf } from '../../test/support/events.ts'
import { createLancamento, UNKNOWN_ID } from '../../test/support/lancamento.ts'
import { freePort } from '../../test/support/process.ts'
import { isGenuine, startReceiver } from '../../test/support/receiver.ts'
import { refusalsOf } from '../../test/support/refusal.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import { EVENT_KINDS } from '../events/catalogue.ts'
import type { Attempt } from './delivery-schema.ts'

const service = await startService()
const certificates = NO_OPENSSL ? undefined : makeCertificates()
if (certificates) setDefaultCACertificates([...getCACertificates('default'), certificates.ca])

async function tryOut(caller: Caller, id: string, event = 'lancamento.created'): Promise<Attempt> {
  const { status, body } = await caller.post(`/webhooks/${id}/test`, { event })
  assert.equal(status, 200, JSON.stringify(body))
  return body.item
}

/** What is said of an example that is sent there. */
async function trialOf(url: string, meanwhile = () => {}): Promise<Attempt> {
  const caller = await service.caller()
  const { id } = await subscribe(caller, url)
  meanwhile()
  return tryOut(caller, id)
}

describe('an example', () => {
  test('is signed, and answered with what came back', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver({
      answer: (response) => response.writeHead(201, { 'x-own': 'a' }).end('recebido'),
    })
    const { id, secret } = await subscribe(caller, receiver.url)
    const shown = await tryOut(caller, id)
    const [got] = receiver.received
    assert.ok(isGenuine(got!, secret, Date.now()))
    const { 'webhook-id': of, 'webhook-timestamp': at, 'webhook-signature': theirs } = got!.headers
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`${of}.${at}.${got!.raw}`).digest('base64')
    assert.equal(theirs, `v1,${signature}`)
    assert.equal(shown.response!.status, 201)
    assert.equal(shown.response!.body, 'recebido')
    assert.ok(shown.response!.headers.some(({ name, value }) => name === 'x-own' && value === 'a'))
    assert.deepEqual(
      [shown.error, shown.diagnosis, shown.address, shown.request.url],
      [null, null, '127.0.0.1', receiver.url],
    )
    assert.equal(shown.request.body, got!.raw)
    assert.equal(shown.request.headers['webhook-id'], of)
    assert.equal(shown.request.headers['x-svc-sequence'], '0')
    assert.ok(!Object.keys(shown.request.headers).some((name) => name.includes('signature')))
    assert.ok(!JSON.stringify(shown).includes(signature))
  })

  test('of every kind is what the document says of it', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    const { id } = await subscribe(caller, receiver.url)
    for (const kind of EVENT_KINDS) await tryOut(caller, id, kind)
    assert.deepEqual(
      receiver.received.map(({ body }) => body.event),
      EVENT_KINDS,
    )
    for (const { body } of receiver.received) service.contract.checkEvent(body)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, EVENT_KINDS.length)
  })

  test('is no event and no delivery, and nothing is noted of its receiver', async () => {
    const caller = await service.caller()
    const { url } = await startReceiver({ answer: (response) => response.writeHead(410).end() })
    const { id } = await subscribe(caller, url)
    const before = (await caller.get('/webhooks')).body
    const { response, diagnosis } = await tryOut(caller, id)
    assert.equal(response!.status, 410)
    assert.match(diagnosis!, /410/)
    assert.deepEqual((await caller.get('/webhooks')).body, before)
    assert.deepEqual(await deliveriesOf(service, caller), [])
    assert.deepEqual(await attemptsOf(service, caller), [])
    assert.deepEqual(await eventsOf(service, caller.empresa), [])
    assert.equal((await caller.get(`/webhooks/${id}/deliveries`)).body.total, 0)
  })

  test('is sent though the subscription is paused, and of kinds that it has not chosen', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    const { id } = await subscribe(caller, receiver.url)
    await caller.patch(`/webhooks/${id}`, { ativo: false })
    assert.equal((await tryOut(caller, id, 'parceiro.deleted')).response!.status, 200)
    assert.equal(receiver.received.length, 1)
  })

  test('that is refused is answered with the reason', async () => {
    const { url } = await startReceiver({
      answer: (response) => response.writeHead(422).end('assinatura inválida'),
    })
    const { response, diagnosis, error } = await trialOf(url)
    assert.deepEqual([response!.status, response!.body, error], [422, 'assinatura inválida', null])
    assert.match(diagnosis!, /422/)
  })

  test('that is redirected is not followed', async () => {
    const elsewhere = await startReceiver()
    const { url } = await startReceiver({
      answer: (response) => response.writeHead(301, { location: elsewhere.url }).end(),
    })
    const { response, diagnosis } = await trialOf(url)
    assert.equal(response!.status, 301)
    assert.ok(diagnosis!.includes(`redirecionou para ${elsewhere.url}`))
    assert.deepEqual(elsewhere.received, [])
  })

  test('meets a certificate that is not good', { skip: NO_OPENSSL }, async () => {
    for (const [kind, says] of [
      ['expired', /expirou/],
      ['wrongName', /só para elsewhere\.example/],
    ] as const) {
      const { url, received } = await startReceiver({ tls: certificates![kind] })
      const { response, error, diagnosis, address } = await trialOf(url)
      assert.deepEqual([response, error, address], [null, 'tls', '127.0.0.1'])
      assert.match(diagnosis!, says)
      assert.deepEqual(received, [])
    }
  })

  test('is not sent to an inner address, nor told of it', async () => {
    service.dns['inner.example'] = ['8.8.8.8']
    const shown = await trialOf('https://inner.example/', () => {
      service.dns['inner.example'] = ['10.0.0.1']
    })
    assert.deepEqual([shown.error, shown.address, shown.response], ['address-refused', null, null])
    assert.match(shown.diagnosis!, /não é público/)
    assert.ok(!JSON.stringify(shown).includes('10.0.0.1'))
  })

  test('meets nobody, or a name that leads nowhere', async () => {
    const { error, diagnosis } = await trialOf(`http://127.0.0.1:${await freePort()}/`)
    assert.deepEqual([error, /recusou a conexão/.test(diagnosis!)], ['connection', true])
    assert.equal((await trialOf('https://nowhere.example/')).error, 'dns')
  })

  const faulty: Record<string, { body: unknown; fields: string[] }> = {
    'without a kind': { body: {}, fields: ['event'] },
    'of an unknown kind': { body: { event: 'lancamento.exploded' }, fields: ['event'] },
    'of a kind that every object has': { body: { event: 'constructor' }, fields: ['event'] },
    'of null': { body: { event: null }, fields: ['event'] },
    'of several kinds': { body: { event: ['lancamento.created'] }, fields: ['event'] },
    'with fields that are not known': {
      body: { event: 'nfse.emitida', data: {}, url: 'x' },
      fields: ['data', 'url'],
    },
    'that is a text': { body: '"nfse.emitida"', fields: ['corpo'] },
  }
  for (const [name, { body, fields }] of Object.entries(faulty)) {
    test(`${name} is refused, naming ${fields.join(', ')}, and not sent`, async () => {
      const caller = await service.caller()
      const receiver = await startReceiver()
      const { id } = await subscribe(caller, receiver.url)
      const isRefused = refusalsOf(service, caller, '/webhooks')
      await isRefused(() => caller.post(`/webhooks/${id}/test`, body), { fields })
      assert.equal(receiver.received.length, 0)
    })
  }

  test('of a subscription that is not there, or not theirs, is 404', async () => {
    const [owner, stranger] = [await service.caller(), await service.caller()]
    const receiver = await startReceiver()
    const { id } = await subscribe(owner, receiver.url)
    for (const other of [id, UNKNOWN_ID, 'x']) {
      const { status, body } = await stranger.post(`/webhooks/${other}/test`, {
        event: 'lancamento.created',
      })
      assert.deepEqual([status, body.code], [404, 'not-found'])
    }
    assert.equal(receiver.received.length, 0)
  })
})

const RANGE = { desde: '2026-06-22T00:00:00.000Z', ate: '2026-06-23T00:00:00.000Z' }

/** Every call, to a subscription, a delivery and a redelivery of it. */
const CALLS = (id = UNKNOWN_ID, delivery = UNKNOWN_ID, redelivery = UNKNOWN_ID) =>
  [
    ['read', 'GET', `/webhooks/${id}/deliveries`, undefined],
    ['read', 'GET', `/webhooks/${id}/deliveries/${delivery}`, undefined],
    ['read', 'GET', `/webhooks/${id}/redeliver/${redelivery}`, undefined],
    ['write', 'POST', `/webhooks/${id}/deliveries/${delivery}/redeliver`, undefined],
    ['write', 'POST', `/webhooks/${id}/redeliver`, RANGE],
    ['write', 'POST', `/webhooks/${id}/redeliver`, { ...RANGE, simular: true }],
    ['write', 'POST', `/webhooks/${id}/test`, { event: 'lancamento.created' }],
    ['write', 'POST', `/webhooks/${id}/rotate-secret`, {}],
    ['write', 'PATCH', `/webhooks/${id}`, { name: 'outro' }],
  ] as const

const nameOf = (path: string, body: unknown) =>
  `${path.replaceAll(UNKNOWN_ID, 'id')}${body ? ` ${JSON.stringify(body)}` : ''}`

describe('who may', () => {
  /** What a key with these scopes is let do, each by its place in the list. */
  async function reach(scopes: string[]) {
    const owner = await service.caller()
    const receiver = await startReceiver()
    const { id } = await subscribe(owner, receiver.url)
    await createLancamento(owner)
    const [delivery] = await deliveriesOf(service, owner)
    const { body } = await owner.post(`/webhooks/${id}/redeliver`, RANGE)
    const before = (await owner.get('/webhooks')).body
    const limited = await service.caller({ empresa: owner.empresa, scopes })
    const allowed: string[] = []
    for (const [action, method, path, sent] of CALLS(id, delivery!.id, body.item.id)) {
      const answer = await limited.call(method, path, { body: sent })
      if (answer.status < 300) {
        allowed.push(action)
        continue
      }
      assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient-scope'], path)
      assert.equal(answer.body.scope, `webhooks:${action}`)
    }
    const changed = JSON.stringify((await owner.get('/webhooks')).body) !== JSON.stringify(before)
    assert.equal(changed, allowed.includes('write'))
    assert.equal(receiver.received.length, allowed.includes('write') ? 1 : 0)
    return allowed
  }
  const LOOK = Array(3).fill('read')
  const ALL = [...LOOK, ...Array(6).fill('write')]

  test('webhooks:read looks, and does nothing', async () => {
    assert.deepEqual(await reach(['webhooks:read']), LOOK)
  })

  test('webhooks:write looks and acts', async () => {
    assert.deepEqual(await reach(['webhooks:write']), ALL)
  })

  test('no other scope opens any of it, and no legacy word', async () => {
    const others = ['lancamentos:delete', 'parceiros:delete', 'categorias:write', 'cobrancas:write']
    assert.deepEqual(await reach([...others, 'read', 'write']), [])
  })
})

describe('without the module integracoes', () => {
  for (const [action, method, path, body] of CALLS()) {
    test(`${method} ${nameOf(path, body)} is 403 module-required`, async () => {
      const caller = await service.caller({ modulos: ['cobrancas'] })
      const answer = await caller.call(method, path, { body })
      assert.deepEqual([answer.status, answer.body.code], [403, 'module-required'])
      const scopes = ['lancamentos:read']
      const limited = await service.caller({ empresa: caller.empresa, scopes })
      const { body: refusal } = await limited.call(method, path, { body })
      assert.deepEqual([refusal.code, refusal.scope], ['insufficient-scope', `webhooks:${action}`])
    })
  }
})

describe('a parameter that is not known', () => {
  for (const [, method, path, body] of CALLS()) {
    test(`of ${method} ${nameOf(path, body)} is refused`, async () => {
      const answer = await (await service.caller()).call(method, `${path}?foo=1`, { body })
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid-query'])
      assert.equal(answer.body.errors[0].field, 'foo')
    })
  }
})

describe('a body', () => {
  for (const [, method, path, sent] of CALLS().filter(([, , , body]) => body !== undefined)) {
    test(`of ${method} ${nameOf(path, sent)} that is no JSON is refused`, async () => {
      const answer = await (await service.caller()).call(method, path, { body: '{' })
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid-json'])
    })
  }

  test('where none is taken is refused, and nothing is sent again', async () => {
    const caller = await service.caller()
    const path = `/webhooks/${UNKNOWN_ID}/deliveries/${UNKNOWN_ID}/redeliver`
    const { status, body } = await caller.post(path, { simular: true })
    assert.deepEqual([status, body.code], [400, 'invalid-body'])
  })
})

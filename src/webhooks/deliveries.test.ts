import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeCertificates, NO_OPENSSL } from '../../test/support/certificate.ts'
import { eventually, passTime, startWorker, subscribe } from '../../test/support/delivery.ts'
import { createLancamento, UNKNOWN_ID } from '../../test/support/lancamento.ts'
import { createParceiro } from '../../test/support/parceiro.ts'
import { freePort } from '../../test/support/process.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import type { Attempt, Delivery } from './delivery-schema.ts'

const service = await startService()
const certificates = NO_OPENSSL ? undefined : makeCertificates()
if (certificates) setDefaultCACertificates([...getCACertificates('default'), certificates.ca])
// Enough for a healthy receiver on a very busy machine; just one here never answers.
const { worker } = startWorker(service, { timeoutMs: 3_000 })

interface Page {
  items: Delivery[]
  total: number
  limit: number
  offset: number
}

async function list(caller: Caller, webhook: string, query = ''): Promise<Page> {
  const { status, body } = await caller.get(`/webhooks/${webhook}/deliveries${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function find(caller: Caller, webhook: string, id: string) {
  const { status, body } = await caller.get(`/webhooks/${webhook}/deliveries/${id}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.item as Delivery & { history: Attempt[] }
}

/** Waits until every delivery of a subscription has been attempted so often. */
const attempted = (caller: Caller, webhook: string, attempts = 1) =>
  eventually(
    () => list(caller, webhook),
    ({ items }) => items.length > 0 && items.every((item) => item.attempts >= attempts),
  )

/** What is shown of the first attempt of a delivery to this URL. */
async function shownOf(url: string, meanwhile = () => {}) {
  const caller = await service.caller()
  const webhook = await subscribe(caller, url)
  meanwhile()
  await createLancamento(caller)
  const { items } = await attempted(caller, webhook.id)
  const { history, ...delivery } = await find(caller, webhook.id, items[0]!.id)
  assert.deepEqual(delivery, items[0])
  assert.equal(history.length, 1)
  return { delivery, attempt: history[0]! }
}

/** A server that does as it likes with whoever asks. */
async function raw(talk: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    socket.once('data', () => talk(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

const answers = async (status: number, headers: Record<string, string> = {}, body = '') => {
  const { url } = await startReceiver({
    answer: (response) => response.writeHead(status, headers).end(body),
  })
  return url
}

describe('a delivery is shown', () => {
  test('with what was sent, byte for byte but for the signatures, and what came back', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver({
      answer: (response) => response.writeHead(202, { 'x-own': 'proprio' }).end('anotado'),
    })
    const webhook = await subscribe(caller, receiver.url)
    await createLancamento(caller, { descricao: 'Ação "1" \\ 💸 \u2028' })
    const [got] = await receiver.until(1)
    const { items } = await attempted(caller, webhook.id)
    const { history, ...item } = await find(caller, webhook.id, items[0]!.id)
    const { criado_em, atualizado_em, ...rest } = item
    assert.deepEqual(rest, {
      ...{ id: got!.headers['webhook-id'], webhook_id: webhook.id, event: 'lancamento.created' },
      ...{ sequence: 1, status: 'delivered', attempts: 1, next_attempt: null, reason: null },
    })
    assert.ok(atualizado_em >= criado_em)
    const { request, response, ...attempt } = history[0]!
    assert.equal(request.url, receiver.url)
    assert.equal(request.body, got!.raw)
    const { 'x-svc-signature': ours, 'webhook-signature': theirs, ...unsigned } = got!.headers
    assert.ok(ours && theirs)
    // What the connection itself adds is nobody's to mend.
    const { host: _, connection: __, 'content-length': ___, ...sent } = unsigned
    assert.deepEqual(request.headers, sent)
    assert.equal(response!.status, 202)
    assert.equal(response!.body, 'anotado')
    assert.deepEqual(
      response!.headers.filter(({ name }) => name === 'x-own'),
      [{ name: 'x-own', value: 'proprio' }],
    )
    assert.deepEqual([attempt.address, attempt.error, attempt.diagnosis], ['127.0.0.1', null, null])
    assert.equal(Math.floor(Date.parse(attempt.started_at) / 1000), got!.body.timestamp)
    const { dns, connect, tls, first_byte } = attempt.timings
    assert.deepEqual([dns, tls], [null, null])
    assert.ok(connect! >= 0 && first_byte! >= 0 && attempt.duration_ms >= first_byte!)
  })

  test('with every step timed, where a name is resolved and TLS spoken', {
    skip: NO_OPENSSL,
  }, async () => {
    const { url } = await startReceiver({ tls: certificates!.localhost })
    const { attempt } = await shownOf(url)
    const { dns, connect, tls, first_byte } = attempt.timings
    for (const step of [dns, connect, tls, first_byte]) assert.ok(step! >= 0)
  })

  test('with each attempt as it was then, the first one first', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver({
      answer: (response) => response.writeHead(500).end(`falha ${receiver.received.length}`),
    })
    const webhook = await subscribe(caller, receiver.url)
    const { now } = service.clock
    try {
      await createLancamento(caller)
      await attempted(caller, webhook.id, 1)
      const url = `${receiver.url}?outro`
      assert.equal((await caller.patch(`/webhooks/${webhook.id}`, { url })).status, 200)
      service.clock.now = () => now() + 3_600_000
      await passTime(service, caller)
      worker.wake()
      const { items } = await attempted(caller, webhook.id, 2)
      const { history, ...item } = await find(caller, webhook.id, items[0]!.id)
      assert.deepEqual([item.status, item.attempts], ['pending', 2])
      assert.ok(item.next_attempt! > item.atualizado_em)
      assert.deepEqual(
        history.map(({ request, response }) => [request.url, request.body, response!.body]),
        receiver.received.map((got, n) => [n ? url : receiver.url, got.raw, `falha ${n + 1}`]),
      )
      assert.notEqual(history[0]!.request.body, history[1]!.request.body)
    } finally {
      service.clock.now = now
    }
  })

  test('as under way, with no next attempt, while its receiver thinks', async () => {
    const caller = await service.caller()
    const gate = Promise.withResolvers<void>()
    const receiver = await startReceiver({
      answer: (response) => void gate.promise.then(() => response.end()),
    })
    const webhook = await subscribe(caller, receiver.url)
    await createLancamento(caller)
    await receiver.until(1)
    const [item] = (await list(caller, webhook.id)).items
    assert.deepEqual([item!.status, item!.attempts, item!.next_attempt], ['pending', 0, null])
    assert.deepEqual((await find(caller, webhook.id, item!.id)).history, [])
    gate.resolve()
    await attempted(caller, webhook.id)
  })

  test('with no more than the first 4 KiB of an answer without end', async () => {
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const pour = () => {
        while (!socket.destroyed && socket.write('y'.repeat(16_384)));
      }
      socket.on('drain', pour)
      pour()
    })
    const { delivery, attempt } = await shownOf(url)
    assert.equal(delivery.status, 'delivered')
    assert.equal(attempt.response!.body, 'y'.repeat(4096))
  })
})

describe('the diagnosis tells', () => {
  const endOf = ({ cert }: { cert: string }) =>
    new Date(new X509Certificate(cert).validTo).toLocaleDateString('pt-BR', { timeZone: 'UTC' })

  async function fails(url: string, error: string, diagnosis: RegExp, meanwhile = () => {}) {
    const { delivery, attempt } = await shownOf(url, meanwhile)
    assert.deepEqual([attempt.error, attempt.response], [error, null])
    assert.match(attempt.diagnosis!, diagnosis)
    assert.equal(delivery.status, 'pending')
    assert.ok(delivery.next_attempt)
    return attempt
  }

  test('when a certificate expired', { skip: NO_OPENSSL }, async () => {
    const { expired } = certificates!
    const { url, received } = await startReceiver({ tls: expired })
    const attempt = await fails(url, 'tls', new RegExp(`expirou em ${endOf(expired)}\\. Renove`))
    assert.deepEqual([attempt.address, attempt.timings.tls], ['127.0.0.1', null])
    assert.deepEqual(received, [])
  })

  test('for which name a certificate is', { skip: NO_OPENSSL }, async () => {
    const { url } = await startReceiver({ tls: certificates!.wrongName })
    await fails(url, 'tls', /não vale para o nome da URL, só para elsewhere\.example\./)
  })

  test('that a receiver never answers', async () => {
    const attempt = await fails(await raw(() => {}), 'timeout', /demorou mais de 10 s/)
    assert.equal(attempt.timings.first_byte, null)
  })

  test('that a receiver breaks the connection', async () => {
    const url = await raw((socket) => socket.resetAndDestroy())
    await fails(url, 'connection', /encerrou a conexão/)
  })

  test('that nobody listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    await fails(url, 'connection', /recusou a conexão/)
  })

  test('that a name leads to an inner address, and nothing is dialled', async () => {
    service.dns['moved.example'] = ['127.0.0.1']
    const attempt = await fails(
      'https://moved.example/',
      'address-refused',
      /não é público/,
      () => {
        service.dns['moved.example'] = ['10.0.0.1']
      },
    )
    assert.equal(attempt.address, null)
    assert.ok(!JSON.stringify(attempt).includes('10.0.0.1'))
  })

  test('where a redirect leads, and that it was not followed', async () => {
    const elsewhere = await startReceiver()
    const { delivery, attempt } = await shownOf(await answers(308, { location: elsewhere.url }))
    assert.deepEqual([delivery.status, delivery.reason], ['delivered', 'redirect-not-followed'])
    const { href } = new URL(elsewhere.url)
    assert.ok(attempt.diagnosis!.includes(`redirecionou para ${href}: cadastre`))
    assert.deepEqual(elsewhere.received, [])
  })

  for (const status of [400, 404, 410, 500]) {
    test(`that a receiver answers ${status}`, async () => {
      const { attempt } = await shownOf(await answers(status, {}, 'não'))
      assert.deepEqual([attempt.response!.status, attempt.response!.body], [status, 'não'])
      assert.match(attempt.diagnosis!, new RegExp(`^O servidor .*\\b${status}\\b`))
    })
  }
})

describe('secrets and signatures are nowhere in what is shown', () => {
  /** What a receiver says of what it knows, and what must not come back from us. */
  async function echoes(echo: (secret: string, all: string) => string) {
    const caller = await service.caller()
    let secret = ''
    const receiver = await startReceiver({
      answer: (response, { headers }) => {
        response.setHeader('x-echo', `${headers['x-svc-signature']} ${secret}`)
        response.end(echo(secret, JSON.stringify(headers)))
      },
    })
    const webhook = await subscribe(caller, receiver.url)
    secret = webhook.secret
    await createLancamento(caller)
    const { items } = await attempted(caller, webhook.id)
    const path = `/webhooks/${webhook.id}`
    const shown = await Promise.all([
      caller.get(`${path}/deliveries`),
      caller.get(`${path}/deliveries/${items[0]!.id}`),
      caller.post(`${path}/test`, { event: 'lancamento.created' }),
      caller.get('/webhooks'),
    ])
    for (const { status } of shown) assert.equal(status, 200)
    const hidden = receiver.received.flatMap(({ headers }) => [
      String(headers['x-svc-signature']).slice('sha256='.length),
      String(headers['webhook-signature']).slice('v1,'.length),
    ])
    assert.equal(hidden.length, 4)
    return { text: JSON.stringify(shown.map(({ body }) => body)), secret, hidden }
  }

  test('though a receiver answers with its secret and all it was sent', async () => {
    const { text, secret, hidden } = await echoes((own, all) => `${own} ${all}`)
    for (const each of [secret, secret.slice('whsec_'.length), ...hidden]) {
      assert.ok(!text.includes(each), each)
    }
    assert.ok(text.includes('sha256=…'))
  })

  test('though a receiver writes them with escapes', async () => {
    const { text, secret, hidden } = await echoes((own, all) =>
      JSON.stringify({ own, all }).replaceAll('/', '\\/'),
    )
    for (const each of [secret, ...hidden]) {
      assert.ok(!text.replaceAll('\\', '').includes(each), each)
    }
  })

  test('though a receiver answers with the secret without its prefix', async () => {
    const { text, secret } = await echoes((own) => own.slice('whsec_'.length))
    assert.ok(!text.includes(secret.slice('whsec_'.length)))
  })

  test('though what is kept of an answer ends amid the secret', async () => {
    const { text, secret } = await echoes((own) => `${'x'.repeat(4097 - own.length)}${own}`)
    assert.ok(!text.includes(secret.slice(0, -1)))
  })

  test('nor in any line of the log', async () => {
    const { secret, hidden } = await echoes((own, all) => `${own} ${all}`)
    for (const each of [secret, ...hidden]) {
      assert.ok(!service.log.some((line) => line.includes(each)))
    }
  })
})

describe('the list of deliveries', () => {
  /** Five: of entries and partners in turn, the last of each failing. */
  async function five() {
    const caller = await service.caller()
    const receiver = await startReceiver({
      answer: (response, { headers }) =>
        response.writeHead(Number(headers['x-svc-sequence']) > 3 ? 500 : 200).end(),
    })
    const events = ['lancamento.created', 'parceiro.created']
    const webhook = await subscribe(caller, receiver.url, events)
    await subscribe(caller, receiver.url, events)
    for (const n of [1, 2, 3, 4, 5]) {
      await (n % 2 ? createLancamento(caller) : createParceiro(caller))
    }
    await attempted(caller, webhook.id)
    const numbers = async (query: string) => {
      const { items, total } = await list(caller, webhook.id, query)
      assert.ok(items.every((item) => item.webhook_id === webhook.id))
      return [items.map(({ sequence }) => sequence), total]
    }
    return { caller, webhook, numbers }
  }

  test('is of one subscription, the newest first, by state and kind, a page at a time', async () => {
    const { caller, webhook, numbers } = await five()
    assert.deepEqual(await numbers(''), [[5, 4, 3, 2, 1], 5])
    assert.deepEqual(await numbers('?status=delivered'), [[3, 2, 1], 3])
    assert.deepEqual(await numbers('?status=pending'), [[5, 4], 2])
    assert.deepEqual(await numbers('?status=dead'), [[], 0])
    assert.deepEqual(await numbers('?event=parceiro.created'), [[4, 2], 2])
    assert.deepEqual(await numbers('?event=lancamento.created&status=delivered'), [[3, 1], 2])
    assert.deepEqual(await numbers('?event=nfse.emitida'), [[], 0])
    assert.deepEqual(await numbers('?limit=2&offset=1'), [[4, 3], 5])
    assert.deepEqual(await numbers('?status=delivered&limit=1&offset=2'), [[1], 3])
    assert.deepEqual(await numbers('?offset=5'), [[], 5])
    const { limit, offset } = await list(caller, webhook.id, '?limit=1000&offset=3')
    assert.deepEqual([limit, offset], [1000, 3])
  })

  test('of a subscription that has had none is empty', async () => {
    const caller = await service.caller()
    const webhook = await subscribe(caller, 'https://receiver.example/')
    const empty = { items: [], total: 0, limit: 100, offset: 0, completo_desde: null }
    assert.deepEqual(await list(caller, webhook.id), empty)
  })

  test('of a removed subscription stays, with each attempt', async () => {
    const { caller, webhook } = await five()
    const { items } = await list(caller, webhook.id)
    const before = await find(caller, webhook.id, items[4]!.id)
    await caller.delete(`/webhooks/${webhook.id}`)
    const left = await list(caller, webhook.id)
    assert.deepEqual(
      left.items.map(({ status, reason }) => reason ?? status),
      [...Array(2).fill('subscription-removed'), ...Array(3).fill('delivered')],
    )
    assert.equal((await list(caller, webhook.id, '?status=pending')).total, 0)
    assert.deepEqual(await find(caller, webhook.id, items[4]!.id), before)
    const stranger = await service.caller()
    const { status } = await stranger.get(`/webhooks/${webhook.id}/deliveries`)
    assert.equal(status, 404)
  })

  test('refuses a parameter that is faulty or unknown, and names it', async () => {
    const caller = await service.caller()
    const { id } = await subscribe(caller, 'https://receiver.example/')
    const faulty = {
      status: ['failed', 'DEAD', '', 'dead&status=pending'],
      event: ['lancamento.exploded', 'x'],
      limit: ['0', '1001', '1.5', 'x'],
      offset: ['-1', 'x'],
      events: ['lancamento.created'],
    }
    for (const [field, values] of Object.entries(faulty)) {
      for (const value of values) {
        const { status, body } = await caller.get(`/webhooks/${id}/deliveries?${field}=${value}`)
        assert.deepEqual([status, body.code], [400, 'invalid-query'], `${field}=${value}`)
        assert.deepEqual(body.errors[0].field, field)
      }
    }
    const { body } = await caller.get(`/webhooks/${id}/deliveries?status=x`)
    assert.match(body.detail, /pending.*delivered.*dead/)
  })
})

describe('what is not there is 404:', () => {
  test('of another company, of another subscription, of nothing, and what is no id', async () => {
    const [caller, stranger] = [await service.caller(), await service.caller()]
    const { url } = await startReceiver()
    const [one, other] = [await subscribe(caller, url), await subscribe(caller, url)]
    const own = await subscribe(stranger, url)
    await createLancamento(caller)
    await createLancamento(stranger)
    await attempted(caller, one.id)
    await attempted(caller, other.id)
    await attempted(stranger, own.id)
    const first = async (who: Caller, id: string) => (await list(who, id)).items[0]!.id
    const mine = await first(caller, one.id)
    const paths: [Caller, string][] = [
      ...[UNKNOWN_ID, 'x', own.id].map((id): [Caller, string] => [caller, `${id}/deliveries`]),
      [stranger, `${one.id}/deliveries`],
      [stranger, `${one.id}/deliveries?limit=1&offset=1&status=dead`],
      [stranger, `${one.id}/deliveries/${mine}`],
      [stranger, `${own.id}/deliveries/${mine}`],
      [caller, `${one.id}/deliveries/${await first(caller, other.id)}`],
      [caller, `${one.id}/deliveries/${UNKNOWN_ID}`],
      [caller, `${one.id}/deliveries/x`],
      [caller, `${UNKNOWN_ID}/deliveries/${mine}`],
      [caller, `x/deliveries/${mine}`],
    ]
    for (const [who, path] of paths) {
      const { status, body } = await who.get(`/webhooks/${path}`)
      assert.deepEqual([status, body.code], [404, 'not-found'], path)
    }
  })
})

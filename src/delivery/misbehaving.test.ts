// R5: whatever a receiver does, its own delivery is judged as the contract says, and nobody else notices.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeCertificates, NO_OPENSSL } from '../../test/support/certificate.ts'
import {
  type AttemptRow,
  attemptsOf,
  type DeliveryRow,
  deliveriesOf,
  diagnosisOf,
  eventually,
  queueDeliveries,
  startWorker,
  stepsOf,
  subscribe,
} from '../../test/support/delivery.ts'
import { createLancamento } from '../../test/support/lancamento.ts'
import { freePort } from '../../test/support/process.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { startService } from '../../test/support/service.ts'

const service = await startService()

const certificates = NO_OPENSSL ? undefined : makeCertificates()
if (certificates) setDefaultCACertificates([...getCACertificates('default'), certificates.ca])

/** Less than it takes to give up on a connection that is never made: what is late is ended at its own time. */
const TRIES = 200

interface Raw {
  port: number
  url: string
  /** How many have connected. */
  connections(): number
  /** Resolves when the first that connected has gone. */
  closed: Promise<void>
}

/** A server that says what it likes, once it has been asked; or as soon as it is connected to. */
async function startRaw(
  talk: (socket: Socket) => void,
  { host = '127.0.0.1', atOnce = false } = {},
): Promise<Raw> {
  const sockets: Socket[] = []
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {}).on('close', () => resolve())
    if (atOnce) talk(socket)
    else socket.once('data', () => talk(socket))
    socket.resume()
  })
  await new Promise<void>((listening) => server.listen(0, host, listening))
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://${host}:${port}/hook`, connections: () => sockets.length, closed }
}

const rawUrl = async (...args: Parameters<typeof startRaw>) => (await startRaw(...args)).url
const says = (text: string) => (socket: Socket) => void socket.write(text)

/** One byte now and then, for ever. */
const drips = (start: string, byte: string) => (socket: Socket) => {
  socket.write(start)
  const dripping = setInterval(() => socket.write(byte), 20)
  socket.on('close', () => clearInterval(dripping))
}

/** As fast as it is taken, for ever. */
const pours = (start: string, more: string) => (socket: Socket) => {
  socket.write(start)
  const pour = () => {
    while (!socket.destroyed && socket.write(more));
  }
  socket.on('drain', pour)
  pour()
}

const answers = async (status: number, headers: Record<string, string> = {}, body = '') => {
  const { url } = await startReceiver({
    answer: (response) => response.writeHead(status, headers).end(body),
  })
  return url
}

/** A delivery to this URL, while a receiver of the same company and one of another get theirs. */
async function deliverTo(
  url: string,
  meanwhile = () => {},
): Promise<{ delivery: DeliveryRow; attempt: AttemptRow }> {
  const [caller, stranger] = [await service.caller(), await service.caller()]
  const [own, foreign] = [await startReceiver(), await startReceiver()]
  const { id } = await subscribe(caller, url)
  await subscribe(caller, own.url)
  await subscribe(stranger, foreign.url)
  meanwhile()
  await Promise.all([createLancamento(caller), createLancamento(stranger)])
  const attempted = (rows: DeliveryRow[]) => rows.every(({ attempts }) => attempts > 0n)
  const rows = await eventually(() => deliveriesOf(service, caller), attempted, TRIES)
  const theirs = await eventually(() => deliveriesOf(service, stranger), attempted, TRIES)

  assert.deepEqual([own.received.length, foreign.received.length], [1, 1])
  const healthy = [rows.find((row) => row.subscription_id !== id)!, ...theirs]
  for (const { state, attempts } of healthy) {
    assert.deepEqual([state, attempts], ['delivered', 1n])
  }

  const delivery = rows.find((row) => row.subscription_id === id)!
  assert.equal(delivery.attempts, 1n)
  assert.equal(delivery.leased, false)
  const attempts = await attemptsOf(service, caller)
  const [attempt, ...more] = attempts.filter(({ delivery_id }) => delivery_id === delivery.id)
  assert.deepEqual(more, [])
  assert.ok((attempt!.response ?? '').length <= 4096)
  return { delivery, attempt: attempt! }
}

interface Expected {
  status?: bigint
  error?: string
  response?: string
  address?: string | null
  /** What is said of it. */
  says?: RegExp
  /** The steps that were finished. */
  steps?: string[]
}

/** The attempt has failed like this, and another one is to come. */
async function fails(url: string, expected: Expected, meanwhile?: () => void): Promise<void> {
  const { delivery, attempt } = await deliverTo(url, meanwhile)
  const { status, error, response, address } = attempt
  const { state, reason, wait } = delivery
  const { status: wanted = null, error: kind = null, address: at = '127.0.0.1' } = expected
  assert.deepEqual([status, error, address], [wanted, kind, at])
  if (expected.response !== undefined) assert.equal(response, expected.response)
  if (expected.says) assert.match(diagnosisOf(url, attempt) ?? '', expected.says)
  if (expected.steps) assert.deepEqual(stepsOf(attempt), expected.steps)
  assert.deepEqual([state, reason], ['pending', null])
  assert.ok(wait! > 0 && wait! <= 60)
}

async function delivers(
  url: string,
  expected: Expected & { reason?: string } = {},
): Promise<AttemptRow> {
  const { delivery, attempt } = await deliverTo(url)
  assert.deepEqual(
    [attempt.status, attempt.error, attempt.address],
    [expected.status ?? 200n, null, '127.0.0.1'],
  )
  if (expected.response !== undefined) assert.equal(attempt.response, expected.response)
  if (expected.says) assert.match(diagnosisOf(url, attempt) ?? '', expected.says)
  else assert.equal(diagnosisOf(url, attempt), null)
  if (expected.steps) assert.deepEqual(stepsOf(attempt), expected.steps)
  const { state, reason, wait } = delivery
  assert.deepEqual([state, reason, wait], ['delivered', expected.reason ?? null, null])
  return attempt
}

const OK = 'HTTP/1.1 200 OK\r\n'

describe('a delivery, whatever its receiver does, is judged alone:', { timeout: 120_000 }, () => {
  // In here, so that it has stopped before the database goes. A second is enough for a healthy receiver on
  // a busy machine.
  startWorker(service, { timeoutMs: 1_000 })

  // Several at once: most of them do nothing but wait.
  describe('a receiver that takes too long', { concurrency: 3 }, () => {
    test('because it never answers', async () => {
      await fails(await rawUrl(() => {}), {
        error: 'timeout',
        says: /^O servidor demorou mais de 10 s para responder\./,
        steps: ['connect'],
      })
    })

    test('because it answers one byte of the head at a time', async () => {
      await fails(await rawUrl(drips(`${OK}x-drip: `, 'x')), { error: 'timeout' })
    })

    test('because it answers 200 and then one byte of the body at a time', async () => {
      const { url, closed } = await startRaw(drips(`${OK}content-length: 100000\r\n\r\n`, 'x'))
      await fails(url, {
        error: 'timeout',
        says: /^O servidor demorou mais de 10 s para terminar a resposta/,
        steps: ['connect', 'firstByte'],
      })
      await closed
    })

    test('because its body of unknown length never ends, nor grows', async () => {
      await fails(await rawUrl(says(`${OK}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n`)), {
        error: 'timeout',
      })
    })

    test('because it always says that the answer is still to come', async () => {
      await fails(await rawUrl(drips('', 'HTTP/1.1 103 Early Hints\r\n\r\n')), { error: 'timeout' })
    })

    test('because it never says hello in TLS', async () => {
      const { port } = await startRaw(() => {})
      await fails(`https://localhost:${port}/`, {
        error: 'timeout',
        says: /^O servidor demorou mais de 10 s para iniciar o TLS\./,
        steps: ['dns', 'connect'],
      })
    })
  })

  describe('a receiver that says too much', () => {
    test('in a body without end has taken the delivery, and is hung up on', async () => {
      const more = 'x'.repeat(16_384)
      const { url, closed } = await startRaw(pours(`${OK}\r\n`, more))
      await delivers(url, { response: 'x'.repeat(4096) })
      await closed
    })

    test('in chunks without end has taken the delivery, and is hung up on', async () => {
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
      const { url, closed } = await startRaw(
        pours(`${OK}transfer-encoding: chunked\r\n\r\n`, chunk),
      )
      await delivers(url, { response: 'x'.repeat(4096) })
      await closed
    })

    test('in an error without end has refused the delivery, and is hung up on', async () => {
      const more = 'x'.repeat(16_384)
      const { url, closed } = await startRaw(pours('HTTP/1.1 500 No\r\n\r\n', more))
      await fails(url, { status: 500n, response: 'x'.repeat(4096) })
      await closed
    })

    test('in a head without end has not answered, and is hung up on', async () => {
      const header = `x-more: ${'x'.repeat(1024)}\r\n`
      const { url, closed } = await startRaw(pours(OK, header))
      await fails(url, { error: 'connection', says: /cabeçalhos grandes demais/ })
      await closed
    })

    test('in a head that is long has kept what fits, and where it redirects to', async () => {
      const long = Array.from({ length: 3 }, (_, n) => [`x-long-${n}`, 'é'.repeat(1500)])
      const many = Array.from({ length: 100 }, (_, n) => [`x-${n}`, `${n}`])
      const location = `https://elsewhere.example/${'x'.repeat(2_000)}`
      const headers = Object.fromEntries([...long, ...many, ['location', location]])
      const { response_headers: kept } = await delivers(await answers(302, headers), {
        ...{ status: 302n, reason: 'redirect-not-followed' },
        says: new RegExp(`redirecionou para ${location}: cadastre`),
      })
      assert.ok(Buffer.byteLength(kept!) <= 4096)
      assert.ok(JSON.parse(kept!).length > 50)
    })

    test('in an answer that ends has its first 4 KiB kept, as text', async () => {
      const long = `é\0${'y'.repeat(100_000)}`
      await fails(await answers(500, {}, long), {
        status: 500n,
        response: `é\uFFFD${'y'.repeat(4091)}`,
      })
    })

    test('in bytes that are no text is kept as what can be shown', async () => {
      const { url } = await startReceiver({
        answer: (response) => response.writeHead(200).end(Buffer.alloc(10_000, 0xff)),
      })
      await delivers(url)
    })
  })

  describe('a receiver that breaks the connection', () => {
    const BROKEN = { error: 'connection', says: /encerrou a conexão sem dar uma resposta completa/ }

    test('by a reset as soon as it is connected to', async () => {
      const url = await rawUrl((socket) => socket.resetAndDestroy(), { atOnce: true })
      await fails(url, BROKEN)
    })

    test('by a reset when it has been asked', async () => {
      const url = await rawUrl((socket) => socket.resetAndDestroy())
      await fails(url, { ...BROKEN, steps: ['connect'] })
    })

    test('by closing it without an answer', async () => {
      await fails(await rawUrl((socket) => socket.end()), { ...BROKEN, steps: ['connect'] })
    })

    test('in the middle of its answer, though that began with 200', async () => {
      const url = await rawUrl((socket) => socket.end(`${OK}content-length: 10\r\n\r\nabc`))
      await fails(url, { ...BROKEN, steps: ['connect', 'firstByte'] })
    })

    test('by not listening at all', async () => {
      await fails(`http://127.0.0.1:${await freePort()}/`, {
        error: 'connection',
        says: /^O servidor recusou a conexão\./,
        steps: [],
      })
    })

    test('by a reset in the middle of the TLS hello', async () => {
      const { port } = await startRaw((socket) => socket.resetAndDestroy())
      await fails(`https://localhost:${port}/`, { ...BROKEN, steps: ['dns', 'connect'] })
    })
  })

  describe('a receiver that does not speak HTTP', () => {
    for (const [name, text] of Object.entries({
      'but another protocol': 'SSH-2.0-OpenSSH_9.6\r\n',
      'but noise': '\0\x01\x02\xff\xfe\r\n\r\n',
      'but almost': 'HTTP/1.1 twohundred OK\r\n\r\n',
      'but U+0000 in a header': `${OK}x-nothing: a\0b\r\ncontent-length: 0\r\n\r\n`,
      'but two lengths of its body': `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`,
      'but switches to something else': 'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n',
    })) {
      test(name, async () => {
        await fails(await rawUrl(says(text)), { error: 'connection' })
      })
    }
  })

  describe('a receiver that answers', () => {
    for (const status of [200, 204, 299]) {
      test(`${status} has taken the delivery`, async () => {
        await delivers(await answers(status), { status: BigInt(status), response: '' })
      })
    }

    for (const status of [400, 410, 429, 499, 500, 599]) {
      test(`${status} has not, and gets it again`, async () => {
        const url = await answers(status, {}, 'não')
        await fails(url, {
          ...{ status: BigInt(status), response: 'não' },
          says: new RegExp(`^O servidor .* ${status}[.:]`),
          steps: ['connect', 'firstByte'],
        })
      })
    }

    for (const status of [300, 301, 302, 303, 304, 307, 308, 399]) {
      test(`${status} has taken it, with a warning that nothing is followed`, async () => {
        const elsewhere = await startReceiver()
        const url = await answers(status, { location: elsewhere.url, refresh: '0' })
        await delivers(url, {
          ...{ status: BigInt(status), reason: 'redirect-not-followed' },
          says: new RegExp(`redirecionou para ${elsewhere.url}: cadastre esse endereço`),
        })
        assert.deepEqual(elsewhere.received, [])
      })
    }
  })

  describe('a receiver behind TLS', { skip: NO_OPENSSL }, () => {
    const shows = async (
      kind: 'localhost' | 'expired' | 'wrongName' | 'noName' | 'wrongPurpose' | 'selfSigned',
    ) => startReceiver({ tls: certificates![kind] })

    test('with a good certificate gets its deliveries', async () => {
      const receiver = await shows('localhost')
      await delivers(receiver.url, {
        response: 'ok',
        steps: ['dns', 'connect', 'tls', 'firstByte'],
      })
      assert.equal(receiver.received.length, 1)
    })

    test('is known by its name, though it is dialled by its address', async () => {
      service.dns['elsewhere.example'] = ['127.0.0.1']
      const receiver = await shows('wrongName')
      await delivers(receiver.url.replace('localhost', 'elsewhere.example'))
      assert.equal(receiver.received.length, 1)
    })

    const endOf = ({ cert }: { cert: string }) =>
      new Date(new X509Certificate(cert).validTo).toLocaleDateString('pt-BR', { timeZone: 'UTC' })
    for (const [kind, name, diagnosis] of [
      [
        'expired',
        'whose certificate has expired',
        () => `^O certificado expirou em ${endOf(certificates!.expired)}\\.`,
      ],
      [
        'wrongName',
        'whose certificate is of another name',
        () => '^O certificado não vale para o nome da URL, só para elsewhere\\.example\\.',
      ],
      [
        'noName',
        'whose certificate is of no name',
        () => '^O certificado não vale para o nome da URL\\.',
      ],
      ['wrongPurpose', 'whose certificate is not for servers', () => 'com INVALID_PURPOSE'],
      [
        'selfSigned',
        'whose certificate is vouched for by nobody',
        () => '^O certificado é autoassinado',
      ],
    ] as const) {
      test(`${name} is told nothing`, async () => {
        const receiver = await shows(kind)
        await fails(receiver.url, {
          error: 'tls',
          says: new RegExp(diagnosis()),
          steps: ['dns', 'connect'],
        })
        assert.deepEqual(receiver.received, [])
      })
    }

    test('that can do only what nobody should any more is told nothing', async () => {
      const { key, cert } = certificates!.localhost
      const receiver = await startReceiver({
        tls: { key, cert, ...{ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' } },
      })
      await fails(receiver.url, { error: 'tls', says: /TLS 1\.2 ou 1\.3/ })
      assert.deepEqual(receiver.received, [])
    })
  })

  describe('a receiver that should be behind TLS', () => {
    test('but speaks plain HTTP is told nothing', async () => {
      const receiver = await startReceiver()
      const { port } = new URL(receiver.url)
      await fails(`https://localhost:${port}/hook`, {
        error: 'tls',
        says: /^O servidor não fala TLS nessa porta\./,
      })
      assert.deepEqual(receiver.received, [])
    })
  })

  describe('a name', () => {
    const NOT_PUBLIC = /^O nome do host da URL leva a um endereço que não é público\. Cadastre/

    test('that has come to mean an inner address since the subscription is not dialled', async () => {
      const inner = await startRaw(says(`${OK}\r\n`), { host: '127.0.0.2', atOnce: true })
      service.dns['rebound.example'] = ['127.0.0.1']
      await fails(
        `https://rebound.example:${inner.port}/`,
        { error: 'address-refused', address: null, says: NOT_PUBLIC },
        () => {
          service.dns['rebound.example'] = ['127.0.0.2']
        },
      )
      assert.equal(inner.connections(), 0)
    })

    test('of which one address of several is an inner one is not dialled at all', async () => {
      const { port, connections } = await startRaw(says(`${OK}\r\n`), { atOnce: true })
      service.dns['half.example'] = ['127.0.0.1']
      await fails(
        `https://half.example:${port}/`,
        { error: 'address-refused', address: null, says: NOT_PUBLIC },
        () => {
          service.dns['half.example'] = ['127.0.0.1', '10.0.0.1']
        },
      )
      assert.equal(connections(), 0)
    })

    test('that no longer resolves is a failure of DNS', async () => {
      service.dns['gone.example'] = ['127.0.0.1']
      const expected = { error: 'dns', address: null, says: /não foi encontrado no DNS/, steps: [] }
      await fails('https://gone.example/', expected, () => {
        delete service.dns['gone.example']
      })
    })
  })

  describe('a host with receivers of several companies', () => {
    test('serves one of them though all that others get there hangs', async () => {
      const received: string[] = []
      const { url } = await startReceiver({
        answer: (response, { headers }) => {
          received.push(headers['webhook-id'] as string)
          if (response.req.url === '/healthy') response.end()
        },
      })
      const [hanging, healthy] = [await service.caller(), await service.caller()]
      for (let n = 0; n < 3; n++) await subscribe(hanging, url)
      await subscribe(healthy, new URL('/healthy', url).href)
      await createLancamento(hanging)
      await queueDeliveries(service, hanging, 100)
      await eventually(
        async () => received.length,
        (count) => count >= 16,
      )
      await createLancamento(healthy)
      const [row] = await eventually(
        () => deliveriesOf(service, healthy),
        ([first]) => first!.attempts > 0n,
      )
      assert.deepEqual([row!.state, row!.attempts], ['delivered', 1n])
    })

    test('serves one of them though nothing comes of the connection of another', {
      skip: NO_OPENSSL,
    }, async () => {
      const receiver = await startReceiver({ tls: certificates!.localhost })
      const raw: Raw = await startRaw(
        (socket) => {
          if (raw.connections() > 1) {
            const inner = connect(Number(new URL(receiver.url).port), '127.0.0.1')
            socket.pipe(inner.on('error', () => {})).pipe(socket)
          }
        },
        { atOnce: true },
      )
      const [hanging, healthy] = [await service.caller(), await service.caller()]
      for (const caller of [hanging, healthy]) {
        await subscribe(caller, `https://localhost:${raw.port}/hook`)
      }
      await createLancamento(hanging)
      await eventually(
        async () => raw.connections(),
        (count) => count === 1,
      )
      await createLancamento(healthy)
      const [row] = await eventually(
        () => deliveriesOf(service, healthy),
        ([first]) => first!.attempts > 0n,
      )
      assert.deepEqual([row!.state, row!.attempts], ['delivered', 1n])
    })
  })
})

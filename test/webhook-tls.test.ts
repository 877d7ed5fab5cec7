import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { makeCertificates, NO_OPENSSL } from './support/certificate.ts'
import { createTestDatabase } from './support/database.ts'
import { attemptsOf, deliveriesOf, diagnosisOf, eventually } from './support/delivery.ts'
import { aLancamento } from './support/lancamento.ts'
import { lastro, serve } from './support/process.ts'
import { isGenuine, startReceiver } from './support/receiver.ts'

const database = await createTestDatabase()
const ENV = { DATABASE_URL: database.databaseUrl, WEBHOOK_DEV_TARGETS: '127.0.0.1/32' }

/** What a command prints with `--json`. */
async function run(...args: string[]): Promise<Record<string, string>> {
  const { code, out, err } = await lastro([...args, '--json'], ENV)
  assert.equal(code, 0, err)
  return JSON.parse(out)
}

/** A company of a running service that has subscribed to a URL and written an entry. */
async function writeTo(t: TestContext, url: string, env: Record<string, string> = {}) {
  const service = await serve({ ...ENV, ...env })
  t.after(() => service.end())
  const { id: empresa } = await run('empresas', 'create', '--nome', 'Acme')
  const scopes = 'lancamentos:write,webhooks:write'
  const { key } = await run('chaves', 'create', '--empresa', empresa!, '--scopes', scopes)
  const post = async (path: string, body: object) => {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { item } = (await response.json()) as { item: { id: string; secret: string } }
    assert.equal(response.status, 201)
    return item
  }
  const { secret } = await post('/webhooks', { url, events: ['lancamento.created'] })
  const entry = await post('/lancamentos', aLancamento)
  const [delivery] = await eventually(
    () => deliveriesOf(database, { empresa: empresa! }),
    ([first]) => first!.attempts > 0n,
  )
  const [attempt] = await attemptsOf(database, { empresa: empresa! })
  return { secret, entry, delivery: delivery!, attempt: attempt! }
}

describe('a receiver with a certificate of its own authority', { skip: NO_OPENSSL }, () => {
  const setUp = async () => {
    const { localhost, caFile } = makeCertificates()
    return { receiver: await startReceiver({ tls: localhost }), caFile }
  }

  test('gets deliveries of a service that is told to trust it', async (t) => {
    const { receiver, caFile } = await setUp()
    const { secret, entry, delivery, attempt } = await writeTo(t, receiver.url, {
      NODE_EXTRA_CA_CERTS: caFile,
    })
    assert.equal(receiver.received.length, 1)
    const [received] = receiver.received
    assert.ok(isGenuine(received!, secret, Date.now()))
    assert.deepEqual(received!.body.data, { lancamento: entry })
    assert.equal(received!.headers['webhook-id'], delivery.id)
    assert.deepEqual([delivery.state, delivery.attempts], ['delivered', 1n])
    assert.deepEqual([attempt.status, attempt.error], [200n, null])
  })

  test('is told nothing by one that is not, and the attempt says why', async (t) => {
    const { receiver } = await setUp()
    const { delivery, attempt } = await writeTo(t, receiver.url)
    assert.deepEqual(receiver.received, [])
    assert.deepEqual([delivery.state, delivery.attempts], ['pending', 1n])
    assert.deepEqual([attempt.status, attempt.error], [null, 'tls'])
    assert.match(diagnosisOf(receiver.url, attempt)!, /enviar a cadeia completa/)
  })
})

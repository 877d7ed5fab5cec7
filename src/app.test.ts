import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import pg from 'pg'
import { startService } from '../test/support/service.ts'

const service = await startService()
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function call(path: string, init?: RequestInit) {
  const response = await fetch(service.url + path, init)
  const text = await response.text()
  return { response, body: text ? JSON.parse(text) : undefined }
}

/** Sends bytes as they are, and reads the whole answer. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer)).on('error', reject)
  })
}

describe('health', () => {
  test('the process lives and can serve', async () => {
    for (const path of ['/healthz', '/readyz', '/readyz/']) {
      const { response, body } = await call(path)
      assert.equal(response.status, 200)
      assert.deepEqual(body, { status: 'ok' })
    }
  })

  test('HEAD is GET without its body', async () => {
    const { response, body } = await call('/healthz', { method: 'HEAD' })
    assert.equal(response.status, 200)
    assert.equal(body, undefined)
  })

  test('/readyz is 503 while the database is away, and 200 again after', async () => {
    const admin = new pg.Client({ connectionString: process.env.LASTRO_TEST_URL })
    await admin.connect()
    const name = new URL(service.databaseUrl).pathname.slice(1)
    await admin.query(`alter database ${name} allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      name,
    ])
    const away = await call('/readyz')
    await admin.query(`alter database ${name} allow_connections true`)
    await admin.end()
    assert.equal(away.response.status, 503)
    assert.equal(away.body.code, 'unavailable')
    assert.match(away.response.headers.get('retry-after')!, /^[1-9]\d*$/)
    assert.equal((await call('/healthz')).response.status, 200)
    assert.equal((await call('/readyz')).response.status, 200)
  })
})

describe('every answer', () => {
  test('is JSON and carries a request id, the same in header and body', async () => {
    const seen = new Set<string>()
    for (const path of ['/healthz', '/nowhere', '/%zz', '/healthz?x=%ff', `/${'x'.repeat(500)}`]) {
      const { response, body } = await call(path)
      const id = response.headers.get('x-request-id')!
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.match(id, UUID)
      assert.ok(!seen.has(id))
      seen.add(id)
      if (response.status >= 400) assert.equal(body.request_id, id)
    }
  })

  test('404 for an unknown address', async () => {
    for (const path of ['/nowhere', '/%zz', '/healthz/x']) {
      const { response, body } = await call(path)
      assert.equal(response.status, 404, path)
      assert.equal(body.error, 'not-found')
      assert.equal(body.code, 'not-found')
    }
  })

  test('405 with Allow for a method that the address does not take', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const { response, body } = await call('/healthz', { method })
      assert.equal(response.status, 405, method)
      assert.equal(body.code, 'method-not-allowed')
      assert.equal(response.headers.get('allow'), 'GET, HEAD')
    }
  })

  test('what is not HTTP is refused as JSON too', async () => {
    const answer = await raw('NONSENSE\r\n\r\n')
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/)
    assert.match(answer, /\r\nX-Request-Id: [0-9a-f-]{36}\r\n/i)
    assert.equal(JSON.parse(answer.split('\r\n\r\n')[1]!).code, 'invalid-request')
  })
})

test('what Node would answer by itself is answered as JSON, with an id', async () => {
  const host = 'Host: x\r\n'
  for (const [bytes, status] of [
    [`GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n`, 200],
    [`GET /healthz HTTP/1.1\r\n${host}Expect: foo\r\nConnection: close\r\n\r\n`, 200],
    [`CONNECT x:443 HTTP/1.1\r\n${host}\r\n`, 400],
    [`FOO /healthz HTTP/1.1\r\n${host}\r\n`, 400],
    [`GET /healthz HTTP/1.1\r\n${host}x-large: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
  ] as const) {
    const answer = await raw(bytes)
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), bytes.slice(0, 60))
    assert.match(answer, /\r\nX-Request-Id: [0-9a-f-]{36}\r\n/i)
    assert.doesNotThrow(() => JSON.parse(answer.split('\r\n\r\n')[1]!))
  }
})

test('the log names the route and never the address', async () => {
  service.log.length = 0
  await call('/readyz?api_key=canary-in-query', { headers: { 'x-api-key': 'canary-in-header' } })
  await call('/canary-in-path', { headers: { authorization: 'Bearer canary-in-header' } })
  const lines = service.log.join('')
  assert.match(lines, /"status":404/)
  assert.doesNotMatch(lines, /canary/)
})

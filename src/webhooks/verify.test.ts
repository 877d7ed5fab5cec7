import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signatureHeaders } from '../delivery/sign.ts'
import { isSecret, verifyDelivery } from './verify.ts'

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE='
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const ID = '0197a3c0-5b1e-7c3d-8e4f-0123456789ab'
const NOW = 1_782_136_987
const CONTENT = { event: 'lancamento.created', timestamp: NOW, data: { lancamento: { id: 'x' } } }
const BODY = JSON.stringify(CONTENT)

type Headers = Record<string, string>

/** As a receiver gets it: signed with SECRET at NOW, but for what is told otherwise. */
function delivery({ secret = SECRET, timestamp = NOW, body = BODY } = {}) {
  const headers: Headers = signatureHeaders({ secrets: [secret], id: ID, timestamp, body })
  return { headers: { ...headers, 'x-svc-sequence': '42' } as Headers, body }
}

function verify({ headers, body }: { headers: Headers; body: string }, now = NOW) {
  return verifyDelivery({ secret: SECRET, headers, body: Buffer.from(body), now: now * 1000 + 999 })
}

const refusal = (status: number, problem: string) => ({ ok: false, status, problem })

describe('a genuine delivery', () => {
  test('is accepted, and says what it is', () => {
    const expected = { ok: true, id: ID, event: CONTENT.event, sequence: 42, body: CONTENT }
    assert.deepEqual(verify(delivery()), expected)
  })

  test('is accepted by vectors that were worked out with other programs', () => {
    const headers = {
      'x-svc-timestamp': String(NOW),
      'x-svc-signature': 'sha256=bafaad3edfc93612d18ef8a4d5ae8cf7847dadfaa02958cfa7acc27e0d3b824b',
      'webhook-id': ID,
      'webhook-timestamp': String(NOW),
      'webhook-signature': 'v1,9F5PAqGL0322lIV4d/ICHtYOGtTUjT3/xf4FaXhLLrE=',
    }
    const body =
      '{"event":"lancamento.updated","timestamp":1782136987,"data":{"lancamento":{"descricao":"Ação “à vista” 💸"}}}'
    const verdict = verify({ headers, body })
    assert.deepEqual([verdict.ok, verdict.ok && verdict.sequence], [true, null])
  })

  for (const age of [-299, 0, 299]) {
    test(`is accepted ${age} s after it was signed`, () => {
      assert.equal(verify(delivery(), NOW + age).ok, true)
    })
  }

  test('may carry signatures of other secrets and other versions beside its own', () => {
    const { headers, body } = delivery()
    const others = delivery({ secret: OTHER }).headers['webhook-signature']
    const all = `v1a,abc ${others} ${headers['webhook-signature']}`
    assert.equal(verify({ headers: { ...headers, 'webhook-signature': all }, body }).ok, true)
  })
})

describe('what is missing or malformed is named', () => {
  test('every header that is missing', () => {
    const { headers, body } = delivery()
    const { 'x-svc-signature': _, 'webhook-id': __, ...rest } = headers
    const expected = refusal(400, 'Missing header: X-SVC-Signature, webhook-id.')
    assert.deepEqual(verify({ headers: rest, body }), expected)
    const all = 'X-SVC-Timestamp, X-SVC-Signature, webhook-id, webhook-timestamp, webhook-signature'
    assert.deepEqual(verify({ headers: {}, body }), refusal(400, `Missing header: ${all}.`))
  })

  const hex = 'a'.repeat(64)
  const base64 = `${'a'.repeat(43)}=`
  const malformed = {
    'X-SVC-Timestamp': ['now', '1782136987.5', '-1', ' 1', '1e9'],
    'webhook-timestamp': ['now', '2026-06-22T14:03:07Z'],
    'X-SVC-Signature': [hex, `sha256=${hex.toUpperCase()}`, `sha256=${hex}a`, `sha1=${hex}`],
    'webhook-signature': [base64, `v1,${hex}`, `v2,${base64}`, `v1 ${base64}`],
  }
  for (const [name, values] of Object.entries(malformed)) {
    for (const value of values) {
      test(`${name}: ${value}`, () => {
        const { headers, body } = delivery()
        const verdict = verify({ headers: { ...headers, [name.toLowerCase()]: value }, body })
        assert.ok(!verdict.ok)
        assert.equal(verdict.status, 400)
        assert.ok(verdict.problem.startsWith(`Malformed ${name}: it must`), verdict.problem)
      })
    }
  }
})

describe('a signature that does not match', () => {
  const neither = refusal(
    401,
    'Neither X-SVC-Signature nor webhook-signature matches: they were made with another secret, or the body or the timestamps were altered on the way.',
  )

  test('of another secret', () => {
    assert.deepEqual(verify(delivery({ secret: OTHER })), neither)
  })

  test('of an altered body, be it by a space', () => {
    const { headers } = delivery()
    for (const body of [`${BODY} `, BODY.replace('"x"', '"y"'), '']) {
      assert.deepEqual(verify({ headers, body }), neither)
    }
  })

  test('of another secret than the other: then the body is not at fault', () => {
    const { headers, body } = delivery()
    const other = delivery({ secret: OTHER }).headers
    for (const [name, matching] of [
      ['X-SVC-Signature', 'webhook-signature'],
      ['webhook-signature', 'X-SVC-Signature'],
    ] as const) {
      const mixed = { ...headers, [name.toLowerCase()]: other[name.toLowerCase()]! }
      const verdict = verify({ headers: mixed, body })
      assert.ok(!verdict.ok)
      assert.equal(verdict.status, 401)
      const start = `${name} does not match, while ${matching} does: it was made with another secret`
      assert.ok(verdict.problem.startsWith(start), verdict.problem)
    }
  })

  test('of an altered timestamp or id', () => {
    const { headers, body } = delivery()
    for (const [name, value] of [
      ['X-SVC-Timestamp', String(NOW + 1)],
      ['webhook-timestamp', String(NOW + 1)],
      ['webhook-id', 'msg_other'],
    ] as const) {
      const verdict = verify({ headers: { ...headers, [name.toLowerCase()]: value }, body })
      assert.ok(!verdict.ok)
      assert.equal(verdict.status, 401)
      assert.match(verdict.problem, new RegExp(`or .*${name}.* was altered\\.$`))
    }
  })
})

describe('a timestamp that is too far away', () => {
  test('in the past', () => {
    for (const age of [300, 301, 7_200]) {
      const problem = `X-SVC-Timestamp is too old: ${age} s behind the clock here, and less than 300 s are accepted.`
      assert.deepEqual(verify(delivery(), NOW + age), refusal(401, problem))
    }
  })

  test('in the future', () => {
    const problem =
      'X-SVC-Timestamp is in the future: 300 s ahead of the clock here, and less than 300 s are accepted.'
    assert.deepEqual(verify(delivery(), NOW - 300), refusal(401, problem))
  })

  test('of Standard Webhooks alone', () => {
    const old = delivery({ timestamp: NOW - 400 }).headers
    const headers = { ...delivery().headers }
    for (const name of ['webhook-timestamp', 'webhook-signature']) headers[name] = old[name]!
    const problem =
      'webhook-timestamp is too old: 400 s behind the clock here, and less than 300 s are accepted.'
    assert.deepEqual(verify({ headers, body: BODY }), refusal(401, problem))
  })
})

describe('a body that is signed but is no delivery', () => {
  for (const [body, problem] of [
    ['event=1', 'The body is not a JSON object.'],
    ['[]', 'The body is not a JSON object.'],
    ['null', 'The body is not a JSON object.'],
    ['{}', 'The body names no event.'],
    ['{"event":"x"}', `The timestamp of the body is missing, but X-SVC-Timestamp is ${NOW}.`],
    [
      `{"event":"x","timestamp":"${NOW}"}`,
      `The timestamp of the body is "${NOW}", but X-SVC-Timestamp is ${NOW}.`,
    ],
  ] as const) {
    test(body, () => assert.deepEqual(verify(delivery({ body })), refusal(400, problem)))
  }

  test('a timestamp that differs from the headers', () => {
    const problem = `The timestamp of the body is ${NOW}, but X-SVC-Timestamp is ${NOW + 1}.`
    assert.deepEqual(verify(delivery({ timestamp: NOW + 1 })), refusal(400, problem))
  })
})

test('a secret is known by its form', () => {
  assert.ok(isSecret(SECRET))
  assert.ok(isSecret(OTHER))
  const short = `whsec_${Buffer.alloc(24).toString('base64')}`
  for (const text of ['', 'whsec_', SECRET.slice(0, -1), SECRET.slice(6), `${SECRET} `, short]) {
    assert.equal(isSecret(text), false, text)
  }
})

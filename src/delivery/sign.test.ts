import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signatureHeaders, withoutSecrets } from './sign.ts'

// Worked out with `openssl dgst -sha256 -mac HMAC` and Python's hmac, not with this program.
const ID = '0197a3c0-5b1e-7c3d-8e4f-0123456789ab'
/** The base64 of 01234567890123456789012345678901. */
const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE='
const BODY =
  '{"event":"lancamento.created","timestamp":1782136987,"data":{"lancamento":{"valor":1234.56}}}'

const VECTORS = [
  {
    name: 'a delivery',
    message: { secrets: [SECRET], id: ID, timestamp: 1782136987, body: BODY },
    hex: 'b32b4564e073294f84e3e8b49b7c785aeabf53bff010f7f459625bfd4036295f',
    base64: 'jEHlJGEk1/VhNrrG3sw4MWNbjVD2G9DJReTcIajY0Dk=',
  },
  {
    name: 'the same delivery a minute later',
    message: {
      secrets: [SECRET],
      id: ID,
      timestamp: 1782137047,
      body: BODY.replace('1782136987', '1782137047'),
    },
    hex: '87da86c39628af7c692fdc6d674066a9bbd17d024b34478aa33bee6f21394a52',
    base64: '+crBPU2vISixxy3KUkn+DOma2KnlDuiZVSLAHIXb7sQ=',
  },
  {
    name: 'a body whose characters take more than a byte',
    message: {
      secrets: [SECRET],
      id: ID,
      timestamp: 1782136987,
      body: '{"event":"lancamento.updated","timestamp":1782136987,"data":{"lancamento":{"descricao":"Ação “à vista” 💸"}}}',
    },
    hex: 'bafaad3edfc93612d18ef8a4d5ae8cf7847dadfaa02958cfa7acc27e0d3b824b',
    base64: '9F5PAqGL0322lIV4d/ICHtYOGtTUjT3/xf4FaXhLLrE=',
  },
  {
    name: 'a secret that holds + and /, of bytes that are no text',
    message: {
      secrets: ['whsec_+//7//v/+//7//v/+//7//v/+//7//v/+//7//v/+/8='],
      id: ID,
      timestamp: 1782136987,
      body: BODY,
    },
    hex: 'e0d17a5c6bcaa4a98728d782318e224a1b71cadecab8cd505278a4b468dcc2f3',
    base64: '7s6oPoF67mSr34hSJy4JWs2FAIxwoJ1E2uIJtpFWI4Q=',
  },
  {
    // What the libraries of Standard Webhooks are themselves tested with.
    name: 'the published vector of Standard Webhooks',
    message: {
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
    },
    hex: '2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964',
    base64: 'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
]

for (const { name, message, hex, base64 } of VECTORS) {
  test(`${name} is signed in both forms`, () => {
    assert.deepEqual(signatureHeaders(message), {
      'x-svc-timestamp': String(message.timestamp),
      'x-svc-signature': `sha256=${hex}`,
      'webhook-id': message.id,
      'webhook-timestamp': String(message.timestamp),
      'webhook-signature': `v1,${base64}`,
    })
  })
}

describe('the key', () => {
  const message = VECTORS[0]!.message
  const signed = (secret: string) => signatureHeaders({ ...message, secrets: [secret] })

  test("of X-SVC-Signature is the secret's whole text: two spellings of one key differ", () => {
    // The bits that base64 pads with differ, the bytes that it holds do not.
    const respelt = SECRET.replace(/E=$/, 'F=')
    assert.notEqual(signed(respelt)['x-svc-signature'], signed(SECRET)['x-svc-signature'])
    assert.equal(signed(respelt)['webhook-signature'], signed(SECRET)['webhook-signature'])
  })

  test('of X-SVC-Signature includes whsec_', () => {
    // `openssl dgst -sha256 -mac HMAC` with the secret's text after whsec_ as its key.
    const withoutPrefix = 'cff94eb4a97a44cfa813a2e7a60e3b317d2715be5dde4e38d86d2cb180b2c15e'
    assert.notEqual(signed(SECRET)['x-svc-signature'], `sha256=${withoutPrefix}`)
  })
})

describe('the id', () => {
  test('is signed in webhook-signature, and is not part of X-SVC-Signature', () => {
    const message = VECTORS[0]!.message
    const one = signatureHeaders(message)
    const other = signatureHeaders({ ...message, id: ID.replace(/b$/, 'c') })
    assert.notEqual(other['webhook-signature'], one['webhook-signature'])
    assert.equal(other['x-svc-signature'], one['x-svc-signature'])
  })
})

test('of what a receiver answers nothing is kept that signs, however it is written', () => {
  for (const { message } of VECTORS) {
    const headers = signatureHeaders(message)
    const answer = JSON.stringify({ secret: message.secrets[0], headers })
    const expected = JSON.stringify({
      secret: '…',
      headers: { ...headers, 'x-svc-signature': 'sha256=…', 'webhook-signature': 'v1,…' },
    })
    const hide = (text: string) => withoutSecrets(text, message.secrets, headers)
    assert.equal(hide(answer), expected)
    assert.equal(hide(answer.replaceAll('/', '\\/')), expected)
    assert.equal(hide('ok'), 'ok')
  }
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { diagnose } from './diagnosis.ts'

const URL_SENT = 'https://exemplo.com.br/webhooks/lastro'

const failed = (error: string, errorDetail: string | null = null) =>
  diagnose({ url: URL_SENT, status: null, error, errorDetail, responseHeaders: null })!

const answered = (status: number, headers: [string, string][] = [], url = URL_SENT) =>
  diagnose({ url, status, error: null, errorDetail: null, responseHeaders: headers })

const FAILURES: [error: string, detail: string | null, expected: RegExp][] = [
  [
    'tls',
    'CERT_HAS_EXPIRED valid_to=2026-07-01T02:59:59.000Z',
    /^O certificado expirou em 01\/07\/2026\. Renove-o/,
  ],
  ['tls', 'CERT_HAS_EXPIRED', /^Um certificado da cadeia do servidor expirou\./],
  [
    'tls',
    'CERT_NOT_YET_VALID valid_from=2027-01-31T00:00:00.000Z',
    /^O certificado só vale a partir de 31\/01\/2027\./,
  ],
  ['tls', 'CERT_NOT_YET_VALID', /^Um certificado da cadeia do servidor ainda não vale\./],
  [
    'tls',
    'ERR_TLS_CERT_ALTNAME_INVALID names=a.example,*.b.example',
    /^O certificado não vale para o nome da URL, só para a\.example, \*\.b\.example\. Instale/,
  ],
  [
    'tls',
    'ERR_TLS_CERT_ALTNAME_INVALID names=',
    /^O certificado não vale para o nome da URL\. Instale/,
  ],
  ['tls', 'DEPTH_ZERO_SELF_SIGNED_CERT', /autoassinado/],
  ['tls', 'SELF_SIGNED_CERT_IN_CHAIN', /autoridade que não é reconhecida/],
  ['tls', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /cadeia completa, com os .* intermediários/],
  ['tls', 'UNABLE_TO_GET_ISSUER_CERT', /cadeia completa/],
  ['tls', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /cadeia completa/],
  ['tls', 'ERR_SSL_WRONG_VERSION_NUMBER', /não fala TLS nessa porta/],
  ['tls', 'EPROTO', /^A conexão segura \(TLS\) falhou com EPROTO\./],
  ['tls', null, /^A conexão segura \(TLS\) falhou\./],
  ['dns', 'ENOTFOUND', /não foi encontrado no DNS/],
  ['dns', 'ENODATA', /não foi encontrado no DNS/],
  ['dns', 'ESERVFAIL', /^O DNS não conseguiu/],
  ['dns', 'ECONNREFUSED', /^O DNS não conseguiu/],
  ['dns', null, /^O DNS não conseguiu/],
  ['connection', 'ECONNREFUSED', /^O servidor recusou a conexão\./],
  ['connection', 'ECONNRESET', /encerrou a conexão/],
  ['connection', 'UND_ERR_SOCKET', /encerrou a conexão/],
  ['connection', 'EHOSTUNREACH', /^Não há caminho até o servidor\./],
  ['connection', 'ENETUNREACH', /^Não há caminho até o servidor\./],
  ['connection', 'UND_ERR_HEADERS_OVERFLOW', /cabeçalhos grandes demais/],
  ['connection', 'HPE_INVALID_CONSTANT', /não é HTTP válido/],
  ['connection', 'EMFILE', /falhou com EMFILE\./],
  ['connection', null, /^A conexão com o servidor falhou\./],
  ['timeout', 'dns', /^O DNS demorou mais de 10 s/],
  ['timeout', 'connect', /^O servidor demorou mais de 10 s para aceitar a conexão\./],
  ['timeout', 'tls', /^O servidor demorou mais de 10 s para iniciar o TLS\./],
  ['timeout', 'firstByte', /^O servidor demorou mais de 10 s para responder\./],
  ['timeout', 'body', /^O servidor demorou mais de 10 s para terminar/],
  ['timeout', null, /^O servidor demorou mais de 10 s para responder\./],
  ['address-refused', 'A URL deve usar https.', /^A URL deve usar https\. Cadastre uma URL/],
  ['address-refused', null, /^O endereço não é público\. Cadastre uma URL/],
]

const ANSWERS: [status: number, expected: RegExp][] = [
  [400, /^O servidor recusou a entrega com 400\./],
  [401, /^O servidor respondeu 401: .*libere esse caminho/],
  [403, /^O servidor respondeu 403: .*libere esse caminho/],
  [404, /^O servidor respondeu 404: .*Confira a URL/],
  [405, /^O servidor respondeu 405: .*POST/],
  [410, /^O servidor respondeu 410: a assinatura foi desativada\.$/],
  [413, /^O servidor respondeu 413: .*tamanho/],
  [415, /^O servidor respondeu 415: .*application\/json/],
  [422, /^O servidor recusou a entrega com 422\./],
  [429, /^O servidor respondeu 429: .*limite/],
  [500, /^O servidor respondeu 500: falhou/],
  [503, /^O servidor respondeu 503: falhou/],
  [599, /^O servidor respondeu 599: falhou/],
]

test('a diagnosis of a failure tells it from all others', () => {
  for (const [error, detail, expected] of FAILURES) assert.match(failed(error, detail), expected)
})

test('a diagnosis of a failure is the same whatever had been answered before it', () => {
  const attempt = { url: URL_SENT, status: 200, errorDetail: 'body', responseHeaders: [] }
  assert.equal(diagnose({ ...attempt, error: 'timeout' }), failed('timeout', 'body'))
})

test('a diagnosis of an answer tells its status, and what to do', () => {
  for (const [status, expected] of ANSWERS) assert.match(answered(status)!, expected)
})

test('a diagnosis of 2xx there is not', () => {
  for (const status of [200, 201, 202, 204, 299]) assert.equal(answered(status), null)
})

describe('a diagnosis of a redirect', () => {
  const to = (location: string, url?: string) => answered(301, [['Location', location]], url)!

  test('tells where it leads, to be subscribed instead', () => {
    assert.match(
      to('https://www.exemplo.com.br/x?y=1'),
      /redirecionou para https:\/\/www\.exemplo\.com\.br\/x\?y=1: cadastre esse endereço\./,
    )
  })

  test('tells all of a relative one', () => {
    assert.match(to('lastro/'), / https:\/\/exemplo\.com\.br\/webhooks\/lastro\/: cadastre/)
    assert.match(to('//b.example'), / https:\/\/b\.example\/: cadastre/)
  })

  test('does not recommend what would be refused', () => {
    for (const location of ['http://exemplo.com.br/', 'javascript:alert(1)']) {
      assert.match(to(location), /que não usa https\. Cadastre um endereço https/)
    }
    assert.match(to('http://127.0.0.1:2/', 'http://127.0.0.1:1/'), /:2\/: cadastre esse endereço/)
  })

  test('says so where it leads nowhere', () => {
    for (const answer of [answered(304), to(''), to('https://['), to('http:')]) {
      assert.match(answer!, /^O servidor respondeu 30[14], .* sem dizer para onde\./)
    }
  })
})

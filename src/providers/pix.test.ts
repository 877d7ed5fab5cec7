// The seed of what is random is printed; SEED repeats a run.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hasError, isStaticPix, type PixStaticObject, parsePix } from 'pix-utils'
import { crc16, pixBrCode } from './pix.ts'

const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))

const CHARGE = {
  chave: 'financeiro@padaria.com.br',
  nome: 'Padaria São João',
  cidade: 'Brasília',
  valor: 12_345n,
  txid: 'Cobranca42',
}

/** As another's parser reads it, which also checks the CRC. */
function parsed(code: string): PixStaticObject {
  const pix = parsePix(code)
  assert.ok(!hasError(pix) && isStaticPix(pix), code)
  return pix
}

/** The fields in their order: two digits of id, two of length, the value. */
function fieldsOf(text: string): [id: string, value: string][] {
  const fields: [string, string][] = []
  let at = 0
  while (at < text.length) {
    const head = text.slice(at, at + 4)
    assert.match(head, /^\d{4}$/)
    const end = at + 4 + Number(head.slice(2))
    assert.ok(end > at + 4 && end <= text.length, text)
    fields.push([head.slice(0, 2), text.slice(at + 4, end)])
    at = end
  }
  return fields
}

function fieldOf(code: string, id: string): string | undefined {
  return new Map(fieldsOf(code)).get(id)
}

/** The characters that stay, one by one. */
function folded(text: string, length: number): string {
  const kept = [...text.normalize('NFD')].filter((c) => c >= ' ' && c <= '~').join('')
  return kept
    .replace(/^ +| +$/g, '')
    .slice(0, length)
    .replace(/ +$/, '')
}

test('the CRC of 123456789 is 29B1', () => {
  assert.equal(crc16('123456789'), '29B1')
})

test('a CRC is four digits, were the first ones 0', () => {
  const crcs = Array.from({ length: 5000 }, (_, n) => crc16(String(n)))
  assert.ok(crcs.every((crc) => /^[0-9A-F]{4}$/.test(crc)))
  assert.ok(crcs.some((crc) => crc.startsWith('00')))
})

test('a code, letter by letter', () => {
  const signed = [
    '000201',
    '26470014br.gov.bcb.pix0125financeiro@padaria.com.br',
    '52040000',
    '5303986',
    '5406123.45',
    '5802BR',
    '5916Padaria Sao Joao',
    '6008Brasilia',
    '62140510Cobranca42',
    '6304',
  ].join('')
  const code = pixBrCode(CHARGE)
  assert.equal(code.slice(0, -4), signed)
  assert.equal(parsed(code).merchantName, 'Padaria Sao Joao')
})

describe('the amount', () => {
  const AMOUNTS = {
    1: '0.01',
    10: '0.10',
    100: '1.00',
    2990: '29.90',
    999999999999: '9999999999.99',
  }
  for (const [centavos, text] of Object.entries(AMOUNTS)) {
    test(`of ${centavos} centavos is ${text}`, () => {
      assert.equal(fieldOf(pixBrCode({ ...CHARGE, valor: BigInt(centavos) }), '54'), text)
    })
  }

  for (const valor of [-1n, 0n, 1_000_000_000_000n]) {
    test(`of ${valor} centavos is refused`, () => {
      assert.throws(() => pixBrCode({ ...CHARGE, valor }), RangeError)
    })
  }
})

describe('the name', () => {
  const NAMES = {
    'José Conceição & Irmãos': 'Jose Conceicao & Irmaos',
    'Comércio de Alimentos do Sertão Ltda': 'Comercio de Alimentos do',
    ' Café ☕ ': 'Cafe',
    'Zoë\tÅngström\n': 'ZoeAngstrom',
    'Æon 日本': 'on',
    日本: 'RECEBEDOR',
    ' 🥖 ': 'RECEBEDOR',
    '': 'RECEBEDOR',
  }
  for (const [nome, expected] of Object.entries(NAMES)) {
    test(`${JSON.stringify(nome)} is shown as ${expected}`, () => {
      assert.equal(fieldOf(pixBrCode({ ...CHARGE, nome }), '59'), expected)
    })
  }
})

describe('the city', () => {
  const CITIES = {
    'São José do Rio Preto': 'Sao Jose do Rio',
    'Vitória da Conquista': 'Vitoria da Conq',
    東京: 'BRASIL',
  }
  for (const [cidade, expected] of Object.entries(CITIES)) {
    test(`${cidade} is shown as ${expected}`, () => {
      assert.equal(fieldOf(pixBrCode({ ...CHARGE, cidade }), '60'), expected)
    })
  }
})

test('a key that is too long is refused', () => {
  assert.equal(parsed(pixBrCode({ ...CHARGE, chave: 'a'.repeat(77) })).pixKey, 'a'.repeat(77))
  assert.throws(() => pixBrCode({ ...CHARGE, chave: 'a'.repeat(78) }), RangeError)
})

for (const txid of ['', 'a'.repeat(26), 'a-b', 'a b', 'ação', '***', 'a\n']) {
  test(`the txid ${JSON.stringify(txid)} is refused`, () => {
    assert.throws(() => pixBrCode({ ...CHARGE, txid }), RangeError)
  })
}

test('whatever a code says is read from it', (t) => {
  t.diagnostic(`SEED=${SEED} repeats this run`)
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...'aÃçé Z~  '), maxLength: 60 }),
  )
  const charge = fc.record({
    chave: fc.oneof(
      fc.uuid(),
      fc.emailAddress().filter((email) => email.length <= 77),
    ),
    nome: text,
    cidade: text,
    valor: fc.bigInt(1n, 999_999_999_999n),
    // Of one that ends in 6304 pix-utils takes the end for the head of the CRC.
    txid: fc.stringMatching(/^[A-Za-z0-9]{1,25}$/).filter((txid) => !txid.endsWith('6304')),
  })
  fc.assert(
    fc.property(charge, (charge) => {
      const { chave, nome, cidade, valor, txid } = charge
      const name = folded(nome, 25) || 'RECEBEDOR'
      const city = folded(cidade, 15) || 'BRASIL'
      const code = pixBrCode(charge)

      const pix = parsed(code)
      assert.equal(pix.pixKey, chave)
      assert.equal(pix.transactionAmount, Number(valor) / 100)
      assert.equal(pix.txid, txid)
      assert.equal(pix.merchantName, name)
      assert.equal(pix.merchantCity, city)

      const fields = fieldsOf(code)
      const ids = fields.map(([id]) => id)
      assert.deepEqual(ids, ['00', '26', '52', '53', '54', '58', '59', '60', '62', '63'])
      const values = Object.fromEntries(fields)
      assert.deepEqual(fieldsOf(values['26']!), [
        ['00', 'br.gov.bcb.pix'],
        ['01', chave],
      ])
      assert.deepEqual(fieldsOf(values['62']!), [['05', txid]])
      assert.match(values['54']!, /^(0|[1-9]\d*)\.\d{2}$/)
      assert.ok(values['54']!.length <= 13)
      assert.equal(BigInt(values['54']!.replace('.', '')), valor)
      assert.equal(values['59'], name)
      assert.equal(values['60'], city)
      assert.match(code, /^[ -~]+$/)
    }),
    { seed: SEED, numRuns: 1000 },
  )
})

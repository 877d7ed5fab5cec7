// The seed of what is random is printed; SEED repeats a run.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { boletoCodes } from './boleto.ts'

const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))
const DAY_MS = 86_400_000

const KNOWN = {
  boleto: {
    banco: '033',
    valor: 2990n,
    vencimento: '2020-01-31',
    campoLivre: '9777729900000000475110101',
  },
  codigoBarras: '03391815100000029909777729900000000475110101',
  linhaDigitavel: '03399777792990000000004751101017181510000002990',
}

/** What a bar code says. Banks take the due date that is nearest: from 3000 days ago to 5500 ahead. */
function readBarcode(code: string, today: string) {
  const parts =
    /^(?<banco>\d{3})9(?<check>\d)(?<factor>\d{4})(?<valor>\d{10})(?<campoLivre>\d{25})$/
  const { banco, check, factor, valor, campoLivre } = parts.exec(code)!.groups!
  assertModulo11(code.slice(0, 4) + code.slice(5), Number(check))
  return {
    banco: banco!,
    valor: BigInt(valor!),
    vencimento: dueDate(Number(factor), today),
    campoLivre: campoLivre!,
  }
}

/** The bar code that a typed line stands for. */
function barcodeOf(line: string): string {
  const parts = /^(\d{4})(\d{5})\d(\d{10})\d(\d{10})\d(\d)(\d{14})$/
  const [, bank, free1, free2, free3, check, terms] = parts.exec(line)!
  assertLuhn(line.slice(0, 10))
  assertLuhn(line.slice(10, 21))
  assertLuhn(line.slice(21, 32))
  return [bank, check, terms, free1, free2, free3].join('')
}

function dueDate(factor: number, today: string): string {
  const day = (text: string) => Date.parse(text) / DAY_MS
  const fits = (candidate: number) =>
    candidate >= day(today) - 3000 && candidate <= day(today) + 5500
  const candidates = [0, 9000, 18_000, 27_000].map((days) => day('1997-10-07') + factor + days)
  return new Date(candidates.find(fits)! * DAY_MS).toISOString().slice(0, 10)
}

/** With its check digit, a field sums to a multiple of ten. */
function assertLuhn(field: string): void {
  const doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]
  const worth = (digit: number, fromRight: number) => (fromRight % 2 ? doubled[digit]! : digit)
  const worths = [...field].map(Number).reverse().map(worth)
  assert.equal(sum(worths) % 10, 0, field)
}

/** With its check digit, the code sums to a multiple of eleven, unless that digit would be 0 or 10. */
function assertModulo11(others: string, check: number): void {
  const weights = '4329876543298765432987654329876543298765432'
  const total = sum([...others].map((digit, i) => Number(digit) * Number(weights[i])))
  const expected = [0, 1].includes(total % 11) ? 1 : 11 - (total % 11)
  assert.equal(check, expected, others)
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function factorOn(vencimento: string): string {
  const { codigoBarras, linhaDigitavel } = boletoCodes({ ...KNOWN.boleto, vencimento })
  assert.equal(linhaDigitavel.slice(33, 37), codigoBarras.slice(5, 9))
  return codigoBarras.slice(5, 9)
}

describe('a known boleto', () => {
  test('has its codes', () => {
    const { codigoBarras, linhaDigitavel } = KNOWN
    assert.deepEqual(boletoCodes(KNOWN.boleto), { codigoBarras, linhaDigitavel })
  })

  test('is read from them', () => {
    assert.equal(barcodeOf(KNOWN.linhaDigitavel), KNOWN.codigoBarras)
    assert.deepEqual(readBarcode(KNOWN.codigoBarras, '2020-01-01'), KNOWN.boleto)
  })
})

describe('the due factor', () => {
  const DAYS = {
    '1997-10-07': '0000',
    '2000-07-02': '0999',
    '2000-07-03': '1000',
    '2002-05-01': '1667',
    '2010-11-17': '4789',
    '2025-02-21': '9999',
    '2025-02-22': '1000',
    '2025-02-24': '1002',
    '2026-12-21': '1667',
    '2035-07-09': '4789',
    '2049-10-13': '9999',
    '2049-10-14': '1000',
  }
  for (const [day, factor] of Object.entries(DAYS)) {
    test(`of ${day} is ${factor}`, () => assert.equal(factorOn(day), factor))
  }

  const NEIGHBOURS = [
    ['2026-01-31', '2026-02-01'],
    ['2026-02-28', '2026-03-01'],
    ['2026-04-30', '2026-05-01'],
    ['2026-12-31', '2027-01-01'],
    ['2028-02-28', '2028-02-29'],
    ['2028-02-29', '2028-03-01'],
  ] as const
  for (const [day, next] of NEIGHBOURS) {
    test(`of ${next} is one more than of ${day}`, () => {
      assert.equal(Number(factorOn(next)), Number(factorOn(day)) + 1)
    })
  }

  test('does not exist for days before the first', () => {
    assert.throws(() => factorOn('1997-10-06'), RangeError)
  })
})

describe('the value', () => {
  const valueField = (valor: bigint) =>
    boletoCodes({ ...KNOWN.boleto, valor }).codigoBarras.slice(9, 19)

  test('fills ten digits, from the right', () => {
    assert.equal(valueField(1n), '0000000001')
    assert.equal(valueField(9_999_999_999n), '9999999999')
  })

  test('is refused where ten digits do not hold it', () => {
    assert.throws(() => valueField(10_000_000_000n), RangeError)
    assert.throws(() => valueField(999_999_999_999n), RangeError)
    assert.throws(() => valueField(-1n), RangeError)
  })
})

test('whatever a boleto says is read from either of its codes', (t) => {
  t.diagnostic(`SEED=${SEED} repeats this run`)
  const digits = (length: number) =>
    fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
      .map((all) => all.join(''))
  const boleto = fc.record({
    banco: digits(3),
    valor: fc.bigInt(0n, 9_999_999_999n),
    campoLivre: digits(25),
  })
  const today = fc
    .date({ min: new Date('2010-01-01'), max: new Date('2050-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const daysAhead = fc.integer({ min: -3000, max: 5500 })
  fc.assert(
    fc.property(boleto, today, daysAhead, (rest, today, days) => {
      const due = new Date(Date.parse(today) + days * DAY_MS)
      const whole = { ...rest, vencimento: due.toISOString().slice(0, 10) }
      const { codigoBarras, linhaDigitavel } = boletoCodes(whole)
      assert.deepEqual(readBarcode(codigoBarras, today), whole)
      assert.equal(barcodeOf(linhaDigitavel), codigoBarras)
    }),
    { seed: SEED, numRuns: 2000 },
  )
})

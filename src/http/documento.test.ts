import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDocumento } from './documento.ts'

test('valid documents are kept bare and upper-case', () => {
  for (const [text, kept] of [
    ['52998224725', '52998224725'],
    ['529.982.247-25', '52998224725'],
    ['111.444.777-35', '11144477735'],
    ['00000000191', '00000000191'],
    ['11.222.333/0001-81', '11222333000181'],
    ['12ABC34501DE35', '12ABC34501DE35'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
  ] as const) {
    assert.equal(parseDocumento(text), kept, text)
  }
})

test('anything else is refused', () => {
  for (const text of [
    '',
    '52998224724',
    '5299822472',
    '529982247251',
    '11111111111',
    '00000000000000',
    '11222333000182',
    '12ABC34501DE36',
    '12ABC34501DEA5',
    '１１２２２３３３０００１８１',
    '529_982_247_25',
    'ABCDEFGHIJK',
  ]) {
    assert.equal(parseDocumento(text), undefined, text)
  }
})

test('to any body of a CNPJ belong just two check digits', () => {
  const characters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const bodies = fc.array(fc.constantFrom(...characters), { minLength: 12, maxLength: 12 })
  fc.assert(
    fc.property(bodies, (body) => {
      const all = Array.from({ length: 100 }, (_, n) => body.join('') + String(n).padStart(2, '0'))
      assert.equal(all.filter(parseDocumento).length, 1)
    }),
  )
})

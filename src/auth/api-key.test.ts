import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashKey, isWellFormed, makeKey } from './api-key.ts'

test('a key is svc_live_ and 32 base62 characters, and no two are alike', () => {
  const keys = new Set(Array.from({ length: 1000 }, makeKey))
  assert.equal(keys.size, 1000)
  for (const key of keys) {
    assert.match(key, /^svc_live_[0-9A-Za-z]{32}$/)
    assert.ok(isWellFormed(key))
  }
})

test('a mistyped key is told from a real one without a look-up', () => {
  const key = makeKey()
  for (let i = 'svc_live_'.length; i < key.length; i++) {
    const other = key[i] === 'x' ? 'y' : 'x'
    assert.equal(isWellFormed(key.slice(0, i) + other + key.slice(i + 1)), false)
  }
  const [a, b] = [key.slice(9, 10), key.slice(10, 11)]
  if (a !== b) assert.equal(isWellFormed(`svc_live_${b}${a}${key.slice(11)}`), false)
  for (const odd of ['', 'svc_live_', key.slice(0, -1), `${key}0`, key.toUpperCase(), ` ${key}`]) {
    assert.equal(isWellFormed(odd), false)
  }
})

test('what is kept is the SHA-256 of the whole key', () => {
  const expected = '3ae7954cb6ec83158ff2077a15e7ac81dfdac55348dab3cac59a543d533d5b07'
  assert.equal(hashKey('svc_live_0'), expected)
})

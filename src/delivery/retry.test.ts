import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { afterAttempt } from './retry.ts'

const delays = [60, 300, 1800, 7200]

const TABLE = [
  { maxAttempts: 1, waits: [] },
  { maxAttempts: 2, waits: [60] },
  { maxAttempts: 4, waits: [60, 300, 1800] },
  { maxAttempts: 5, waits: [60, 300, 1800, 7200] },
  { maxAttempts: 7, waits: [60, 300, 1800, 7200, 7200, 7200] },
]

for (const { maxAttempts, waits } of TABLE) {
  describe(`with at most ${maxAttempts} attempts`, () => {
    const policy = { delays, maxAttempts }

    for (const [n, wait] of waits.entries()) {
      test(`after failure ${n + 1} the next attempt comes in ${wait} s`, () => {
        assert.deepEqual(afterAttempt(false, n + 1, policy), { state: 'pending', wait })
      })
    }

    test(`failure ${maxAttempts} is the last: the delivery is dead`, () => {
      assert.deepEqual(afterAttempt(false, maxAttempts, policy), { state: 'dead' })
    })

    test('a success ends it at any attempt, the last included', () => {
      for (let attempts = 1; attempts <= maxAttempts; attempts++) {
        assert.deepEqual(afterAttempt(true, attempts, policy), { state: 'delivered' })
      }
    })
  })
}

test('a delivery that was attempted more often than is now allowed is dead', () => {
  assert.deepEqual(afterAttempt(false, 5, { delays, maxAttempts: 4 }), { state: 'dead' })
})

test('a single step is repeated', () => {
  const policy = { delays: [5], maxAttempts: 4 }
  for (const attempts of [1, 2, 3]) {
    assert.deepEqual(afterAttempt(false, attempts, policy), { state: 'pending', wait: 5 })
  }
})

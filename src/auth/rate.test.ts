import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryRateCounter } from './rate.ts'

test('a window begins with the first call of its key, lasts a minute, and then begins anew', () => {
  let now = 1_000
  const counter = new MemoryRateCounter(() => now)
  assert.deepEqual(counter.hit('a'), { count: 1, secondsLeft: 60 })
  now += 30_000
  assert.deepEqual(counter.hit('a'), { count: 2, secondsLeft: 30 })
  assert.deepEqual(counter.hit('b'), { count: 1, secondsLeft: 60 })
  now += 29_999
  assert.deepEqual(counter.hit('a'), { count: 3, secondsLeft: 1 })
  now += 1
  assert.deepEqual(counter.hit('a'), { count: 1, secondsLeft: 60 })
  assert.deepEqual(counter.hit('b'), { count: 2, secondsLeft: 30 })
})

test('windows that ended are forgotten, those that run are not', () => {
  let now = 0
  const counter = new MemoryRateCounter(() => now)
  for (let n = 0; n < 10_000; n++) counter.hit(`old ${n}`)
  now = 59_000
  counter.hit('running')
  now = 61_000
  counter.hit('new')
  assert.equal(counter.hit('running').count, 2)
  assert.equal(counter.hit('old 1').count, 1)
})

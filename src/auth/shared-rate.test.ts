import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { SharedRateCounter, sweepWindows } from './shared-rate.ts'

const { db, pool } = await createTestDatabase()
const company = randomUUID()

/** As if so many seconds had passed for a key's window. */
const passTime = (key: string, seconds: number) =>
  pool.query(
    `update rate_windows set since = since - make_interval(secs => $2) where chave_id = $1`,
    [key, seconds],
  )

test('a window begins with the first call of its key, lasts a minute, and then begins anew', async () => {
  const counter = new SharedRateCounter(db)
  const [a, b] = [randomUUID(), randomUUID()]
  assert.deepEqual(await counter.hit(a, company), { count: 1, secondsLeft: 60 })
  await passTime(a, 50)
  const second = await counter.hit(a, company)
  assert.equal(second.count, 2)
  assert.ok(second.secondsLeft >= 1 && second.secondsLeft <= 10)
  assert.deepEqual(await counter.hit(b, company), { count: 1, secondsLeft: 60 })
  await passTime(a, 10)
  assert.deepEqual(await counter.hit(a, company), { count: 1, secondsLeft: 60 })
  assert.equal((await counter.hit(b, company)).count, 2)
})

test('a window that a clock set back has left in the future holds nobody up', async () => {
  const counter = new SharedRateCounter(db)
  const key = randomUUID()
  await counter.hit(key, company)
  await passTime(key, -3_600)
  assert.deepEqual(await counter.hit(key, company), { count: 1, secondsLeft: 60 })
})

test('any number of counters count each call once, keys in whatever order', async () => {
  const counters = Array.from({ length: 3 }, () => new SharedRateCounter(db))
  const keys = Array.from({ length: 5 }, () => randomUUID())
  const counts = new Map<string, number[]>(keys.map((key) => [key, []]))
  const calls = Array.from({ length: 300 }, async (_, n) => {
    // Some come together with others, some alone.
    for (let turn = 0; turn < n % 7; turn++) await new Promise((resolve) => setImmediate(resolve))
    const key = keys[(n * 7) % 5]!
    counts.get(key)!.push((await counters[n % 3]!.hit(key, company)).count)
  })
  await Promise.all(calls)
  for (const each of counts.values()) {
    assert.deepEqual(
      each.sort((x, y) => x - y),
      Array.from({ length: 60 }, (_, n) => n + 1),
    )
  }
})

test('windows that ended are swept, those that run are not', async () => {
  const counter = new SharedRateCounter(db)
  const [old, running] = [randomUUID(), randomUUID()]
  await Promise.all([counter.hit(old, company), counter.hit(running, company)])
  await passTime(old, 61)
  await sweepWindows(db)
  const { rows } = await pool.query<{ chave_id: string }>('select chave_id from rate_windows')
  const kept = rows.map(({ chave_id }) => chave_id)
  assert.deepEqual([kept.includes(old), kept.includes(running)], [false, true])
  assert.equal((await counter.hit(running, company)).count, 2)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type pg from 'pg'
import { whenDone } from '../../test/support/cleanup.ts'
import { passTime, startWorker, subscribe } from '../../test/support/delivery.ts'
import { createLancamento } from '../../test/support/lancamento.ts'
import { freePort } from '../../test/support/process.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { startService } from '../../test/support/service.ts'
import { Database } from '../db/database.ts'
import { createPool } from '../db/pool.ts'
import { serveMetrics } from './server.ts'

const service = await startService()
const { metrics, db, pool } = service
const { stop: stopWorker } = startWorker(service, { maxAttempts: 2 })

/** A server with no answer of the database kept from before. */
async function served(parts: { db: Database; pool: pg.Pool } = { db, pool }) {
  const port = await freePort()
  whenDone(await serveMetrics({ host: '127.0.0.1', port, metrics, ...parts }))
  return `http://127.0.0.1:${port}/metrics`
}

async function scrape(url: string) {
  const response = await fetch(url)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const text = await response.text()
  const samples = new Map<string, number>()
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('# ')) continue
    assert.match(line, /^[a-z][a-z0-9_]*(\{([a-z]+="[^"]*",?)+\})? [\d.e+-]+$/)
    const at = line.lastIndexOf(' ')
    samples.set(line.slice(0, at), Number(line.slice(at + 1)))
  }
  return { text, samples }
}

const counted = (samples: Map<string, number>, method: string, route: string, status: number) =>
  samples.get(`lastro_http_requests_total{method="${method}",route="${route}",status="${status}"}`)

describe('requests', () => {
  test('are counted and timed by method, pattern of the route and status', async () => {
    const caller = await service.caller()
    const { id } = await createLancamento(caller)
    for (const path of [id, crypto.randomUUID(), 'x']) await caller.get(`/lancamentos/${path}`)
    const { samples } = await scrape(await served())
    const route = '/api/v1/lancamentos/:id'
    assert.equal(counted(samples, 'GET', route, 200), 1)
    assert.equal(counted(samples, 'GET', route, 404), 2)
    assert.equal(counted(samples, 'POST', '/api/v1/lancamentos', 201), 1)
    const of = `method="GET",route="${route}"`
    const name = 'lastro_http_request_duration_seconds'
    assert.equal(samples.get(`${name}_count{${of}}`), 3)
    assert.equal(samples.get(`${name}_bucket{${of},le="+Inf"}`), 3)
    assert.ok(samples.get(`${name}_sum{${of}}`)! > 0)
  })

  test('for what does not exist are of one route, with a key or without, whatever they name', async () => {
    const caller = await service.caller()
    for (let n = 0; n < 5; n++) {
      await caller.get(`/nothing-${n}`)
      await fetch(`${service.url}/nothing-${n}?canary`)
    }
    await caller.call('DELETE', '/eventos')
    const { text, samples } = await scrape(await served())
    assert.equal(counted(samples, 'GET', 'unknown', 404), 10)
    assert.equal(counted(samples, 'DELETE', 'unknown', 405), 1)
    assert.doesNotMatch(text, /nothing-|canary/)
    assert.ok(!text.includes(caller.key) && !text.includes(caller.empresa))
  })
})

describe('deliveries', () => {
  const attempts = (samples: Map<string, number>, outcome: string, error: string) =>
    samples.get(`lastro_webhook_attempts_total{outcome="${outcome}",error="${error}"}`)

  test('are counted by outcome and kind of failure, and all that can happen is there from the start', async () => {
    const url = await served()
    const before = (await scrape(url)).samples
    assert.equal(attempts(before, 'dead', 'timeout'), 0)
    const caller = await service.caller()
    const [good, bad] = [await startReceiver(), await startReceiver()]
    bad.answer = (response) => response.writeHead(bad.received.length === 1 ? 503 : 404).end()
    await subscribe(caller, good.url)
    await subscribe(caller, bad.url)
    await createLancamento(caller)
    await Promise.all([good.until(1), bad.until(1)])
    while (bad.received.length < 2) {
      await passTime(service, caller)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const seen = async () => {
      const { samples } = await scrape(url)
      const kinds = ['delivered none', 'failed http-5xx', 'dead http-4xx', 'dead http-5xx']
      return kinds.map((kind) => {
        const [outcome, error] = kind.split(' ') as [string, string]
        return attempts(samples, outcome, error)! - attempts(before, outcome, error)!
      })
    }
    while ((await seen())[2] === 0) await new Promise((resolve) => setTimeout(resolve, 25))
    assert.deepEqual(await seen(), [1, 1, 1, 0])
  })

  test('that wait are counted; how late they are leaves out who has paused', async () => {
    await stopWorker()
    const caller = await service.caller()
    const { id } = await subscribe(caller, 'https://receiver.example/', ['parceiro.created'])
    await caller.patch(`/webhooks/${id}`, { ativo: false })
    await caller.post('/parceiros', { nome: 'Ana' })
    const queue = (change: string) =>
      db.write(caller.empresa, (tx) => tx.query(`${change} where tenant_id = $1`, [caller.empresa]))
    await queue("update webhook_queue set due = clock_timestamp() - interval '1 hour'")
    const paused = (await scrape(await served())).samples
    assert.equal(paused.get('lastro_webhook_pending'), 1)
    assert.equal(paused.get('lastro_webhook_oldest_due_seconds'), 0)
    await queue('update webhooks set ativo = true')
    const { samples } = await scrape(await served())
    const late = samples.get('lastro_webhook_oldest_due_seconds')!
    assert.ok(late >= 3_600 && late < 3_700, String(late))
  })
})

test('the age of the oldest charge that is being issued', async () => {
  const { samples } = await scrape(await served())
  assert.equal(samples.get('lastro_cobranca_oldest_issuing_seconds'), 0)
  const caller = await service.caller()
  const cobranca = { valor: 10, vencimento: '2030-01-01', forma: 'PIX' }
  assert.equal((await caller.post('/cobrancas', cobranca)).status, 201)
  await db.write(caller.empresa, (tx) =>
    tx.query(
      `update cobrancas set status = 'emitindo', criado_em = clock_timestamp() - interval '90 seconds'
       where tenant_id = $1`,
      [caller.empresa],
    ),
  )
  const age = (await scrape(await served())).samples.get('lastro_cobranca_oldest_issuing_seconds')!
  assert.ok(age >= 90 && age < 120, String(age))
})

test('the pool, the event loop and memory are told', async () => {
  const url = await served()
  const { samples } = await scrape(url)
  assert.equal(samples.get('lastro_database_up'), 1)
  assert.ok(samples.get('lastro_pool_connections')! >= 1)
  assert.ok(samples.get('lastro_pool_idle_connections')! >= 1)
  assert.equal(samples.get('lastro_pool_waiting'), 0)
  assert.ok(samples.get('process_resident_memory_bytes')! > 1e7)
  assert.ok(samples.get('nodejs_heap_size_used_bytes')! > 1e6)
  await new Promise((resolve) => setTimeout(resolve, 60))
  for (const end = performance.now() + 150; performance.now() < end; );
  await new Promise((resolve) => setTimeout(resolve, 40))
  const delayed = (await scrape(url)).samples
  assert.ok(delayed.get('nodejs_eventloop_lag_max_seconds')! > 0.1)
  assert.ok(delayed.has('nodejs_eventloop_lag_p50_seconds'))
})

test('the database is asked once in a while, however often the metrics are', async () => {
  const url = await served()
  let asked = 0
  const count = () => {
    asked++
  }
  pool.on('acquire', count)
  await Promise.all(Array.from({ length: 20 }, () => scrape(url)))
  pool.off('acquire', count)
  assert.equal(asked, 1)
})

test('without a database the rest is told, and what only it knows is left out', async () => {
  const broken = createPool({ host: '127.0.0.1', port: await freePort() }, () => {})
  const url = await served({ db: new Database(broken), pool: broken })
  const { text, samples } = await scrape(url)
  assert.equal(samples.get('lastro_database_up'), 0)
  assert.equal(samples.get('lastro_pool_connections'), 0)
  assert.doesNotMatch(text, /oldest|pending/)
  assert.match(text, /lastro_http_requests_total\{/)
})

test('nothing but GET /metrics is answered', async () => {
  const url = await served()
  assert.equal((await fetch(url, { method: 'POST' })).status, 404)
  assert.equal((await fetch(new URL('/', url))).status, 404)
})

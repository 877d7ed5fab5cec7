import { setTimeout as sleep } from 'node:timers/promises'
import { createLancamentos } from '../src/lancamentos/lancamentos.ts'
import { SecretBox } from '../src/secret-box.ts'
import { createWebhook } from '../src/webhooks/webhooks.ts'
import { load, post, ratio } from './load.ts'
import type { Measure } from './run.ts'
import { FLOOR, makeKeys, RECEIVER, SECRET_KEY, SERVICE, type World } from './world.ts'

const COMPANIES = 200
/** More than three rounds can carry out. */
const BACKLOG_OF_EACH = 500
const ENTRY = {
  data: '2026-06-22',
  descricao: 'Mensalidade de junho',
  tipo: 'receita' as const,
  valor: 1234.56,
  contraparte: 'Cliente Exemplo Ltda',
  centro_custo: 'Matriz',
}
const BODY = JSON.stringify(ENTRY)
const JSON_TYPE = { 'content-type': 'application/json' }

type Company = { empresa: string; keys: string[] }

/** Companies with one subscription each; of the first `hanging` the receiver never answers. */
async function subscribeAll({ db }: World, keysOfEach: number, hanging = 0): Promise<Company[]> {
  const companies = await makeKeys(db, COMPANIES, keysOfEach)
  const secrets = new SecretBox(Buffer.from(SECRET_KEY, 'base64'))
  for (const [n, { empresa }] of companies.entries()) {
    const url = `${RECEIVER}/${n < hanging ? 'hang' : 'ok'}/${n}`
    await db.write(empresa, (tx) =>
      createWebhook(tx, secrets, { url, events: ['lancamento.created'] }),
    )
  }
  return companies
}

function entryOf(companies: Company[]) {
  let turn = 0
  return () => {
    const { keys } = companies[turn % companies.length]!
    const key = keys[Math.floor(turn++ / companies.length) % keys.length]
    const headers = { ...JSON_TYPE, authorization: `Bearer ${key}` }
    return post('/api/v1/lancamentos', BODY, headers)
  }
}

/** P2: POST of an entry, with its event, its totals and its delivery, beside the floor's plain insert. */
export async function measureWrite(world: World): Promise<Measure> {
  const companies = await subscribeAll(world, 8)
  const next = entryOf(companies)
  let turn = 0
  const { ours, floor } = await ratio(
    () => load(SERVICE, next),
    () =>
      load(FLOOR, () => {
        const { empresa } = companies[turn++ % COMPANIES]!
        return post(`/${empresa}/lancamentos`, BODY, JSON_TYPE)
      }),
  )
  return {
    id: 'P2',
    what: `POST lançamento: ${ours.toFixed(0)}/s ÷ floor ${floor.toFixed(0)}/s`,
    unit: '',
    must: 0.3,
    aim: 0.5,
    value: ours / floor,
    better: 'higher',
  }
}

/** P6: how fast a backlog goes out, beside bare POSTs to the same receiver. */
export async function measureDeliveries(world: World): Promise<Measure> {
  const companies = await subscribeAll(world, 1)
  const by = { kind: 'sistema', id: null, requestId: null } as const
  for (const { empresa } of companies) {
    const backlog = Array<typeof ENTRY>(BACKLOG_OF_EACH).fill(ENTRY)
    await world.db.write(empresa, (tx) => createLancamentos(tx, by, backlog))
  }
  const lancamento = { ...ENTRY, criado_em: new Date().toISOString() }
  const sample = JSON.stringify({ event: 'lancamento.created', timestamp: 1, data: { lancamento } })
  const bare = () => load(RECEIVER, () => post('/ok/bare', sample, JSON_TYPE), { seconds: 2 })
  const { ours, floor } = await ratio(() => drainRate(world), bare)
  return {
    id: 'P6',
    what: `deliveries: ${ours.toFixed(0)}/s ÷ bare POSTs ${floor.toFixed(0)}/s`,
    unit: '',
    must: 0.2,
    aim: 0.4,
    value: ours / floor,
    better: 'higher',
  }
}

/** Starts a worker on what is pending and, once it has run for a second, sees how many arrive in three. */
async function drainRate(world: World): Promise<number> {
  await received('DELETE')
  const stop = world.startWorker()
  while ((await received('GET')).length === 0) await sleep(20)
  await sleep(1_000)
  const begun = performance.now()
  const before = (await received('GET')).length
  await sleep(3_000)
  const after = (await received('GET')).length
  const rate = (after - before) / ((performance.now() - begun) / 1000)
  await stop()
  return rate
}

/** P7 and P8: from an entry's creation to the first byte at its receiver, 50 a second. */
export async function measureLatency(world: World): Promise<Measure[]> {
  const measures: Measure[] = []
  for (const [id, hanging, must, aim] of [
    ['P7', 0, 150, 150],
    ['P8', 20, 300, 150],
  ] as const) {
    const companies = await subscribeAll(world, 1, hanging)
    const next = entryOf(companies)
    await received('DELETE')
    await pace(next, 20)
    const latencies = (await received('GET')).sort((a, b) => a - b)
    const p50 = latencies[Math.floor(latencies.length * 0.5)]!
    const p99 = latencies[Math.floor(latencies.length * 0.99)]!
    const what = hanging ? `${hanging} of ${COMPANIES} receivers hanging` : '50 events a second'
    const common = { unit: ' ms', better: 'lower' as const }
    if (id === 'P7') {
      measures.push({
        id,
        what: `commit to first byte, p50, ${what}`,
        must: 20,
        aim: 8,
        value: p50,
        ...common,
      })
    }
    measures.push({
      id,
      what: `commit to first byte, p99, ${what}`,
      must,
      aim,
      value: p99,
      ...common,
    })
  }
  return measures
}

/** 50 requests a second for so many seconds, each sent at its time whether or not others are answered. */
async function pace(next: () => ReturnType<typeof post>, seconds: number): Promise<void> {
  const begun = performance.now()
  const sent: Promise<unknown>[] = []
  for (let n = 0; n < seconds * 50; n++) {
    await sleep(Math.max(0, begun + n * 20 - performance.now()))
    const { path, headers, body } = next()
    sent.push(fetch(SERVICE + path, { method: 'POST', headers, body }).then((r) => r.arrayBuffer()))
  }
  await Promise.all(sent)
  await sleep(500)
}

async function received(method: 'GET' | 'DELETE'): Promise<number[]> {
  const response = await fetch(RECEIVER, { method })
  return method === 'GET' ? ((await response.json()) as number[]) : []
}

// R3: random writes while the process is killed again and again. The seed is printed; SEED repeats the
// choices of a run, though never its interleaving.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from './support/delivery.ts'
import { aLancamento } from './support/lancamento.ts'
import { dataFolder, lastro, type Service, serve } from './support/process.ts'
import { isGenuine, startReceiver } from './support/receiver.ts'

const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))
const KILLS = 2
const WRITERS = 4
/** So many writes of each writer between two kills; the kill comes in the middle of them. */
const WRITES = 30
const KINDS = ['created', 'updated', 'deleted', 'paid', 'unpaid'].map((k) => `lancamento.${k}`)

interface Entry {
  id: string
  descricao: string
  status: string
}

interface Evento {
  seq: number
  event: string
  data: { lancamento: Entry }
}

/** A write, and what the service answered, if it did before it was killed. */
interface Write {
  event: string
  /** Of a creation nobody knows it who was not answered. */
  id: string | undefined
  descricao: string | undefined
  answer: Entry | undefined
}

/** Mulberry32: the same choices for the same seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

test('what is received is what was committed, however often the process is killed', {
  timeout: 180_000,
}, async (t) => {
  t.diagnostic(`SEED=${SEED}`)
  const random = seeded(SEED)
  const env = {
    LASTRO_DATA_DIR: await dataFolder(),
    WEBHOOK_DEV_TARGETS: '127.0.0.1/32',
    WEBHOOK_RETRY_DELAYS: '1,1,1,1',
    WEBHOOK_MAX_ATTEMPTS: '20',
    RATE_LIMIT_PER_MINUTE: '1000000',
  }
  let service: Service = await serve(env)
  t.after(() => service.end())
  const run = async (...args: string[]): Promise<Record<string, string>> => {
    const { code, out, err } = await lastro([...args, '--json'], env)
    assert.equal(code, 0, err)
    return JSON.parse(out)
  }
  const { id: empresa } = await run('empresas', 'create', '--nome', 'Acme')
  const scopes = 'lancamentos:delete,webhooks:write'
  const { key } = await run('chaves', 'create', '--empresa', empresa!, '--scopes', scopes)
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as T
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }

  let secret = ''
  const forged: unknown[] = []
  const receiver = await startReceiver({
    answer: async (response, received) => {
      if (!isGenuine(received, secret, Date.now())) forged.push(received)
      await sleep(random() * 40)
      response.writeHead(random() < 0.1 ? 503 : 200).end()
    },
  })
  const subscription = await call<{ secret: string }>('POST', '/webhooks', {
    url: receiver.url,
    events: KINDS,
  })
  secret = subscription.secret

  const writes: Write[] = []
  let count = 0
  /** Resolves to what is now there, or undefined where nobody can know. */
  const write = async (event: string, entry: Entry | undefined, fields: object) => {
    const descricao = `Escrita ${++count}`
    const [method, path, body] =
      event === 'lancamento.created'
        ? ['POST', '/lancamentos', { ...aLancamento, descricao }]
        : event === 'lancamento.deleted'
          ? ['DELETE', `/lancamentos/${entry!.id}`]
          : ['PATCH', `/lancamentos/${entry!.id}`, fields]
    const record: Write = { event, id: entry?.id, descricao, answer: undefined }
    writes.push(record)
    try {
      record.answer = (
        await call<{ item: Entry }>(method as string, path as string, body as object)
      ).item
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      // Nobody answers while there is no process.
      await sleep(100)
    }
    return record.answer
  }

  /** One writer's entries are its own, so it knows the state of each that it still touches. */
  const writer = (entries: Entry[]) => async () => {
    for (let n = 0; n < WRITES; n++) {
      const at = Math.floor(random() * entries.length)
      const entry = entries[at]
      const choice = random()
      if (!entry || choice < 0.4) {
        const created = await write('lancamento.created', undefined, {})
        if (created) entries.push(created)
        continue
      }
      const paid = entry.status === 'pago'
      const changed =
        choice < 0.55
          ? await write('lancamento.deleted', entry, {})
          : choice < 0.75
            ? await write('lancamento.updated', entry, { descricao: `Outra ${++count}` })
            : paid
              ? await write('lancamento.unpaid', entry, { status: 'em_aberto' })
              : await write('lancamento.paid', entry, { status: 'pago' })
      if (changed && choice >= 0.55) entries[at] = changed
      else entries.splice(at, 1)
    }
  }

  const writers = Array.from({ length: WRITERS }, () => writer([]))
  for (let kill = 1; kill <= KILLS; kill++) {
    const begun = writes.length
    const writing = Promise.all(writers.map((each) => each()))
    await eventually(
      async () => writes.length - begun,
      (done) => done >= (0.3 + 0.4 * random()) * WRITERS * WRITES,
    )
    await service.end('SIGKILL')
    service = await serve(env)
    await writing
  }

  const feed: Evento[] = []
  for (;;) {
    const { items } = await call<{ items: Evento[] }>(
      'GET',
      `/eventos?limit=1000&depois_de=${feed.length}`,
    )
    feed.push(...items)
    if (items.length === 0) break
  }
  // What the last killed process had claimed comes only when its lease runs out.
  const arrived = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size
  await eventually(
    async () => arrived(),
    (distinct) => distinct >= feed.length,
    1_600,
  )
  const answered = writes.filter(({ answer }) => answer)
  t.diagnostic(
    `${writes.length} writes, ${answered.length} answered; ${feed.length} events; ${receiver.received.length} received`,
  )
  assert.ok(answered.length > KILLS * WRITES)

  await t.test('every event is received, signed, and nothing else is', () => {
    assert.deepEqual(forged, [])
    assert.deepEqual(
      feed.map(({ seq }) => seq),
      feed.map((_, n) => n + 1),
    )
    const byId = new Map(receiver.received.map((one) => [one.headers['webhook-id'], one]))
    const received = [...byId.values()]
      .map(({ headers, body }) => ({
        seq: Number(headers['x-svc-sequence']),
        event: body.event,
        data: body.data,
      }))
      .sort((a, b) => a.seq - b.seq)
    assert.deepEqual(
      received,
      feed.map(({ seq, event, data }) => ({ seq, event, data })),
    )
    // Whatever comes again is the same again.
    for (const { headers, body } of receiver.received) {
      const event = feed[Number(headers['x-svc-sequence']) - 1]!
      assert.deepEqual([body.event, body.data], [event.event, event.data])
    }
  })

  await t.test('every write that was answered has its event, once', () => {
    const told = new Map<string, number>()
    const nameOf = (event: string, entry: Entry) => `${event} ${JSON.stringify(entry)}`
    for (const { event, data } of feed) {
      const name = nameOf(event, data.lancamento)
      told.set(name, (told.get(name) ?? 0) + 1)
    }
    for (const { event, answer } of answered) assert.equal(told.get(nameOf(event, answer!)), 1)
  })

  await t.test('every event is of a write that was asked for, once', () => {
    const open = [...writes]
    for (const { seq, event, data } of feed) {
      const { id, descricao } = data.lancamento
      const at = open.findIndex(
        (one) =>
          one.event === event &&
          (event === 'lancamento.created' ? one.descricao === descricao : one.id === id),
      )
      assert.ok(at >= 0, `event ${seq}, ${event}, is of no write`)
      open.splice(at, 1)
    }
    assert.deepEqual(
      open.filter(({ answer }) => answer),
      [],
    )
  })

  await t.test('the events, one after the other, lead to what the database holds', async () => {
    const state = new Map<string, Entry>()
    for (const { event, data } of feed) {
      if (event === 'lancamento.deleted') state.delete(data.lancamento.id)
      else state.set(data.lancamento.id, data.lancamento)
    }
    const stored: Entry[] = []
    for (let last = -1; stored.length > last; ) {
      last = stored.length
      const page = `limit=200&offset=${stored.length}`
      const { items } = await call<{ items: Entry[] }>('GET', `/lancamentos?${page}`)
      stored.push(...items)
    }
    const sorted = (entries: Iterable<Entry>) => [...entries].sort((a, b) => (a.id < b.id ? -1 : 1))
    assert.deepEqual(sorted(stored), sorted(state.values()))
  })
})

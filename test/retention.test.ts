import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keepHistory } from '../src/db/history.ts'
import { Redeliverer } from '../src/webhooks/redeliverer.ts'
import { eventually, subscribe } from './support/delivery.ts'
import { happened, makeOldMonths, monthsAgo, pastMonths } from './support/history.ts'
import { createLancamento } from './support/lancamento.ts'
import { serve } from './support/process.ts'
import { startService } from './support/service.ts'

const RECEIVER = 'https://receiver.example/'
const MINUTE = 60_000

/** A company with one event, and its delivery, in each of the last five months. Nothing is ever sent. */
async function fiveMonths() {
  const service = await startService()
  await makeOldMonths(service, 5)
  const caller = await service.caller()
  const { id: webhook } = await subscribe(caller, RECEIVER)
  const deliveries: string[] = []
  for (const ago of [5, 4, 3, 2, 1]) {
    const moment = new Date(monthsAgo(ago).getTime() + MINUTE)
    deliveries.push(await happened(service, caller, moment, { webhook }))
  }
  const keep = (months: number | undefined) =>
    keepHistory({ connectionString: service.databaseUrl }, months, service.logger)
  const feed = async (query = '') => (await caller.get(`/eventos${query}`)).body
  const list = async () => (await caller.get(`/webhooks/${webhook}/deliveries`)).body
  return { service, caller, webhook, deliveries, keep, feed, list }
}

const [grown, waiting] = [await fiveMonths(), await fiveMonths()]
const seqsOf = ({ items }: { items: { seq: number }[] }) => items.map(({ seq }) => seq)

describe('history that grows old, step by step:', () => {
  const { service, caller, webhook, deliveries, keep, feed, list } = grown
  const since = monthsAgo(3).toISOString()

  test('without a retention nothing is dropped, and it says that it is complete', async () => {
    await keep(undefined)
    assert.deepEqual(await pastMonths(service), [5, 5, 5])
    assert.deepEqual(seqsOf(await feed()), [1, 2, 3, 4, 5])
    assert.equal((await feed()).completo_desde, null)
    assert.equal((await list()).completo_desde, null)
  })

  test('whoever reads it for long keeps it from being dropped, and nobody from working', async () => {
    const reader = await service.pool.connect()
    await reader.query('begin; select from events limit 1')
    // A month ahead is missing: it is made meanwhile.
    const [last] = (
      await service.pool.query(
        `select max(inhrelid::regclass::text) as name from pg_inherits
         where inhparent = 'webhook_attempts'::regclass`,
      )
    ).rows
    await service.pool.query(`drop table ${last.name}`)
    const dropping = assert.rejects(keep(3), { code: '55P03' })
    assert.equal((await feed()).total, 5)
    await dropping
    assert.deepEqual(await pastMonths(service), [5, 5, 5])
    assert.equal((await feed()).completo_desde, null)
    const made = await service.pool.query('select to_regclass($1) as found', [last.name])
    assert.equal(made.rows[0].found, last.name)
    await reader.query('commit')
    reader.release()
  })

  test('what ended before the last three months is dropped, nothing else, and the lists say so', async () => {
    await Promise.all([keep(3), keep(3), keep(3)])
    assert.deepEqual(await pastMonths(service), [3, 3, 3])
    const page = await feed()
    assert.deepEqual(seqsOf(page), [3, 4, 5])
    assert.deepEqual([page.total, page.depois_de, page.completo_desde], [3, 5, since])
    const { items, total, completo_desde } = await list()
    assert.deepEqual([total, completo_desde], [3, since])
    const ids = items.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids, deliveries.slice(2).reverse())
    const path = `/webhooks/${webhook}/deliveries`
    assert.equal((await caller.get(`${path}/${deliveries[1]}`)).status, 404)
    assert.equal((await caller.get(`${path}/${deliveries[2]}`)).body.item.history.length, 1)
  })

  test('numbers go on, and whoever reads on from a dropped one starts at the first there is', async () => {
    await createLancamento(caller)
    for (const after of [0, 1, 2]) {
      const page = await feed(`?depois_de=${after}&limit=2`)
      assert.deepEqual([seqsOf(page), page.total, page.depois_de], [[3, 4], 4, 4])
    }
    const rest = await feed('?depois_de=4')
    assert.deepEqual([seqsOf(rest), rest.total, rest.depois_de], [[5, 6], 2, 6])
  })

  test('of a company with nothing since, the feed is empty until something happens', async () => {
    const other = await service.caller()
    const own = { webhook: (await subscribe(other, RECEIVER)).id }
    await happened(service, other, monthsAgo(3), own)
    await keep(2)
    const empty = (await other.get('/eventos')).body
    assert.deepEqual([empty.items, empty.total, empty.depois_de], [[], 0, 0])
    await createLancamento(other)
    const page = (await other.get('/eventos')).body
    assert.deepEqual([seqsOf(page), page.total], [[2], 1])
  })

  test('what is kept for longer from now on brings nothing back', async () => {
    await keep(24)
    await keep(undefined)
    assert.deepEqual(await pastMonths(service), [2, 2, 2])
    assert.equal((await feed()).completo_desde, monthsAgo(2).toISOString())
  })

  test('the service does all of it by itself', async () => {
    const env = { DATABASE_URL: service.databaseUrl, RETENTION_MONTHS: '1', LOG_LEVEL: 'info' }
    const running = await serve(env)
    await eventually(
      () => pastMonths(service),
      (months) => months.every((count) => count === 1),
    )
    assert.match((await running.end()).out, /old history was dropped/)
  })
})

describe('a delivery that is pending', () => {
  const { service, caller, webhook, keep, feed } = waiting
  let id: string

  test('keeps the month of its event, and what came after, until it is done', async () => {
    // The event is the last of its month, its delivery the first of the next.
    const event = new Date(monthsAgo(3).getTime() - 1)
    const past = { webhook, deliveredAt: monthsAgo(3), pending: true }
    id = await happened(service, caller, event, past)
    await keep(3)
    assert.deepEqual(await pastMonths(service), [4, 4, 4])
    assert.equal((await feed()).completo_desde, monthsAgo(4).toISOString())
    const warning = service.log.find((line) => line.includes('deliveries of it are pending'))
    const { deliveries, webhooks } = JSON.parse(warning!)
    assert.deepEqual([deliveries, webhooks], [1, [webhook]])
    await service.db.write(caller.empresa, async (tx) => {
      await tx.query('delete from webhook_queue where tenant_id = $1', [tx.tenantId])
      await tx.query(
        `update webhook_deliveries set state = 'delivered' where tenant_id = $1 and id = $2`,
        [tx.tenantId, id],
      )
    })
    await keep(3)
    assert.deepEqual(await pastMonths(service), [3, 3, 3])
  })

  test('is not sent again without its event: the answer says why', async () => {
    const path = `/webhooks/${webhook}/deliveries/${id}`
    const answers = [await caller.get(path), await caller.post(`${path}/redeliver`)]
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.code], [404, 'not-found'])
      assert.match(body.detail, /já foi apagado/)
    }
  })

  test('is passed over where a range is sent again', async () => {
    const range = { desde: monthsAgo(5).toISOString(), status: 'delivered' }
    const { item } = (await caller.post(`/webhooks/${webhook}/redeliver`, range)).body
    const redeliverer = new Redeliverer(service.db, service.logger)
    redeliverer.start()
    const done = await eventually(
      async () => (await caller.get(`/webhooks/${webhook}/redeliver/${item.id}`)).body.item,
      ({ concluido_em }) => concluido_em !== null,
    )
    await redeliverer.stop()
    assert.deepEqual([done.total, done.reenviadas], [4, 3])
  })
})

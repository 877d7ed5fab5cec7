import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startWorker, subscribe } from '../../test/support/delivery.ts'
import { eventsOf } from '../../test/support/events.ts'
import { aLancamento, createLancamento } from '../../test/support/lancamento.ts'
import { createParceiro } from '../../test/support/parceiro.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { type Caller, startService } from '../../test/support/service.ts'

const service = await startService()
startWorker(service)

interface Feed {
  items: { seq: number; event: string; criado_em: string; data: Record<string, { id: string }> }[]
  total: number
  limit: number
  depois_de: number
  completo_desde: string | null
}

async function feed(caller: Caller, query = ''): Promise<Feed> {
  const { status, body } = await caller.get(`/eventos${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** A company with so many events, each the creation of an entry. */
async function companyWith(count: number): Promise<Caller> {
  const caller = await service.caller()
  for (let n = 0; n < count; n++) await createLancamento(caller)
  return caller
}

const seqsOf = ({ items }: Feed) => items.map(({ seq }) => seq)
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

describe('the feed', () => {
  test('of a company in which nothing has happened is empty', async () => {
    const empty = { items: [], total: 0, limit: 100, depois_de: 0, completo_desde: null }
    assert.deepEqual(await feed(await service.caller()), empty)
  })

  test('shows each event with its number, kind, moment and data, in order', async () => {
    const caller = await service.caller()
    const created = await createLancamento(caller)
    const path = `/lancamentos/${created.id}`
    const { item: paid } = (await caller.patch(path, { status: 'pago' })).body
    const parceiro = await createParceiro(caller)
    await caller.delete(path)
    const { items, ...rest } = await feed(caller)
    assert.deepEqual(rest, { total: 4, limit: 100, depois_de: 4, completo_desde: null })
    assert.deepEqual(
      items.map(({ criado_em, ...item }) => item),
      [
        { seq: 1, event: 'lancamento.created', data: { lancamento: created } },
        { seq: 2, event: 'lancamento.paid', data: { lancamento: paid } },
        { seq: 3, event: 'parceiro.created', data: { parceiro } },
        { seq: 4, event: 'lancamento.deleted', data: { lancamento: paid } },
      ],
    )
    const moments = items.map(({ criado_em }) => criado_em)
    assert.deepEqual(moments, moments.toSorted())
    for (const moment of moments) assert.match(moment, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('shows the data as it was recorded, to the last character', async () => {
    const caller = await service.caller()
    const fields = { valor: 0.07, descricao: 'Ação "à vista"\n\\ 💸', centro_custo: '</script>' }
    const { id } = await createLancamento(caller, fields)
    await caller.patch(`/lancamentos/${id}`, { descricao: 'Outra' })
    const recorded = await eventsOf(service, caller.empresa)
    const { items } = await feed(caller)
    assert.deepEqual(
      items.map(({ seq, event, data }) => ({ seq: BigInt(seq), kind: event, data })),
      recorded,
    )
    assert.deepEqual({ ...items[0]!.data.lancamento, ...fields }, items[0]!.data.lancamento)
  })

  test('shows what was delivered: the same data, kind and number', async () => {
    const caller = await service.caller()
    const receiver = await startReceiver()
    const kinds = ['lancamento.created', 'lancamento.updated', 'lancamento.deleted']
    await subscribe(caller, receiver.url, kinds)
    const { id } = await createLancamento(caller, { descricao: 'Ação 💸' })
    await caller.patch(`/lancamentos/${id}`, { valor: 0.07 })
    await caller.delete(`/lancamentos/${id}`)
    const received = await receiver.until(3)
    const delivered = received
      .map(({ headers, body }) => ({
        seq: Number(headers['x-svc-sequence']),
        event: body.event,
        data: body.data,
      }))
      .sort((one, other) => one.seq - other.seq)
    const shown = (await feed(caller)).items.map(({ criado_em, ...item }) => item)
    assert.deepEqual(shown, delivered)
  })

  test('shows every event, whether anybody has subscribed to it or not', async () => {
    const caller = await companyWith(1)
    const receiver = await startReceiver()
    await subscribe(caller, receiver.url, ['parceiro.created'])
    await createLancamento(caller)
    const kinds = (await feed(caller)).items.map(({ event }) => event)
    assert.deepEqual(kinds, ['lancamento.created', 'lancamento.created'])
  })

  test('has no gap where a change was refused', async () => {
    const caller = await companyWith(1)
    const faulty = { ...aLancamento, parceiro_id: crypto.randomUUID() }
    assert.equal((await caller.post('/lancamentos', faulty)).status, 400)
    await createLancamento(caller)
    assert.deepEqual(seqsOf(await feed(caller)), [1, 2])
  })

  test('never shows what happens in another company, wherever it is read from', async () => {
    const [one, other] = [await companyWith(2), await companyWith(3)]
    const { items } = await feed(one)
    const own = (await one.get('/lancamentos')).body.items as { id: string }[]
    assert.deepEqual(
      items.map(({ data }) => data.lancamento!.id).sort(),
      own.map(({ id }) => id).sort(),
    )
    assert.deepEqual(seqsOf(await feed(one, '?depois_de=2')), [])
    assert.equal((await feed(one)).total, 2)
    assert.equal((await feed(other)).total, 3)
  })
})

describe('reading on', () => {
  test('depois_de gives what came after, and the answer says where to go on', async () => {
    const caller = await companyWith(5)
    const page = await feed(caller, '?depois_de=3')
    assert.deepEqual(seqsOf(page), [4, 5])
    assert.deepEqual([page.total, page.limit, page.depois_de], [2, 100, 5])
    assert.equal((await feed(caller, '?depois_de=0')).total, 5)
  })

  test('limit bounds the page, and total says how many there are in all', async () => {
    const caller = await companyWith(5)
    const page = await feed(caller, '?depois_de=1&limit=2')
    assert.deepEqual(seqsOf(page), [2, 3])
    assert.deepEqual([page.total, page.limit, page.depois_de], [4, 2, 3])
  })

  test('page after page every event comes once', async () => {
    const caller = await companyWith(7)
    const seen: number[] = []
    let after = 0
    for (const [size, left] of [
      [3, 7],
      [3, 4],
      [1, 1],
      [0, 0],
    ]) {
      const page = await feed(caller, `?depois_de=${after}&limit=3`)
      assert.deepEqual([page.items.length, page.total], [size, left])
      seen.push(...seqsOf(page))
      after = page.depois_de
    }
    assert.deepEqual(seen, upTo(7))
    assert.equal(after, 7)
  })

  test('from where nothing has happened yet, one stays there', async () => {
    const caller = await companyWith(2)
    for (const after of [2, 3, 999_999_999_999_999]) {
      const page = await feed(caller, `?depois_de=${after}`)
      const empty = { items: [], total: 0, limit: 100, completo_desde: null }
      assert.deepEqual(page, { ...empty, depois_de: after })
    }
  })

  test('100 come at a time unless told otherwise, and 1000 at most', async () => {
    const caller = await service.caller()
    await Promise.all(Array.from({ length: 101 }, () => createLancamento(caller)))
    const first = await feed(caller)
    assert.deepEqual([first.items.length, first.total, first.depois_de], [100, 101, 100])
    assert.deepEqual(seqsOf(await feed(caller, '?limit=1000')), upTo(101))
  })

  test('while 8 write at once, every event is seen once, in order and without a gap', async () => {
    const caller = await service.caller()
    const write = async () => {
      const ids: string[] = []
      for (let n = 0; n < 25; n++) ids.push((await createLancamento(caller)).id)
      return ids
    }
    let finished = false
    const writers = Promise.all(Array.from({ length: 8 }, write)).finally(() => {
      finished = true
    })
    const seen: Feed['items'] = []
    for (let after = 0; ; ) {
      // Asked before the page is read: what it then lacks will never come.
      const nothingMoreComes = finished
      const page = await feed(caller, `?depois_de=${after}&limit=7`)
      assert.ok(page.total >= page.items.length)
      assert.equal(page.depois_de, page.items.at(-1)?.seq ?? after)
      seen.push(...page.items)
      after = page.depois_de
      if (nothingMoreComes && page.items.length === 0) break
    }
    const written = (await writers).flat()
    assert.deepEqual(
      seen.map(({ seq }) => seq),
      upTo(200),
    )
    assert.deepEqual(seen.map(({ data }) => data.lancamento!.id).sort(), written.sort())
    // Whoever reads it all afterwards sees just the same.
    assert.deepEqual((await feed(caller, '?limit=1000')).items, seen)
  })
})

describe('parameters', () => {
  const faulty = {
    depois_de: ['-1', '1.5', '1e1', 'x', '', 'null', '%201'],
    limit: ['0', '-1', '1001', '1.5', 'x', '', '%201'],
    offset: ['0', '10'],
    event: ['lancamento.created'],
    DEPOIS_DE: ['1'],
  }
  for (const [field, values] of Object.entries(faulty)) {
    for (const value of values) {
      test(`${field}=${value} is refused`, async () => {
        const { status, body } = await (await service.caller()).get(`/eventos?${field}=${value}`)
        assert.deepEqual([status, body.code], [400, 'invalid-query'])
        assert.deepEqual(
          body.errors.map((fault: { field: string }) => fault.field),
          [field],
        )
        assert.ok(body.detail.includes(field))
      })
    }
  }

  test('one that is sent twice is refused', async () => {
    const caller = await service.caller()
    for (const query of ['depois_de=1&depois_de=2', 'limit=1&limit=1']) {
      assert.equal((await caller.get(`/eventos?${query}`)).status, 400, query)
    }
  })

  test('all that are faulty are named', async () => {
    const { body } = await (await service.caller()).get('/eventos?limit=0&depois_de=x&foo=1')
    const fields = body.errors.map(({ field }: { field: string }) => field)
    assert.deepEqual(fields.sort(), ['depois_de', 'foo', 'limit'])
  })
})

describe('who may', () => {
  for (const scope of ['webhooks:read', 'webhooks:write', 'webhooks:delete']) {
    test(`a key with ${scope} reads it`, async () => {
      assert.equal((await feed(await service.caller({ scopes: [scope] }))).total, 0)
    })
  }

  test('no other scope opens it, and no legacy word', async () => {
    const others = ['lancamentos:delete', 'parceiros:delete', 'categorias:write', 'cobrancas:write']
    const caller = await service.caller({ scopes: [...others, 'read', 'write'] })
    const { status, body } = await caller.get('/eventos')
    assert.deepEqual([status, body.code, body.scope], [403, 'insufficient-scope', 'webhooks:read'])
  })

  test('without the module integracoes it is 403 module-required, whatever is asked', async () => {
    const caller = await service.caller({ modulos: ['cobrancas'] })
    for (const query of ['', '?limit=0']) {
      const { status, body } = await caller.get(`/eventos${query}`)
      assert.deepEqual([status, body.code], [403, 'module-required'])
    }
  })

  test('it is only read: other methods are 405', async () => {
    const caller = await service.caller()
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await caller.call(method, '/eventos')
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'], method)
    }
  })
})

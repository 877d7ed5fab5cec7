import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { aCobranca } from '../../test/support/cobranca.ts'
import { bring } from '../../test/support/importacao.ts'
import { aLancamento } from '../../test/support/lancamento.ts'
import { makers } from '../../test/support/makers.ts'
import { callConsole, cookieOf, SENHA, signIn } from '../../test/support/pessoa.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { faultyFields } from '../../test/support/refusal.ts'
import { type Answer, startService } from '../../test/support/service.ts'
import { ensureDemo } from '../demo/demo.ts'
import { Idempotent } from '../http/idempotency.ts'
import { consoleRoutes } from './console.ts'

const service = await startService()
const { db, guard, secrets, payments } = service
// It is made only where there is no company yet.
const demo = await ensureDemo(db, payments, Date.now)

const api = await service.caller()
const { empresa } = api
const admin = await signIn(service, { empresa, nome: 'Ana' })
const financeiro = await signIn(service, { empresa, papel: 'financeiro', nome: 'Bia' })
const leitura = await signIn(service, { empresa, papel: 'leitura', nome: 'Caio' })
const stranger = await signIn(service)

/** Noted a little later than it happens: what was used here is looked for in the end. */
const { id: usedKey, key } = (
  await admin.post('/chaves', { nome: 'ERP', scopes: ['lancamentos:read'] })
).body
const withKey = { headers: { authorization: `Bearer ${key}` } }
const firstUse = await service.call('GET', '/lancamentos', withKey)

interface Route {
  method: string
  /** Below `/app/api`. */
  path: string
}

/** The route table itself, so that a route added later cannot be forgotten. */
async function routesOf(): Promise<Route[]> {
  const routes: Route[] = []
  const app = Fastify()
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, path: url })
  })
  const slice = {
    ...{ db, guard, secrets, ...payments },
    ...{ clock: Date.now, idempotent: new Idempotent(db) },
  }
  await app.register(consoleRoutes, { slice, config: { publicUrl: service.url } })
  return routes.filter(({ method }) => method !== 'HEAD')
}

const routes = await routesOf()
const ofCompany = routes
  .filter(({ path }) => path.startsWith('/e/:empresa/'))
  .map(({ method, path }) => ({ method, path: path.replace('/e/:empresa', '') }))

/** Those who may, by what a route is of: the requirement, not what the routes say of themselves. */
function mayCall({ method, path }: Route): string[] {
  const collection = path.split('/')[1]!
  if (['usuarios', 'convites', 'chaves'].includes(collection)) return ['admin']
  if (method === 'GET') return ['admin', 'financeiro', 'leitura']
  const books = ['lancamentos', 'importacoes', 'parceiros', 'categorias', 'cobrancas']
  return books.includes(collection) ? ['admin', 'financeiro'] : ['admin']
}

function refused(answer: Answer, status: number, code: string) {
  assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
  assert.equal(answer.body.request_id, answer.headers.get('x-request-id'))
}

const fill = (path: string, id: string = crypto.randomUUID()) => path.replace(/:\w+/g, id)
const inside = (path: string) => `/e/${empresa}${fill(path)}`

describe('each route of a company', () => {
  test('is in the table', () => {
    const names = new Set(ofCompany.map(({ path }) => path.split('/')[1]))
    const collections = ['lancamentos', 'parceiros', 'categorias', 'cobrancas', 'resumo']
    for (const name of [...collections, 'webhooks', 'chaves', 'usuarios', 'provedor', 'empresa']) {
      assert.ok(names.has(name), name)
    }
    // What the API can do, people can, but for the events, which are for programs.
    for (const { method, path } of service.contract.operations) {
      const own = path.replace('/api/v1', '').replace(/\{(\w+)\}/g, ':$1')
      if (own.startsWith('/eventos')) continue
      assert.ok(
        ofCompany.some((route) => route.method === method && route.path === own),
        `${method} ${own}`,
      )
    }
  })

  for (const route of ofCompany) {
    const { method, path } = route
    const may = mayCall(route)

    test(`${method} ${path} is for ${may.join(', ')}`, async () => {
      // What an administrator does, is done: in a company that is for nothing else.
      const people = { leitura, financeiro, admin: stranger }
      for (const [papel, pessoa] of Object.entries(people)) {
        const answer = await pessoa.call(method, `/e/${pessoa.empresa}${fill(path)}`)
        if (!may.includes(papel)) {
          refused(answer, 403, 'insufficient-role')
          assert.ok(answer.body.detail.includes(papel))
          continue
        }
        const status = method === 'GET' && !path.includes(':') ? [200] : [200, 400, 404, 409]
        assert.ok(status.includes(answer.status), `${papel}: ${JSON.stringify(answer.body)}`)
        if (answer.status === 404) assert.doesNotMatch(answer.body.detail, /endereço|para você/)
      }
    })

    test(`${method} ${path} is closed to a key, to strangers and to other sites`, async () => {
      const call = (headers: Record<string, string>) =>
        callConsole(service, method, inside(path), { headers })
      refused(await call({}), 401, 'not-signed-in')
      refused(await call({ authorization: `Bearer ${api.key}` }), 401, 'not-signed-in')
      refused(await call({ 'x-api-key': api.key }), 401, 'not-signed-in')
      refused(await call({ cookie: stranger.cookie }), 404, 'not-found')
      const { cookie } = admin
      refused(await call({ cookie, 'sec-fetch-site': 'cross-site' }), 403, 'cross-origin')
    })
  }

  const own: Record<string, unknown> = {
    'PATCH /importacoes/:id': {
      mapeamento: { colunas: {}, ordem_data: 'dia-mes', status: 'pago' },
    },
    'PATCH /usuarios/:id': { papel: 'leitura' },
    'PATCH /categorias/:id': { nome: 'Outra' },
    'POST /categorias/:id/subcategorias': { nome: 'Outra' },
  }
  const makersOf: typeof makers = {
    ...makers,
    usuarios: async () => admin.id,
    convites: async () => {
      await admin.post('/convites', { email: 'x@example.com', papel: 'admin' })
      return (await admin.get('/usuarios')).body.convites.at(-1).id
    },
    chaves: async () => (await admin.get('/chaves')).body.items[0].id,
    importacoes: async () => (await bring(admin, 'Data;Valor\n22/06/2026;1,00')).body.item.id,
  }
  const made = new Map<string, Promise<string>>()
  for (const { method, path } of ofCompany.filter(({ path }) => path.includes(':id'))) {
    const collection = path.split('/')[1]!
    test(`${method} ${path} with an id of another company: 404`, async () => {
      const make = makersOf[collection]
      assert.ok(make, `there must be a way to make one of ${collection}`)
      const id = await made.getOrInsertComputed(collection, () => make(api))
      const list = `/${collection === 'convites' ? 'usuarios' : collection}`
      const before = (await admin.get(list)).body
      const spec = service.contract.find(method, `/api/v1${fill(path)}`)?.spec.requestBody
      const media = spec?.content['application/json']
      const body =
        own[`${method} ${path}`] ?? media?.example ?? Object.values(media?.examples ?? {})[0]?.value
      const url = `/e/${stranger.empresa}${fill(path, id)}`
      refused(await stranger.call(method, url, { body }), 404, 'not-found')
      assert.deepEqual((await admin.get(list)).body, before)
    })
  }
})

describe('a person', () => {
  test('who reads sees every record, and the account, of the company', async () => {
    const webhook = await makers.webhooks!(api)
    const lancamento = await makers.lancamentos!(api)
    const delivery = (await leitura.get(`/webhooks/${webhook}/deliveries`)).body.items[0].id
    for (const path of [
      `/lancamentos/${lancamento}`,
      `/parceiros/${await makers.parceiros!(api)}`,
      `/cobrancas/${await makers.cobrancas!(api)}`,
      `/webhooks/${webhook}/deliveries/${delivery}`,
      '/empresa',
    ]) {
      const { status, body } = await leitura.get(path)
      assert.equal(status, 200, path)
      assert.ok(body.item.id, path)
    }
    const { body } = await leitura.get('/lancamentos?limit=1000')
    assert.deepEqual(body, (await api.get('/lancamentos?limit=1000')).body)
  })

  test('who does finance writes books and charges, and is named in each event', async () => {
    const before = (await eventsBy()).length
    const made = async (path: string, body: object) => {
      const answer = await financeiro.post(path, body)
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      return answer.body.item.id as string
    }
    const lancamento = await made('/lancamentos', aLancamento)
    const parceiro = await made('/parceiros', { nome: 'Cliente' })
    await made('/categorias', { nome: 'Receitas' })
    await made('/cobrancas', aCobranca)
    const paid = await financeiro.patch(`/lancamentos/${lancamento}`, { status: 'pago' })
    assert.equal(paid.body.item.status, 'pago')
    assert.equal((await financeiro.delete(`/lancamentos/${lancamento}`)).status, 200)
    assert.equal((await financeiro.patch(`/parceiros/${parceiro}`, { nome: 'Outro' })).status, 200)
    assert.equal((await financeiro.delete(`/parceiros/${parceiro}`)).status, 200)
    const events = (await eventsBy()).slice(before)
    assert.deepEqual(
      events.map(({ kind }) => kind),
      [
        ...['lancamento.created', 'parceiro.created', 'categoria.created', 'cobranca.criada'],
        ...['lancamento.paid', 'lancamento.deleted', 'parceiro.updated', 'parceiro.deleted'],
      ],
    )
    for (const { actor_kind, actor_id } of events) {
      assert.deepEqual([actor_kind, actor_id], ['usuario', financeiro.id])
    }
  })

  test('is told apart from a key in the events', async () => {
    await makers.parceiros!(api)
    const { actor_kind, actor_id } = (await eventsBy()).at(-1)!
    assert.equal(actor_kind, 'chave')
    assert.notEqual(actor_id, admin.id)
  })

  test('obeys the rules of the API: bodies, queries, one record for each Idempotency-Key', async () => {
    const faulty = await admin.post('/lancamentos', { ...aLancamento, valor: -1, foo: 1 })
    refused(faulty, 400, 'invalid-body')
    assert.deepEqual(faultyFields(faulty), ['foo', 'valor'])
    refused(await admin.get('/lancamentos?foo=1'), 400, 'invalid-query')
    refused(await admin.post('/lancamentos', '{'), 400, 'invalid-json')
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const twice = [1, 2].map(() =>
      admin.call('POST', `/e/${empresa}/lancamentos`, { body: aLancamento, headers }),
    )
    const [one, two] = await Promise.all(twice)
    assert.deepEqual([one!.status, two!.status].sort(), [200, 201])
    assert.equal(one!.body.item.id, two!.body.item.id)
  })

  test('has a webhook send an example', async () => {
    const receiver = await startReceiver()
    const body = { url: receiver.url, events: ['cobranca.paga'] }
    const { item } = (await admin.post('/webhooks', body)).body
    const sent = await admin.post(`/webhooks/${item.id}/test`, { event: 'cobranca.paga' })
    assert.equal(sent.status, 200, JSON.stringify(sent.body))
    assert.equal(receiver.received.length, 1)
  })

  async function eventsBy() {
    return db
      .reader(empresa)
      .query<{ kind: string; actor_kind: string; actor_id: string }>(
        'select kind, actor_kind, actor_id from events where tenant_id = $1 order by seq',
        [empresa],
      )
  }
})

describe('a call', () => {
  const { host } = new URL(service.url)

  test('without our own header, or from another origin, is refused though the cookie is right', async () => {
    const { cookie } = admin
    const bare = await fetch(`${service.url}/app/api/eu`, { headers: { cookie } })
    const { code } = (await bare.json()) as { code: string }
    assert.deepEqual([bare.status, code], [403, 'cross-origin'])
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1' },
      { origin: `http://${host}.evil.example` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: `http://${host}`, 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ]) {
      const answer = await admin.call('GET', '/eu', { headers: headers as Record<string, string> })
      refused(answer, 403, 'cross-origin')
    }
    const headers = { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
    assert.equal((await admin.call('GET', '/eu', { headers })).status, 200)
  })

  test('from another site neither signs in nor out, nor takes or sees an invitation', async () => {
    const headers = { origin: 'https://evil.example' }
    const entrance = routes.filter(({ path }) => !path.startsWith('/e/'))
    assert.deepEqual(entrance.map(({ method, path }) => `${method} ${path}`).sort(), [
      ...['GET /convites/:token', 'GET /eu', 'POST /convites/:token'],
      ...['POST /entrar', 'POST /sair', 'POST /senha'],
    ])
    for (const { method, path } of entrance) {
      const body = { email: admin.email, senha: SENHA }
      const sent = { headers, ...(method === 'POST' && { body }) }
      const answer = await admin.call(method, fill(path), sent)
      refused(answer, 403, 'cross-origin')
      assert.equal(cookieOf(answer), undefined)
      if (path.startsWith('/convites') || path === '/entrar') continue
      refused(await callConsole(service, method, path), 401, 'not-signed-in')
    }
    assert.equal((await admin.call('GET', '/eu')).status, 200)
  })

  test('with a cookie opens nothing of the API', async () => {
    const { cookie } = admin
    for (const { method, path } of service.contract.operations) {
      const url = path.replace('/api/v1', '').replace(/\{\w+\}/g, crypto.randomUUID())
      const headers = { cookie, 'x-lastro-console': '1' }
      refused(await service.call(method, url, { headers }), 401, 'missing-api-key')
    }
  })

  test('to an address that does not exist answers 404 in JSON, with a session or without', async () => {
    for (const path of ['', '/nada', '/e', `/e/${empresa}`, `/e/${empresa}/nada`, '/entrar/x']) {
      for (const answer of [
        await admin.call('GET', path),
        await callConsole(service, 'GET', path),
      ]) {
        refused(answer, 404, 'not-found')
        assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
      }
    }
    refused(await admin.call('GET', '/entrar'), 405, 'method-not-allowed')
    assert.ok(!JSON.stringify(service.contract.document.paths).includes('/app/api'))
  })
})

describe('the keys of a company', () => {
  test('made here open the API until they are revoked here', async () => {
    const nova = { nome: 'Painel', scopes: ['categorias:write'], validade: '2099-12-31' }
    const made = await admin.post('/chaves', nova)
    assert.equal(made.status, 201)
    const { id, key } = made.body
    const call = (path: string) => service.call('GET', path, { headers: { 'x-api-key': key } })
    assert.equal((await call('/categorias')).status, 200)
    assert.equal((await call('/lancamentos')).body.code, 'insufficient-scope')
    const listed = await admin.get('/chaves')
    assert.ok(!JSON.stringify(listed.body).includes(key))
    const chave = listed.body.items.find((each: { id: string }) => each.id === id)
    assert.deepEqual([chave.nome, chave.scopes], ['Painel', ['categorias:write']])
    assert.deepEqual([chave.final, chave.revogada_em], [key.slice(-4), null])
    assert.equal(chave.expira_em, '2100-01-01T03:00:00.000Z')

    assert.equal((await admin.post(`/chaves/${id}/revogar`)).status, 200)
    assert.equal((await admin.post(`/chaves/${id}/revogar`)).status, 200)
    while ((await call('/categorias')).status === 200) await soon()
    assert.equal((await call('/categorias')).body.code, 'revoked-api-key')
  })

  test('are refused with a faulty body, naming the fields', async () => {
    const good = { nome: 'ERP', scopes: ['lancamentos:read'] }
    for (const [body, fields] of [
      [{}, ['nome', 'scopes']],
      [{ ...good, nome: '' }, ['nome']],
      [{ ...good, scopes: [] }, ['scopes']],
      [{ ...good, scopes: ['lancamentos:fly'] }, ['scopes[0]']],
      [{ ...good, scopes: ['read'] }, ['scopes[0]']],
      [{ ...good, validade: '2026-02-30' }, ['validade']],
      [{ ...good, empresa: stranger.empresa }, ['empresa']],
    ] as const) {
      const answer = await admin.post('/chaves', body)
      refused(answer, 400, 'invalid-body')
      assert.deepEqual(faultyFields(answer), [...fields].sort())
    }
    refused(await admin.post('/chaves/x/revogar'), 404, 'not-found')
  })
})

describe('the company', () => {
  test('is changed in what is sent, at once, and in nothing else', async () => {
    const own = await signIn(service)
    const before = (await own.get('/empresa')).body.item
    assert.deepEqual([before.id, before.nome], [own.empresa, 'Empresa'])
    const { status, body } = await own.patch('/empresa', { nome: 'Açaí Ltda' })
    assert.equal(status, 200)
    assert.deepEqual(body.item, { ...before, nome: 'Açaí Ltda' })
    const zone = await own.patch('/empresa', { fuso_horario: 'america/manaus' })
    assert.deepEqual(zone.body.item, { ...body.item, fuso_horario: 'America/Manaus' })
    assert.deepEqual((await own.get('/empresa')).body.item, zone.body.item)
    const [seen] = (await own.call('GET', '/eu')).body.empresas
    assert.deepEqual([seen.nome, seen.fuso_horario], ['Açaí Ltda', 'America/Manaus'])
  })

  test('without a module has nothing of it, here and in the API, until it is on again', async () => {
    const caller = await service.caller()
    const own = await signIn(service, { empresa: caller.empresa })
    const charges = ['/cobrancas', '/provedor']
    assert.equal((await own.patch('/empresa', { modulos: ['integracoes'] })).status, 200)
    for (const path of charges) refused(await own.get(path), 403, 'module-required')
    assert.equal((await own.get('/webhooks')).status, 200)
    while ((await caller.get('/cobrancas')).status === 200) await soon()
    assert.equal((await own.patch('/empresa', { modulos: [] })).status, 200)
    refused(await own.get('/webhooks'), 403, 'module-required')
    assert.equal((await own.get('/lancamentos')).status, 200)
    const on = await own.patch('/empresa', { modulos: ['cobrancas', 'integracoes'] })
    assert.deepEqual(on.body.item.modulos, ['cobrancas', 'integracoes'])
    for (const path of [...charges, '/webhooks']) assert.equal((await own.get(path)).status, 200)
  })

  test('is refused with a faulty body, naming the fields', async () => {
    const before = (await admin.get('/empresa')).body
    for (const [body, fields] of [
      [{}, ['corpo']],
      [{ nome: '' }, ['nome']],
      [{ nome: 'x'.repeat(201) }, ['nome']],
      [{ nome: 'a\u0000b' }, ['nome']],
      [{ fuso_horario: 'America/Atlantida' }, ['fuso_horario']],
      [{ fuso_horario: null }, ['fuso_horario']],
      [{ modulos: ['nfse'] }, ['modulos[0]']],
      [{ modulos: ['cobrancas', 'cobrancas'] }, ['modulos']],
      [{ tenant_id: stranger.empresa }, ['tenant_id']],
    ] as const) {
      const answer = await admin.patch('/empresa', body)
      refused(answer, 400, 'invalid-body')
      assert.deepEqual(faultyFields(answer), [...fields].sort())
    }
    assert.deepEqual((await admin.get('/empresa')).body, before)
  })
})

describe('the payment account', () => {
  test('is connected and disconnected, and charges are issued in between', async () => {
    const caller = await service.caller({ provedor: null })
    const own = await signIn(service, { empresa: caller.empresa })
    assert.deepEqual((await own.get('/provedor')).body, { item: null })
    refused(await own.post('/cobrancas', aCobranca), 409, 'payment-account-not-connected')
    refused(await own.delete('/provedor'), 409, 'payment-account-not-connected')

    const connected = await own.post('/provedor', { provedor: 'sandbox' })
    assert.equal(connected.status, 201)
    const { item } = (await own.get('/provedor')).body
    assert.deepEqual([item.id, item.provedor], [connected.body.id, 'sandbox'])
    assert.equal((await own.post('/cobrancas', aCobranca)).status, 201)
    const other = { provedor: 'asaas', ambiente: 'testes', chave: '$aact_x' }
    refused(await own.post('/provedor', other), 409, 'payment-account-in-use')

    assert.equal((await own.delete('/provedor')).status, 200)
    assert.deepEqual((await own.get('/provedor')).body, { item: null })
    refused(await own.post('/cobrancas', aCobranca), 409, 'payment-account-not-connected')
  })

  test('is refused with a faulty body, or of Asaas without its key, naming the fields', async () => {
    const caller = await service.caller({ provedor: null })
    const own = await signIn(service, { empresa: caller.empresa })
    for (const [body, fields] of [
      [{}, ['provedor']],
      [{ provedor: 'stripe' }, ['provedor']],
      [{ provedor: 'asaas' }, ['chave']],
      [{ provedor: 'asaas', chave: null }, ['chave']],
      [{ provedor: 'asaas', chave: '' }, ['chave']],
      [{ provedor: 'asaas', chave: 'a b\n' }, ['chave']],
      [{ provedor: 'asaas', chave: 'x', ambiente: 'http://10.0.0.1' }, ['ambiente']],
      [{ provedor: 'asaas', chave: 'x', base_url: 'http://10.0.0.1' }, ['base_url']],
    ] as const) {
      const answer = await own.post('/provedor', body)
      refused(answer, 400, 'invalid-body')
      assert.deepEqual(faultyFields(answer), [...fields].sort())
    }
    assert.deepEqual((await own.get('/provedor')).body, { item: null })
  })
})

test('the link of the first start opens the demonstration company as its administrator, once', async () => {
  const body = { email: 'primeira@example.com', nome: 'Primeira', senha: SENHA }
  const open = () => callConsole(service, 'POST', `/convites/${demo!.convite}`, { body })
  const headers = { cookie: cookieOf(await open())! }
  const { empresas } = (await callConsole(service, 'GET', '/eu', { headers })).body
  assert.deepEqual([empresas[0].id, empresas[0].papel], [demo!.empresa, 'admin'])
  assert.equal(empresas.length, 1)
  refused(await open(), 404, 'not-found')
  const { rows } = await service.pool.query('select email from usuarios where email like $1', [
    'primeira%',
  ])
  assert.equal(rows.length, 1)
})

const built = existsSync(fileURLToPath(new URL('../../console/dist/index.html', import.meta.url)))
describe('the pages', { skip: built ? false : 'console/dist is not built' }, () => {
  const open = (path: string) => fetch(`${service.url}${path}`)

  test('are one and the same at each address, and let nothing of another origin in', async () => {
    const nonces = new Set<string>()
    const paths = ['/', '/entrar', '/e/x/y', `/e/${empresa}/lancamentos`, '/convite/abc', '/entrar']
    for (const path of paths) {
      const response = await open(path)
      const html = await response.text()
      assert.equal(response.status, 200, path)
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(response.headers.get('cache-control'), 'no-cache')
      const csp = response.headers.get('content-security-policy')!
      const directives = new Map(
        csp.split('; ').map((each) => [each.split(' ')[0]!, each.split(' ').slice(1).join(' ')]),
      )
      assert.equal(directives.get('default-src'), "'none'")
      assert.equal(directives.get('script-src'), "'self'")
      assert.equal(directives.get('connect-src'), "'self'")
      assert.equal(directives.get('frame-ancestors'), "'none'")
      assert.equal(directives.get('base-uri'), "'none'")
      assert.doesNotMatch(csp, /unsafe|\*|https?:/)
      const nonce = /^'self' 'nonce-([\w+/=]{24})'$/.exec(directives.get('style-src')!)![1]!
      assert.ok(html.includes(nonce) && !html.includes('__NONCE__'))
      assert.doesNotMatch(html, /<script(?![^>]*\bsrc="\/)/)
      nonces.add(nonce)
    }
    assert.equal(nonces.size, paths.length)
  })

  test('have files that may be kept for ever, and whose names say when they change', async () => {
    const html = await (await open('/')).text()
    const names = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, name]) => name!)
    assert.ok(names.some((name) => name.endsWith('.js')))
    for (const name of names) {
      const response = await open(name)
      await response.arrayBuffer()
      assert.equal(response.status, 200, name)
      assert.match(name, /-[\w-]{8}\.\w+$/)
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.match(response.headers.get('content-type')!, /javascript|css/)
    }
  })

  test('end where there is none: 404 in JSON, for a file too', async () => {
    for (const path of ['/nada', '/assets/nada.js', '/assets/../index.html', '/assets/']) {
      const response = await open(path)
      assert.equal(response.status, 404, path)
      assert.match(response.headers.get('content-type')!, /^application\/json/)
      assert.equal(((await response.json()) as { code: string }).code, 'not-found')
    }
  })
})

test('when a key was last used is shown; of one that never was, that it was not', async () => {
  assert.equal(firstUse.status, 200)
  const of = async (id: string) =>
    (await admin.get('/chaves')).body.items.find((each: { id: string }) => each.id === id)
  const unused = (await admin.post('/chaves', { nome: 'Nova', scopes: ['lancamentos:read'] })).body
  let chave = await of(usedKey)
  while (chave.usada_em === null) {
    await soon()
    chave = await of(usedKey)
  }
  assert.ok(chave.usada_em >= chave.criado_em)
  assert.equal((await of(unused.id)).usada_em, null)
})

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50))
}

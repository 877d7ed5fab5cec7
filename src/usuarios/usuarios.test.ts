import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  callConsole,
  cookieOf,
  makeConvite,
  type Pessoa,
  SENHA,
  signIn,
} from '../../test/support/pessoa.ts'
import { lastro } from '../../test/support/process.ts'
import { faultyFields } from '../../test/support/refusal.ts'
import { type Answer, startService } from '../../test/support/service.ts'

const service = await startService()
const { empresa } = await service.caller()
const ana = await signIn(service, { empresa, email: 'ana@example.com', nome: 'Ana' })

const WRONG = 'errado cavalo bateria'
const newEmail = () => `${crypto.randomUUID()}@example.com`
const accept = (token: string, body: object) =>
  callConsole(service, 'POST', `/convites/${token}`, { body })
const show = (token: string) => callConsole(service, 'GET', `/convites/${token}`)
const enter = (email: string, senha: string) =>
  callConsole(service, 'POST', '/entrar', { body: { email, senha } })
const me = (cookie: string) => callConsole(service, 'GET', '/eu', { headers: { cookie } })
const membros = async () => (await ana.get('/usuarios')).body.items as { email: string }[]
const emails = async () => (await membros()).map(({ email }) => email)

/** Everything of an answer but what is of this one request. */
function told({ status, body: { request_id, ...body } }: Answer) {
  return { status, body }
}

function refused(answer: Answer, status: number, code: string) {
  assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
  assert.equal(cookieOf(answer), undefined)
}

describe('an invitation', () => {
  test('says of which company, as what and for whom it is', async () => {
    const token = await makeConvite(service, empresa, 'financeiro', 'Bia@Example.com')
    const { status, body } = await show(token)
    assert.equal(status, 200)
    assert.deepEqual(body, { empresa: 'Empresa', email: 'bia@example.com', papel: 'financeiro' })
  })

  test('is made by an administrator, accepted once, and then opens no more', async () => {
    const email = newEmail()
    const { status, body } = await ana.post('/convites', { email, papel: 'leitura' })
    assert.equal(status, 201)
    const token = /^http:\/\/localhost:3000\/convite\/([\w-]{43})$/.exec(body.link)![1]!
    const listed = (await ana.get('/usuarios')).body.convites
    assert.ok(listed.some((each: { email: string }) => each.email === email))
    const joined = await accept(token, { nome: 'Caio', senha: SENHA })
    assert.equal(joined.status, 200)
    const { empresas, ...caio } = (await me(cookieOf(joined)!)).body
    assert.deepEqual([caio.nome, caio.email], ['Caio', email])
    assert.deepEqual(
      empresas.map(({ id, papel }: { id: string; papel: string }) => [id, papel]),
      [[empresa, 'leitura']],
    )
    refused(await show(token), 404, 'not-found')
    refused(await accept(token, { nome: 'Caio', senha: SENHA }), 404, 'not-found')
    const after = (await ana.get('/usuarios')).body
    assert.ok(after.items.some((each: { email: string }) => each.email === email))
    assert.ok(!after.convites.some((each: { email: string }) => each.email === email))
  })

  test('that two accept at once lets one of them in', async () => {
    const token = await makeConvite(service, empresa, 'leitura')
    const two = [newEmail(), newEmail()]
    const answers = await Promise.all(
      two.map((email) => accept(token, { email, nome: 'Duda', senha: SENHA })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
    assert.equal((await emails()).filter((email) => two.includes(email)).length, 1)
  })

  test('out of date opens nothing, and is listed no more', async () => {
    const email = newEmail()
    const token = await makeConvite(service, empresa, 'admin', email)
    await service.db.write(empresa, (tx) =>
      tx.query(
        `update convites set expira_em = clock_timestamp() where tenant_id = $1 and email = $2`,
        [empresa, email],
      ),
    )
    refused(await show(token), 404, 'not-found')
    refused(await accept(token, { nome: 'Edu', senha: SENHA }), 404, 'not-found')
    assert.ok(!JSON.stringify((await ana.get('/usuarios')).body).includes(email))
  })

  test('withdrawn opens nothing; withdrawn twice or after it was accepted, it is not there', async () => {
    const email = newEmail()
    const token = await makeConvite(service, empresa, 'admin', email)
    const { convites } = (await ana.get('/usuarios')).body
    const { id } = convites.find((each: { email: string }) => each.email === email)
    assert.equal((await ana.delete(`/convites/${id}`)).status, 200)
    refused(await show(token), 404, 'not-found')
    refused(await accept(token, { nome: 'Edu', senha: SENHA }), 404, 'not-found')
    refused(await ana.delete(`/convites/${id}`), 404, 'not-found')
    assert.ok(!(await emails()).includes(email))
    const [accepted] = await service.db
      .reader(empresa)
      .query<{ id: string }>(
        'select id from convites where tenant_id = $1 and aceito_em is not null',
        [empresa],
      )
    refused(await ana.delete(`/convites/${accepted!.id}`), 404, 'not-found')
  })

  test('of nobody answers 404', async () => {
    refused(await show('x'), 404, 'not-found')
    refused(await accept('x', { nome: 'Edu', senha: SENHA }), 404, 'not-found')
  })

  test('takes a known person in with their password alone, under the name they have', async () => {
    const { empresa: other } = await service.caller()
    const token = await makeConvite(service, other, 'leitura', 'ANA@example.com')
    refused(await accept(token, { nome: 'Mallory', senha: WRONG }), 401, 'wrong-password')
    assert.equal((await ana.call('GET', '/eu')).body.empresas.length, 1)
    const joined = await accept(token, { nome: 'Mallory', senha: SENHA })
    assert.equal(joined.status, 200)
    const { body } = await me(cookieOf(joined)!)
    assert.deepEqual([body.id, body.nome, body.empresas.length], [ana.id, 'Ana', 2])
  })

  test('for one address is of that address, whatever else is sent', async () => {
    const email = newEmail()
    const token = await makeConvite(service, empresa, 'leitura', email)
    const sent = { email: newEmail(), nome: 'Fábio', senha: SENHA }
    const joined = await accept(token, sent)
    assert.equal((await me(cookieOf(joined)!)).body.email, email)
    refused(await enter(sent.email, SENHA), 401, 'wrong-password')
  })

  test('for no address in particular asks for one', async () => {
    const token = await makeConvite(service, empresa, 'leitura')
    assert.equal((await show(token)).body.email, null)
    const answer = await accept(token, { nome: 'Gil', senha: SENHA })
    refused(answer, 400, 'invalid-body')
    assert.deepEqual(faultyFields(answer), ['email'])
    const email = newEmail()
    const joined = await accept(token, {
      email: ` ${email.toUpperCase()} `,
      nome: 'Gil',
      senha: SENHA,
    })
    assert.equal((await me(cookieOf(joined)!)).body.email, email)
  })

  test('with a faulty body is refused, naming the fields, and stays open', async () => {
    const token = await makeConvite(service, empresa, 'leitura')
    const good = { email: newEmail(), nome: 'Hugo', senha: SENHA }
    for (const [body, fields] of [
      [{}, ['nome', 'senha']],
      [{ ...good, senha: 'x'.repeat(9) }, ['senha']],
      [{ ...good, senha: 'x'.repeat(201) }, ['senha']],
      [{ ...good, senha: `${SENHA}\u0000` }, ['senha']],
      [{ ...good, senha: 1234567890 }, ['senha']],
      [{ ...good, nome: '' }, ['nome']],
      [{ ...good, email: 'hugo' }, ['email']],
      [{ ...good, email: 'hugo @example.com' }, ['email']],
      [{ ...good, email: 'hu\u0000go@example.com' }, ['email']],
      [{ ...good, email: `${'x'.repeat(250)}@x.br` }, ['email']],
      [{ ...good, papel: 'admin' }, ['papel']],
    ] as const) {
      const answer = await accept(token, body)
      refused(answer, 400, 'invalid-body')
      assert.deepEqual(faultyFields(answer), [...fields].sort())
    }
    // Length is all that is asked of a password.
    assert.equal((await accept(token, { ...good, senha: 'a'.repeat(10) })).status, 200)
  })

  test('with a faulty address or role is not made', async () => {
    for (const [body, fields] of [
      [{}, ['email', 'papel']],
      [{ email: 'ivo', papel: 'admin' }, ['email']],
      [{ email: 'i\u0000vo@example.com', papel: 'admin' }, ['email']],
      [{ email: newEmail(), papel: 'dono' }, ['papel']],
    ] as const) {
      const answer = await ana.post('/convites', body)
      refused(answer, 400, 'invalid-body')
      assert.deepEqual(faultyFields(answer), [...fields].sort())
    }
  })

  test('to be less than administrator does not leave a company without one', async () => {
    const only = await signIn(service)
    const token = await makeConvite(service, only.empresa, 'leitura', only.email)
    await accept(token, { nome: 'Só', senha: SENHA })
    assert.equal((await only.get('/usuarios')).status, 200)
  })

  test('raises a member to what it says', async () => {
    const low = await signIn(service, { empresa, papel: 'leitura' })
    const token = await makeConvite(service, empresa, 'admin', low.email)
    await accept(token, { nome: 'Lia', senha: SENHA })
    assert.equal((await low.get('/usuarios')).status, 200)
  })
})

describe('signing in', () => {
  test('opens a session of one’s own, however the address is written', async () => {
    const entered = await enter(' ANA@Example.COM ', SENHA)
    assert.equal(entered.status, 200)
    assert.deepEqual(entered.body, { ok: true })
    assert.notEqual(cookieOf(entered), ana.cookie)
    assert.equal((await me(cookieOf(entered)!)).body.id, ana.id)
  })

  test('with a wrong password or as nobody is refused alike', async () => {
    const answers = [await enter('ana@example.com', WRONG), await enter(newEmail(), WRONG)]
    for (const answer of answers) refused(answer, 401, 'wrong-password')
    assert.deepEqual(told(answers[0]!), told(answers[1]!))
  })

  test('with a faulty body is refused, naming the fields', async () => {
    for (const [body, fields] of [
      [{}, ['email', 'senha']],
      [{ email: 'ana', senha: SENHA }, ['email']],
      [{ email: 'a\u0000na@example.com', senha: SENHA }, ['email']],
      [{ email: 'ana@example.com', senha: '' }, ['senha']],
      [{ email: 'ana@example.com', senha: SENHA, papel: 'admin' }, ['papel']],
    ] as const) {
      const answer = await callConsole(service, 'POST', '/entrar', { body })
      refused(answer, 400, 'invalid-body')
      assert.deepEqual(faultyFields(answer), [...fields].sort())
    }
    refused(await callConsole(service, 'POST', '/entrar', { body: '{' }), 400, 'invalid-json')
  })

  test('gives a cookie that no script reads and no other site sends, for every path', async () => {
    const [pair, ...attributes] = (await enter('ana@example.com', SENHA)).headers
      .get('set-cookie')!
      .split('; ')
    assert.match(pair!, /^lastro_sessao=[\w-]{43}$/)
    assert.deepEqual(attributes, ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Max-Age=1209600'])
  })

  test('gives a cookie for TLS alone where that is how the service is reached', async () => {
    const secure = await startService({ PUBLIC_URL: 'https://lastro.example' })
    const { empresa } = await secure.caller()
    const token = await makeConvite(secure, empresa, 'admin', 'ana@example.com')
    const body = { nome: 'Ana', senha: SENHA }
    const { headers } = await callConsole(secure, 'POST', `/convites/${token}`, { body })
    assert.ok(headers.get('set-cookie')!.split('; ').includes('Secure'))
  })
})

describe('an address that was tried too often', () => {
  const fail = (email: string, times: number) =>
    Array.fromAsync({ length: times }, () => enter(email, WRONG))
  const shift = (email: string, interval: string) =>
    service.pool.query(
      'update entradas_falhas set ultima = ultima - $2::interval where email = $1',
      [email, interval],
    )
  /** In the past, so that whoever tries now is the next. */
  const failedBefore = (email: string, times: number, interval: string) =>
    service.pool.query(
      `insert into entradas_falhas (email, falhas, ultima)
       values ($1, $2, clock_timestamp() - $3::interval)`,
      [email, times, interval],
    )

  function slowedDown(answer: Answer) {
    refused(answer, 429, 'rate-limited')
    assert.match(answer.headers.get('retry-after')!, /^[1-9]\d*$/)
    return Number(answer.headers.get('retry-after'))
  }

  test('has to wait, right or wrong, known or not, and nobody else has', async () => {
    const known = await signIn(service, { empresa, papel: 'leitura' })
    const unknown = newEmail()
    const [ofKnown, ofUnknown] = await Promise.all([fail(known.email, 6), fail(unknown, 6)])
    assert.deepEqual(ofKnown.map(told), ofUnknown.map(told))
    for (const answer of ofKnown) refused(answer, 401, 'wrong-password')
    // However slow the machine is, the wait is not over before it was looked at.
    for (const email of [known.email, unknown]) await shift(email, '-1 hour')
    slowedDown(await enter(known.email.toUpperCase(), SENHA))
    slowedDown(await enter(unknown, SENHA))
    const token = await makeConvite(service, empresa, 'admin', known.email)
    slowedDown(await accept(token, { nome: 'Eu', senha: SENHA }))
    slowedDown(
      await known.call('POST', '/senha', { body: { atual: SENHA, nova: `${SENHA} nova` } }),
    )
    assert.equal((await enter('ana@example.com', SENHA)).status, 200)
    // Whoever is in already stays in.
    assert.equal((await known.call('GET', '/eu')).status, 200)

    await shift(known.email, '2 hours')
    assert.equal((await enter(known.email, SENHA)).status, 200)
    // All is forgotten: one more failure makes nobody wait.
    refused(await enter(known.email, WRONG), 401, 'wrong-password')
    assert.equal((await enter(known.email, SENHA)).status, 200)
  })

  test('waits longer with each failure, up to a quarter of an hour', async () => {
    const waits: number[] = []
    for (const times of [8, 12, 30, 5000]) {
      const email = newEmail()
      await failedBefore(email, times, '0 s')
      waits.push(slowedDown(await enter(email, WRONG)))
    }
    assert.deepEqual(
      waits.toSorted((a, b) => a - b),
      waits,
    )
    assert.ok(waits[0]! < waits[1]! && waits[1]! < waits[2]!)
    assert.ok(waits.every((seconds) => seconds <= 900))
  })

  test('a day ago begins anew', async () => {
    const { email } = await signIn(service, { empresa, papel: 'leitura' })
    await failedBefore(email, 20, '25 hours')
    refused(await enter(email, WRONG), 401, 'wrong-password')
    assert.equal((await enter(email, SENHA)).status, 200)
  })

  test('is not tried more often by trying all at once', async () => {
    const email = newEmail()
    const answers = await Promise.all(Array.from({ length: 9 }, () => enter(email, WRONG)))
    const statuses = answers.map(({ status }) => status)
    assert.ok(statuses.filter((status) => status === 401).length <= 6, statuses.join())
    assert.ok(statuses.includes(429))
  })
})

describe('a session', () => {
  test('is known by a token of which only a hash is kept, like that of an invitation', async () => {
    const convite = await makeConvite(service, empresa, 'leitura', newEmail())
    const cookie = cookieOf(await enter('ana@example.com', SENHA))!
    const token = cookie.split('=')[1]!
    const hashOf = (text: string) => createHash('sha256').update(text).digest()
    const kept = await service.pool.query(
      'select to_jsonb(s)::text as row from sessoes s where token_hash = $1',
      [hashOf(token)],
    )
    const [row] = await service.db
      .reader(empresa)
      .query<{ row: string }>(
        'select to_jsonb(c)::text as row from convites c where tenant_id = $1 and token_hash = $2',
        [empresa, hashOf(convite)],
      )
    assert.equal(kept.rows.length, 1)
    assert.ok(!kept.rows[0].row.includes(token))
    assert.ok(!row!.row.includes(convite))
    assert.ok(service.log.length > 0)
    for (const secret of [token, convite, SENHA, WRONG]) {
      assert.ok(!service.log.some((line) => line.includes(secret)))
    }
  })

  test('ends when one signs out, and no other does', async () => {
    const [one, other] = [await enter('ana@example.com', SENHA), ana.cookie]
    const cookie = cookieOf(one)!
    const left = await callConsole(service, 'POST', '/sair', { headers: { cookie } })
    assert.equal(left.status, 200)
    assert.match(left.headers.get('set-cookie')!, /^lastro_sessao=;.*Path=\/.*Max-Age=0/)
    refused(await me(cookie), 401, 'not-signed-in')
    assert.equal((await me(other)).status, 200)
  })

  test('ends with all others when the password changes; whoever changed it has a new one', async () => {
    const rui = await signIn(service, { empresa, papel: 'leitura' })
    const old = [rui.cookie, cookieOf(await enter(rui.email, SENHA))!]
    const nova = `${SENHA} nova`
    const change = (body: object) => rui.call('POST', '/senha', { body })
    refused(await change({ atual: WRONG, nova }), 401, 'wrong-password')
    const short = await change({ atual: SENHA, nova: 'x'.repeat(9) })
    refused(short, 400, 'invalid-body')
    assert.deepEqual(faultyFields(short), ['nova'])
    for (const cookie of old) assert.equal((await me(cookie)).status, 200)

    assert.equal((await change({ atual: SENHA, nova })).status, 200)
    for (const cookie of old) refused(await me(cookie), 401, 'not-signed-in')
    assert.equal((await rui.call('GET', '/eu')).body.id, rui.id)
    assert.equal((await me(ana.cookie)).status, 200)
    refused(await enter(rui.email, SENHA), 401, 'wrong-password')
    assert.equal((await enter(rui.email, nova)).status, 200)
  })

  test('that is used goes on; unused for two weeks it has ended', async () => {
    const cookie = cookieOf(await enter('ana@example.com', SENHA))!
    const hash = createHash('sha256').update(cookie.split('=')[1]!).digest()
    const age = (interval: string) =>
      service.pool.query(
        'update sessoes set usada_em = clock_timestamp() - $2::interval where token_hash = $1',
        [hash, interval],
      )
    await age('13 days')
    assert.equal((await me(cookie)).status, 200)
    const { rows } = await service.pool.query(
      `select usada_em > clock_timestamp() - interval '1 day' as touched from sessoes
       where token_hash = $1`,
      [hash],
    )
    assert.deepEqual(rows, [{ touched: true }])
    await age('14 days')
    refused(await me(cookie), 401, 'not-signed-in')
  })

  test('of no cookie, an empty one or a made-up one is none', async () => {
    for (const cookie of ['', 'lastro_sessao=', 'lastro_sessao=x', `outro=${ana.cookie}`]) {
      refused(await me(cookie), 401, 'not-signed-in')
    }
    assert.equal((await me(`tema=escuro; ${ana.cookie}; x=y`)).status, 200)
  })
})

describe('the companies of a person', () => {
  test('are shown with what the person is in each; no other is there for them', async () => {
    const { empresa: second } = await service.caller({ modulos: ['cobrancas'] })
    const { empresa: third } = await service.caller()
    const bia = await signIn(service, { empresa, papel: 'financeiro' })
    await signIn(service, { empresa: second, papel: 'leitura', email: bia.email })
    const { empresas } = (await bia.call('GET', '/eu')).body
    assert.deepEqual(empresas, [
      {
        ...{ id: empresa, nome: 'Empresa', papel: 'financeiro' },
        ...{ fuso_horario: 'America/Sao_Paulo', modulos: ['cobrancas', 'integracoes'] },
      },
      {
        ...{ id: second, nome: 'Empresa', papel: 'leitura' },
        ...{ fuso_horario: 'America/Sao_Paulo', modulos: ['cobrancas'] },
      },
    ])
    const area = (id: string) =>
      bia.call('POST', `/e/${id}/categorias`, { body: { nome: 'Vendas' } })
    assert.equal((await area(empresa)).status, 201)
    refused(await area(second), 403, 'insufficient-role')
    for (const id of [third, crypto.randomUUID(), 'x']) {
      refused(await area(id), 404, 'not-found')
      refused(await bia.call('GET', `/e/${id}/empresa`), 404, 'not-found')
    }
  })

  test('are as many less at once as the person is removed from, and the role is what it is now', async () => {
    const leo = await signIn(service, { empresa, papel: 'leitura' })
    const area = () => leo.post('/categorias', { nome: `Área ${crypto.randomUUID()}` })
    refused(await area(), 403, 'insufficient-role')
    assert.equal((await ana.patch(`/usuarios/${leo.id}`, { papel: 'financeiro' })).status, 200)
    assert.equal((await area()).status, 201)
    assert.equal((await ana.delete(`/usuarios/${leo.id}`)).status, 200)
    refused(await area(), 404, 'not-found')
    assert.deepEqual((await leo.call('GET', '/eu')).body.empresas, [])
    refused(await ana.delete(`/usuarios/${leo.id}`), 404, 'not-found')
    refused(await ana.patch(`/usuarios/${leo.id}`, { papel: 'admin' }), 404, 'not-found')
  })

  test('keep an administrator: the last is neither removed nor made less', async () => {
    const first = await signIn(service)
    const second = await signIn(service, { empresa: first.empresa, papel: 'leitura' })
    const goes = (who: Pessoa) => first.delete(`/usuarios/${who.id}`)
    const becomes = (who: Pessoa, papel: string) => first.patch(`/usuarios/${who.id}`, { papel })
    for (const answer of [await goes(first), await becomes(first, 'financeiro')]) {
      refused(answer, 400, 'invalid-body')
      assert.match(answer.body.detail, /sem administrador/)
    }
    const faulty = await becomes(second, 'dono')
    refused(faulty, 400, 'invalid-body')
    assert.deepEqual(faultyFields(faulty), ['papel'])
    assert.equal((await becomes(second, 'admin')).status, 200)
    assert.equal((await becomes(first, 'financeiro')).status, 200)
    refused(await goes(second), 403, 'insufficient-role')
    refused(await second.delete(`/usuarios/${second.id}`), 400, 'invalid-body')
    const { items } = (await second.get('/usuarios')).body
    assert.deepEqual(items.map(({ papel }: { papel: string }) => papel).sort(), [
      'admin',
      'financeiro',
    ])
  })

  test('lose no administrator when two make each other less at once', async () => {
    const first = await signIn(service)
    const second = await signIn(service, { empresa: first.empresa })
    const answers = await Promise.all([
      first.delete(`/usuarios/${second.id}`),
      second.delete(`/usuarios/${first.id}`),
    ])
    assert.ok(answers.some(({ status }) => status === 200))
    const [row] = await service.db
      .reader(first.empresa)
      .query<{ count: bigint }>(
        `select count(*) from membros where tenant_id = $1 and papel = 'admin'`,
        [first.empresa],
      )
    assert.equal(Number(row!.count), 1)
  })
})

describe('lastro usuarios', () => {
  const env = { DATABASE_URL: service.databaseUrl, PUBLIC_URL: 'https://lastro.example' }
  const usuarios = (...args: string[]) => lastro(['usuarios', ...args], env)

  test('invite prints a link by which somebody comes in, and list shows them', async () => {
    const email = newEmail()
    const to = ['--empresa', empresa, '--email', email.toUpperCase(), '--role', 'admin']
    const [words, json] = await Promise.all([
      usuarios('invite', ...to),
      usuarios('invite', ...to, '--json'),
    ])
    assert.deepEqual([words.code, json.code], [0, 0], words.err + json.err)
    const link = /^https:\/\/lastro\.example\/convite\/([\w-]{43})$/m
    assert.match(JSON.parse(json.out).link, link)
    const token = link.exec(words.out)![1]!
    const joined = await accept(token, { nome: 'Zoé', senha: SENHA })
    const { id } = (await me(cookieOf(joined)!)).body
    const [table, list] = await Promise.all([
      usuarios('list', '--empresa', empresa),
      usuarios('list', '--empresa', empresa, '--json'),
    ])
    assert.match(table.out, new RegExp(`^${id} +Zoé +${email} +admin$`, 'm'))
    const zoe = JSON.parse(list.out).find((each: { id: string }) => each.id === id)
    assert.deepEqual([zoe.nome, zoe.email, zoe.papel], ['Zoé', email, 'admin'])
    assert.ok(!list.out.includes('argon2'))
  })

  test('refuses in one sentence a role, a company or an address that there is not', async () => {
    const cases = [
      [['invite', '--empresa', empresa, '--email', newEmail(), '--role', 'dono'], /admin, financ/],
      [
        ['invite', '--empresa', crypto.randomUUID(), '--email', newEmail(), '--role', 'admin'],
        /no company/,
      ],
      [['invite', '--empresa', empresa, '--email', 'ana', '--role', 'admin'], /e-mail/],
      [['list', '--empresa', 'x'], /no company/],
    ] as const
    const outcomes = await Promise.all(cases.map(([args]) => usuarios(...args)))
    for (const [i, { code, err, out }] of outcomes.entries()) {
      assert.deepEqual([code, out], [1, ''], err)
      assert.match(err, cases[i]![1])
      assert.equal(err.trim().split('\n').length, 1)
    }
  })
})

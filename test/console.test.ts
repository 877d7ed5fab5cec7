// The application in a browser, as it is built and served, with nothing in between played.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { createEmpresa } from '../src/empresas/empresas.ts'
import { eventually, startWorker, subscribe } from './support/delivery.ts'
import { createLancamento } from './support/lancamento.ts'
import { makeConvite, type Pessoa, SENHA, signIn } from './support/pessoa.ts'
import { lastro } from './support/process.ts'
import { isGenuine, startReceiver } from './support/receiver.ts'
import {
  browse as browseAt,
  DIST,
  findings,
  NARROW,
  NO_SCREEN,
  tooWide,
  WIDE,
} from './support/screen.ts'
import { startService } from './support/service.ts'

const service = await startService()
startWorker(service)
const api = await service.caller()
const { empresa } = api
const admin = await signIn(service, { empresa, nome: 'Ana Souza' })
const leitura = await signIn(service, { empresa, papel: 'leitura', nome: 'Caio Reis' })
const elsewhere = await createEmpresa(service.db, { nome: 'Outra Ltda' })
const stranger = await signIn(service, { empresa: elsewhere, nome: 'Davi' })

/** What the company has from the start: a webhook that was delivered to. */
const receiver = await startReceiver()
const webhook = await subscribe(api, receiver.url)
await createLancamento(api)
const entrega = (await receiver.until(1))[0]!.headers['webhook-id'] as string

const inCompany = (path = '', company = empresa) => `${service.url}/e/${company}${path}`
const CHAVES = '/integracoes/chaves'
const WEBHOOKS = '/integracoes/webhooks'
const WEBHOOK = `${WEBHOOKS}/${webhook.id}`
const ENTREGA = `${WEBHOOK}/entregas/${entrega}`

const browse = (pessoa?: Pessoa, viewport = WIDE) => browseAt(service, pessoa, viewport)

const title = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const tick = (page: Page, name: string) =>
  page
    .getByRole('dialog')
    .getByRole('checkbox', { name: new RegExp(`\\b${name}$`) })
    .check()
const shown = (page: Page, label: string) =>
  page.getByRole('dialog').getByRole('textbox', { name: label }).inputValue()
/** Everything that was asked for is there. */
const settled = (page: Page) => page.getByText('Carregando…').first().waitFor({ state: 'detached' })

/** The charts are drawn. */
const charts = (page: Page) => page.locator('.recharts-bar-rectangle').first().waitFor()

/** Sends the form of the dialog that is open. */
const send = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

describe('the application', { skip: NO_SCREEN, concurrency: 3 }, () => {
  test('a printed link leads into the company, and the password leads back', async () => {
    const email = 'bia@example.com'
    const printed = await lastro(
      ['usuarios', 'invite', '--empresa', empresa, '--email', email, '--role', 'admin'],
      { DATABASE_URL: service.databaseUrl, PUBLIC_URL: service.url },
    )
    assert.equal(printed.code, 0, printed.err)
    const link = printed.out.match(/https?:\S+/)![0]
    const { page, errors } = await browse()
    await page.goto(link)
    await title(page, 'Convite para Empresa')
    assert.equal(await page.getByLabel('E-mail').inputValue(), email)
    await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Bia Lima')
    await page.getByRole('textbox', { name: 'Senha' }).fill(SENHA)
    await button(page, 'Aceitar o convite').click()
    await title(page, 'Painel')
    assert.equal(page.url(), inCompany())

    await button(page, 'Sua conta: Bia Lima').click()
    await page.getByRole('menuitem', { name: 'Sair' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sair' }).click()
    await title(page, 'Entrar')
    assert.deepEqual(errors, [])

    await page.goto(inCompany(CHAVES))
    await title(page, 'Entrar')
    // Whether somebody is signed in only the server knows, and the browser itself notes that it says no.
    assert.deepEqual(errors.splice(0).length, 1)
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('textbox', { name: 'Senha' }).fill(SENHA)
    await button(page, 'Entrar').click()
    await title(page, 'Chaves de API')
    assert.equal(page.url(), inCompany(CHAVES))
    assert.deepEqual(errors, [])

    const used = await browse()
    await used.page.goto(link)
    await title(used.page, 'Este convite não vale mais')
  })

  test('a key that is made on screen opens what it was made for, until it is revoked there', async () => {
    const { page, errors } = await browse(admin)
    await page.goto(inCompany(CHAVES))
    await button(page, 'Criar chave').click()
    await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Planilha')
    await tick(page, 'lancamentos:read')
    await tick(page, 'parceiros:read')
    await send(page, 'Criar chave')
    const key = await shown(page, 'Chave de API')
    await page.keyboard.press('Escape')
    await button(page, 'Copiar Chave de API').click()
    await page.getByText('Copiado').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
    await send(page, 'Já guardei')

    const status = async (path: string, method = 'GET') =>
      (await service.call(method, path, { headers: { authorization: `Bearer ${key}` } })).status
    assert.equal(await status('/lancamentos'), 200)
    assert.equal(await status('/parceiros'), 200)
    assert.equal(await status('/categorias'), 403)
    assert.equal(await status('/lancamentos', 'POST'), 403)

    const row = page.getByRole('listitem').filter({ hasText: 'Planilha' })
    assert.ok((await row.innerText()).includes(key.slice(-4)))
    assert.ok(!(await page.content()).includes(key), 'it is shown only once')
    await button(page, 'Revogar Planilha').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revogar' }).click()
    await row.getByText('Revogada', { exact: true }).waitFor()
    // Everywhere within a second, as is promised.
    await eventually(
      () => status('/lancamentos'),
      (answered) => answered === 401,
      60,
    )
    assert.deepEqual(errors, [])
  })

  test('a webhook that is subscribed on screen is delivered to, and again from there', async () => {
    const mine = await startReceiver()
    const lancamento = await createLancamento(api)
    const { page, errors } = await browse(admin)
    await page.goto(inCompany(WEBHOOKS))
    await button(page, 'Criar webhook').click()
    await page.getByLabel('URL').fill(mine.url)
    await page.getByLabel('Nome (opcional)').fill('Estoque')
    await tick(page, 'lancamento.updated')
    await send(page, 'Criar webhook')
    const secret = await shown(page, 'Segredo das assinaturas')
    await send(page, 'Já guardei')
    await page.getByRole('link', { name: 'Estoque', exact: true }).click()
    await page.getByText('Nenhuma entrega aqui').waitFor()

    const changed = await api.patch(`/lancamentos/${lancamento.id}`, { descricao: 'Outra' })
    assert.equal(changed.status, 200)
    const [first] = await mine.until(1)
    assert.ok(isGenuine(first!, secret, Date.now()))
    assert.equal(first!.body.event, 'lancamento.updated')
    // It comes up by itself.
    await page.getByRole('link', { name: /^lancamento\.updated/ }).click()
    await title(page, 'Lançamento alterado')
    const id = first!.headers['webhook-id'] as string
    await page.getByText(id, { exact: true }).waitFor()
    await page.getByText('Entregue', { exact: true }).waitFor()

    await button(page, 'Reenviar').click()
    const [, second] = await mine.until(2)
    assert.equal(second!.headers['webhook-id'], id)
    assert.deepEqual(second!.body.data, first!.body.data)
    assert.ok(isGenuine(second!, secret, Date.now()))
    await page.getByRole('heading', { name: 'Tentativa 2' }).waitFor()
    assert.deepEqual(errors, [])
  })

  test('who may only look is offered nothing else, and is refused it', async () => {
    const { page, errors } = await browse(leitura)
    const paths = ['/integracoes', '/configuracoes', CHAVES, WEBHOOKS, WEBHOOK, ENTREGA]
    for (const path of [...paths, '/integracoes/pagamentos']) {
      await page.goto(inCompany(path))
      await title(page, /./)
      await settled(page)
      const main = page.getByRole('main')
      assert.deepEqual(await main.getByRole('button').allInnerTexts(), [], path)
      assert.equal(await main.locator('form, input, textarea').count(), 0, path)
      assert.equal(await main.getByRole('link', { name: /criar|conectar|convidar/i }).count(), 0)
    }
    assert.deepEqual(errors, [])
    const writes = [
      leitura.post('/chaves', { nome: 'X', scopes: ['lancamentos:read'] }),
      leitura.post('/webhooks', { url: receiver.url, events: ['lancamento.created'] }),
      leitura.patch(`/webhooks/${webhook.id}`, { ativo: false }),
      leitura.delete(`/webhooks/${webhook.id}`),
      leitura.post(`/webhooks/${webhook.id}/deliveries/${entrega}/redeliver`),
      leitura.post('/convites', { email: 'x@example.com', papel: 'admin' }),
      leitura.patch(`/usuarios/${leitura.id}`, { papel: 'admin' }),
      leitura.patch('/empresa', { nome: 'Minha' }),
      leitura.delete('/provedor'),
      leitura.post('/lancamentos', {}),
    ]
    for (const { status, body } of await Promise.all(writes)) {
      assert.deepEqual([status, body.code], [403, 'insufficient-role'])
    }
  })

  test('another company sees none of it', async () => {
    const { page, errors } = await browse(stranger)
    await page.goto(service.url)
    await title(page, 'Painel')
    assert.equal(page.url(), inCompany('', elsewhere))
    for (const [path, words] of [
      [CHAVES, 'Nenhuma chave ainda'],
      [WEBHOOKS, 'Nenhum webhook ainda'],
      ['/integracoes/pagamentos', 'Nenhuma conta conectada'],
      ['/configuracoes', 'Nenhum convite à espera'],
      ['', 'Ainda não há lançamentos'],
    ] as const) {
      await page.goto(inCompany(path, elsewhere))
      await page.getByText(words).waitFor()
      await settled(page)
      assert.doesNotMatch(await page.innerText('main'), /Souza|Reis|127\.0\.0\.1/)
    }
    for (const path of ['', CHAVES, WEBHOOKS, WEBHOOK, ENTREGA, '/configuracoes']) {
      await page.goto(inCompany(path))
      await title(page, 'Página não encontrada')
    }
    assert.deepEqual(errors, [])
    // Nor by way of their own company; that the server says 404 is noted by the browser itself.
    for (const path of [WEBHOOK, ENTREGA]) {
      await page.goto(inCompany(path, elsewhere))
      await page
        .getByRole('alert')
        .getByText(/não (existe|foi encontrad)/)
        .waitFor()
      const text = await page.innerText('main')
      assert.ok(!text.includes(receiver.url) && !text.includes(entrega), text)
    }
  })

  test('a page of another origin gets nothing and does nothing, nor does one without a cookie', async () => {
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<title>Outra página</title>'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    after(() => server.close())
    const { port } = server.address() as AddressInfo
    const chaves = `/app/api/e/${empresa}/chaves`
    const { page } = await browse(admin)
    const answers: number[] = []
    page.on('response', (response) => {
      if (response.url().includes('/app/api/')) answers.push(response.status())
    })
    const ask = (path: string, init: object) =>
      page.evaluate(
        `fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then(r => r.status, () => 'refused')`,
      ) as Promise<number | string>
    const own = { 'x-lastro-console': '1' }
    const body = JSON.stringify({ nome: 'Furtada', scopes: ['lancamentos:read'] })

    // One of the same site, to which the browser gives the cookie, and one of another.
    for (const host of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${host}:${port}`)
      const asked = (path: string, init: object) =>
        ask(service.url + path, { credentials: 'include', ...init })
      assert.equal(await asked('/app/api/eu', {}), 'refused')
      assert.equal(await asked('/app/api/eu', { headers: own }), 'refused')
      const json = { ...own, 'content-type': 'application/json' }
      assert.equal(await asked(chaves, { method: 'POST', headers: json, body }), 'refused')
      // What needs nobody's leave does arrive, and is turned away.
      await asked(chaves, { method: 'POST', mode: 'no-cors', body })
    }
    assert.ok(answers.length > 0)
    assert.deepEqual(new Set(answers), new Set([403]))
    const { items } = (await admin.get('/chaves')).body
    assert.ok(!items.some(({ nome }: { nome: string | null }) => nome === 'Furtada'))
    assert.equal((await page.goto(`${service.url}/app/api/eu`))!.status(), 403)

    await page.goto(inCompany())
    await title(page, 'Painel')
    assert.equal(await ask('/app/api/eu', { headers: own }), 200)
    assert.equal(await ask('/app/api/eu', {}), 403)
    for (const [path, init] of [
      ['/app/api/eu', {}],
      [chaves, {}],
      [chaves, { method: 'POST', body }],
    ] as const) {
      assert.equal(await ask(path, { ...init, headers: own, credentials: 'omit' }), 401)
    }
  })

  test('everything is done by keyboard, and the focus comes back', async () => {
    const { page, errors } = await browse(admin)
    await page.goto(inCompany(CHAVES))
    await button(page, 'Criar chave').waitFor()
    const focused = () =>
      page.evaluate(
        '(({ labels, textContent }) => (labels?.[0] ?? { textContent }).textContent.trim())(document.activeElement)',
      ) as Promise<string>
    const tabTo = async (name: RegExp) => {
      for (let n = 0; n < 40; n++) {
        await page.keyboard.press('Tab')
        if (name.test(await focused())) return
      }
      assert.fail(`${name} is never reached`)
    }
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'Ir para o conteúdo')
    await tabTo(/^Criar chave$/)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    assert.equal(await focused(), 'Nome')
    await page.keyboard.type('Loja')
    await tabTo(/categorias:read$/)
    await page.keyboard.press('Space')
    const box = dialog.getByRole('checkbox', { name: /categorias:read$/ })
    assert.ok(await box.isChecked())
    await tabTo(/^Nome$/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await focused(), 'Criar chave')

    // It closed by a stray key, perhaps: what was filled in is still there.
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    assert.equal(await dialog.getByLabel('Nome').inputValue(), 'Loja')
    assert.ok(await box.isChecked())
    await page.keyboard.press('Enter')
    await dialog.getByText('Chave criada').waitFor()
    await tabTo(/^Já guardei$/)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await focused(), 'Criar chave')
    await page.getByRole('listitem').filter({ hasText: 'Loja' }).waitFor()
    assert.deepEqual(errors, [])
  })

  test('nothing that was filled in is lost when the network is', async () => {
    const { page, errors } = await browse(admin)
    await page.goto(inCompany(CHAVES))
    await button(page, 'Criar chave').click()
    const dialog = page.getByRole('dialog')
    await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Sem rede')
    await page.getByLabel(/^Validade/).fill('2099-12-31')
    await tick(page, 'cobrancas:read')
    const filled = async () => [
      await dialog.getByLabel('Nome').inputValue(),
      await dialog.getByLabel(/^Validade/).inputValue(),
      await dialog.getByRole('checkbox', { checked: true }).count(),
    ]
    const before = await filled()
    assert.deepEqual(before, ['Sem rede', '2099-12-31', 1])
    await page.context().setOffline(true)
    await send(page, 'Criar chave')
    await dialog.getByRole('alert').getByText('Sem conexão com o servidor').waitFor()
    assert.deepEqual(await filled(), before)
    await page.context().setOffline(false)
    await page.reload()
    await button(page, 'Criar chave').click()
    assert.deepEqual(await filled(), before)
    await send(page, 'Criar chave')
    assert.match(await shown(page, 'Chave de API'), /\w/)
    await send(page, 'Já guardei')
    await page.getByRole('listitem').filter({ hasText: 'Sem rede' }).waitFor()
    // The browser itself notes whatever it cannot send.
    assert.deepEqual(
      errors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED')),
      [],
    )
  })

  test('the first screen takes at most 350 KiB of script', async () => {
    for (const [pessoa, path] of [
      [undefined, '/entrar'],
      [admin, `/e/${empresa}`],
    ] as const) {
      const { page } = await browse(pessoa)
      const scripts = new Set<string>()
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.endsWith('.js')) scripts.add(pathname)
      })
      await page.goto(service.url + path, { waitUntil: 'networkidle' })
      await title(page, /./)
      // What draws the charts comes after the rest, and counts too.
      if (pessoa) await charts(page)
      assert.ok(scripts.size > 0)
      const sizes = [...scripts].map((name) => gzipSync(readFileSync(DIST + name)).length)
      const total = sizes.reduce((sum, size) => sum + size)
      assert.ok(total <= 350 * 1024, `${path}: ${total} bytes`)
    }
  })
})

describe('each screen can be used by everybody, in light and dark', { skip: NO_SCREEN }, () => {
  interface Screen {
    pessoa?: Pessoa
    url: string
    /** What is waited for, once the title is there. */
    ready?: (page: Page) => Promise<unknown>
  }

  async function screens(): Promise<Record<string, Screen>> {
    const convite = await makeConvite(service, empresa, 'financeiro', 'eva@example.com')
    const both = await signIn(service, { empresa })
    await signIn(service, { empresa: elsewhere, email: both.email })
    const inside = (path: string, ready?: Screen['ready']): Screen => ({
      pessoa: admin,
      url: inCompany(path),
      ...(ready && { ready }),
    })
    const dialog = (name: string) => async (page: Page) => {
      await button(page, name).click()
      await page.getByRole('dialog').waitFor()
    }
    return {
      'sign-in': { url: `${service.url}/entrar` },
      invitation: {
        url: `${service.url}/convite/${convite}`,
        ready: (page) => page.getByLabel('Nome').waitFor(),
      },
      'choice of company': {
        pessoa: both,
        url: service.url,
        ready: (page) => page.getByRole('link', { name: /Outra Ltda/ }).waitFor(),
      },
      painel: inside('', async (page) => {
        await charts(page)
        for (const table of await page.getByText('Ver como tabela').all()) await table.click()
      }),
      'first steps': inside('/integracoes', (page) => page.getByText('Feito').first().waitFor()),
      settings: inside('/configuracoes', (page) => page.getByText('eva@example.com').waitFor()),
      keys: inside(CHAVES, (page) => page.getByText('Ativa').first().waitFor()),
      'a new key': inside(CHAVES, dialog('Criar chave')),
      webhooks: inside(WEBHOOKS, (page) => page.getByText('Últimas entregas').first().waitFor()),
      'a new webhook': inside(WEBHOOKS, dialog('Criar webhook')),
      'one webhook': inside(WEBHOOK, (page) => page.getByText('Entregue').last().waitFor()),
      'one delivery': inside(ENTREGA, async (page) => {
        await page.getByText('Tentativa 1').waitFor()
        await page.getByText('O que foi enviado').click()
        await page.getByText('O que foi respondido').click()
      }),
      'payment account': inside('/integracoes/pagamentos', (page) =>
        page.getByText('Conectada', { exact: true }).waitFor(),
      ),
      API: inside('/integracoes/api'),
      'no screen': { pessoa: stranger, url: inCompany() },
      components: { url: `${service.url}/componentes` },
    }
  }

  test('narrow and wide', async () => {
    const problems: string[] = []
    const { page, errors, become } = await browse()
    let last: Pessoa | undefined
    for (const [name, { pessoa, url, ready }] of Object.entries(await screens())) {
      if (pessoa !== last) await become(pessoa)
      last = pessoa
      await page.setViewportSize(NARROW)
      await page.goto(url)
      await title(page, /./)
      await ready?.(page)
      for (const viewport of [NARROW, WIDE]) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme: 'light' })
        const light = await findings(page)
        // In the dark nothing but the colours differs, and no colour differs by the width.
        await page.emulateMedia({ colorScheme: 'dark' })
        const dark = viewport === WIDE ? await findings(page, 'color-contrast') : []
        const all = [...light, ...dark, ...(await tooWide(page))]
        problems.push(...all.map((problem) => `${name}, ${viewport.width}: ${problem}`))
      }
      problems.push(...errors.splice(0).map((error) => `${name}: ${error}`))
    }
    assert.deepEqual(problems, [])
  })
})

// The demonstration company as its first visitor finds it: a year of books, and a charge that is paid.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { ensureDemo } from '../src/demo/demo.ts'
import type { Lancamento } from '../src/lancamentos/schema.ts'
import { NO_BROWSER, openPage } from './support/browser.ts'
import { createArea } from './support/categoria.ts'
import { createCobranca } from './support/cobranca.ts'
import { eventsOf } from './support/events.ts'
import { bring } from './support/importacao.ts'
import { createLancamento } from './support/lancamento.ts'
import { dayAt, plusDays } from './support/model.ts'
import { createParceiro } from './support/parceiro.ts'
import { SENHA, signIn } from './support/pessoa.ts'
import { type Caller, startService } from './support/service.ts'

const BUILT = fileURLToPath(new URL('../console/dist/index.html', import.meta.url))
const skip = NO_BROWSER || (existsSync(BUILT) ? false : 'console/dist is not built')

const EVIL = '=HYPERLINK("x")<script>alert(1)</script>'
const service = await startService()
const demo = (await ensureDemo(service.db, service.payments, service.clock.now))!
const api = await service.caller({ empresa: demo.empresa })
const today = dayAt(Date.now(), -3)

async function browse() {
  const { page, errors } = await openPage({ width: 1280, height: 800 })
  after(() => page.context().close())
  page.setDefaultTimeout(10_000)
  page.on('dialog', () => errors.push('a script of a record ran'))
  return { page, errors }
}

/** A new screen of somebody who belongs to a company already. */
async function browseAs(pessoa: { cookie: string }) {
  const opened = await browse()
  const [name = '', value = ''] = pessoa.cookie.split('=')
  await opened.page.context().addCookies([{ name, value, url: service.url }])
  return opened
}

const title = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor()
/** Not those that a chart tells while the mouse is over it. */
const figures = (page: Page) => page.locator('[aria-labelledby=no-periodo] dd')
const dialog = (page: Page) => page.getByRole('dialog')

/** R$ 1.234,56 → 123456 */
const centavos = (text: string) => Number(text.replace(/[^\d-]/g, ''))
const cents = (reais: number) => Math.round(reais * 100)

async function allEntries(): Promise<Lancamento[]> {
  const { items, total } = (await api.get('/lancamentos?limit=1000')).body
  assert.equal(items.length, total)
  return items
}

/** What `/resumo` is to say, by adding up every entry: in the order of the screen. */
function figuresOf(entries: Lancamento[]): number[] {
  const sum = (tipo: string, wanted: (entry: Lancamento) => boolean) =>
    entries
      .filter((entry) => entry.tipo === tipo && wanted(entry))
      .reduce((total, { valor, valor_pago }) => total + cents(valor_pago ?? valor), 0)
  const both = (wanted: (entry: Lancamento) => boolean) =>
    [sum('receita', wanted), sum('despesa', wanted)] as const
  const withBalance = ([receitas, despesas]: readonly [number, number]) => [
    ...[receitas, despesas, receitas - despesas],
  ]
  const open = ({ status }: Lancamento) => status === 'em_aberto'
  const month = plusDays(today, 30)
  return [
    ...withBalance(both(({ status }) => status === 'pago')),
    ...withBalance(both(open)),
    ...both((entry) => open(entry) && entry.vencimento < today),
    ...both((entry) => open(entry) && entry.vencimento >= today && entry.vencimento <= month),
  ]
}

/** The figures of the painel, which is open: those of `/resumo`, and of every entry added up. */
async function figuresOn(page: Page): Promise<number[]> {
  await figures(page).first().waitFor()
  const shown = (await figures(page).allInnerTexts()).map(centavos)
  const { atualizado_em, total_lancamentos, truncado, ...groups } = (await api.get('/resumo')).body
  const told = Object.values<Record<string, number>>(groups).flatMap((each) => Object.values(each))
  const entries = await allEntries()
  assert.deepEqual([shown, total_lancamentos], [told.map(cents), entries.length])
  assert.deepEqual(shown, figuresOf(entries))
  return shown
}

describe('a year of books', { skip, concurrency: 3 }, () => {
  test('leads from the link of the first start to a charge that is paid', async () => {
    const { page, errors } = await browse()
    await page.goto(`${service.url}/convite/${demo.convite}`)
    await title(page, 'Convite para Empresa Demonstração')
    await page.getByLabel('E-mail').fill('ana@example.com')
    await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Ana Souza')
    await page.getByRole('textbox', { name: 'Senha' }).fill(SENHA)
    await page.getByRole('button', { name: 'Aceitar o convite' }).click()
    await title(page, 'Painel')
    const before = await figuresOn(page)

    // From a chart to the entries behind it.
    const chart = page.getByText('Ver como tabela: Próximos 30 dias')
    await chart.click()
    const expected = page
      .getByRole('table', { name: 'Próximos 30 dias' })
      .getByRole('row')
      .locator('td:nth-of-type(1) a')
      .first()
    const told = await expected.innerText()
    await expected.click()
    await title(page, 'Lançamentos')
    const sums = page.getByRole('group', { name: /^\d+ lançamentos?$/ }).locator('dd')
    await sums.getByText(told).first().waitFor()
    assert.deepEqual((await sums.allInnerTexts()).map(centavos), [
      ...[centavos(told), 0, centavos(told)],
    ])

    await page.getByRole('row').nth(1).click()
    await dialog(page).getByText('Em aberto', { exact: true }).first().waitFor()
    const lancamento = new URL(page.url()).searchParams.get('lancamento')!
    const { valor, parceiro_id } = (await api.get(`/lancamentos/${lancamento}`)).body.item
    await dialog(page).getByRole('link', { name: 'Cobrar' }).click()
    await dialog(page).getByText('o lançamento é marcado como pago').waitFor()
    await dialog(page).getByRole('button', { name: 'Emitir cobrança' }).click()
    await title(page, /^Cobrança de/)
    const id = page.url().split('/').at(-1)!
    const charge = async () => (await api.get(`/cobrancas/${id}`)).body.item
    const issued = await charge()
    assert.deepEqual(
      [issued.status, issued.valor, issued.lancamento_id, issued.parceiro_id],
      ['pendente', valor, lancamento, parceiro_id],
    )
    await page.getByText('A pagar', { exact: true }).waitFor()
    const link = page.getByRole('link', { name: /^Abrir a página de pagamento/ })
    const { pathname } = new URL((await link.getAttribute('href'))!)
    const payer = await page.context().newPage()
    await payer.goto(service.url + pathname)
    await payer.getByRole('button', { name: 'Pagar' }).click()
    await payer.locator('.state.paga').waitFor()

    // Nothing is loaded anew: what was paid shows by itself.
    await page.evaluate('window.same = true')
    await page.bringToFront()
    await page.getByText('Paga', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Ver o lançamento' }).click()
    await dialog(page).getByText('Pago', { exact: true }).first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Painel' }).click()
    await title(page, 'Painel')
    const grown = before[0]! + cents(valor)
    const recebido = (grown / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2 })
    await figures(page).first().getByText(recebido).waitFor()
    await figuresOn(page)
    assert.equal(await page.evaluate('window.same'), true)
    const paid = (await eventsOf(service, demo.empresa)).filter(
      ({ kind, data }) => kind === 'lancamento.paid' && data.lancamento?.id === lancamento,
    )
    assert.deepEqual([paid.length, (await charge()).status, errors], [1, 'paga', []])
  })

  test('shows texts as texts, whatever they would be elsewhere', async () => {
    const api = await service.caller()
    const { empresa } = api
    const pessoa = await signIn(service, { empresa, papel: 'leitura' })
    const inCompany = (path = '') => `${service.url}/e/${empresa}${path}`
    const { page, errors } = await browseAs(pessoa)
    const { id: parceiro_id } = await createParceiro(api, { nome: EVIL, observacoes: EVIL })
    const { id: categoria_id } = await createArea(api, EVIL)
    await createLancamento(api, {
      ...{ data: today, descricao: EVIL, contraparte: EVIL, centro_custo: EVIL },
      ...{ observacoes: EVIL, parceiro_id, categoria_id },
    })
    const cobranca = await createCobranca(api, { parceiro_id, descricao: EVIL })
    const { pathname: payersPage } = new URL(cobranca.invoice_url!)
    const texts = {
      [inCompany()]: 2,
      [inCompany(`?centro_custo=${encodeURIComponent(EVIL)}`)]: 2,
      [inCompany(`/lancamentos?parceiro_id=${parceiro_id}&categoria_id=${categoria_id}`)]: 6,
      [inCompany('/parceiros?busca=HYPERLINK')]: 1,
      [inCompany(`/parceiros/${parceiro_id}`)]: 4,
      [inCompany('/categorias')]: 1,
      [inCompany('/cobrancas')]: 1,
      [inCompany(`/cobrancas/${cobranca.id}`)]: 2,
      [service.url + payersPage]: 1,
    }
    for (const [url, least] of Object.entries(texts)) {
      await page.goto(url)
      const nth = page.getByText(EVIL).nth(least - 1)
      await nth.waitFor({ state: 'attached' }).catch(() => assert.fail(url))
    }
    const csv = await pessoa.get('/livro.csv')
    const cells: string[] = csv.body.split('\r\n').find((line: string) => line.includes('script'))
    assert.ok(cells.includes(`"'=HYPERLINK(""x"")<script>`), String(cells))
    assert.ok(!cells.includes(';=') && !cells.includes(';"='))
    assert.deepEqual(errors, [])
  })

  test('leads nobody to what is of another company', async () => {
    const owner = await service.caller()
    const { parceiro, categoria, lancamento, cobranca } = await secrets(owner)
    const ours = await signIn(service, { empresa: owner.empresa })
    const csv = 'Data;Descrição;Valor\n22/06/2026;Segredo alheio;-10,00'
    const importacao = (await bring(ours, csv)).body.item.id
    const stranger = await signIn(service)
    const { page } = await browseAs(stranger)
    const paths = {
      [`/lancamentos?lancamento=${lancamento}`]: 'não existe nesta empresa',
      [`/lancamentos?parceiro_id=${parceiro}`]: 'Nenhum lançamento assim',
      [`/lancamentos?categoria_id=${categoria}`]: 'Nenhum lançamento assim',
      [`/lancamentos/importar?importacao=${importacao}`]: 'Escolher um arquivo',
      [`/parceiros/${parceiro}`]: 'não existe',
      [`/cobrancas/${cobranca}`]: 'não existe',
      [`/cobrancas?lancamento=${lancamento}`]: 'não existe',
      [`/cobrancas?parceiro_id=${parceiro}`]: 'Nenhuma cobrança assim',
    }
    for (const [path, says] of Object.entries(paths)) {
      await page.goto(`${service.url}/e/${stranger.empresa}${path}`)
      await page.getByText(says).first().waitFor()
      assert.equal(await page.getByText('Segredo').count(), 0, path)
    }
    // Nor at the address that is right for those who may.
    await page.goto(`${service.url}/e/${owner.empresa}/parceiros/${parceiro}`)
    await title(page, 'Página não encontrada')
  })
})

/** One of each, with a text that nobody else is to read. */
async function secrets(caller: Caller) {
  const [nome, descricao] = ['Segredo alheio', 'Segredo alheio']
  const { id: parceiro } = await createParceiro(caller, { nome })
  const { id: categoria } = await createArea(caller, nome)
  const references = { parceiro_id: parceiro, categoria_id: categoria }
  const { id: lancamento } = await createLancamento(caller, { descricao, ...references })
  const { id: cobranca } = await createCobranca(caller, { descricao, parceiro_id: parceiro })
  return { parceiro, categoria, lancamento, cobranca }
}

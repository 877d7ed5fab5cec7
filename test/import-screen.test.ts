// A file on its way into the books, in a browser.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { NO_BROWSER, openPage } from './support/browser.ts'
import { FINDINGS, TOO_WIDE } from './support/fit.ts'
import { signIn } from './support/pessoa.ts'
import { startService } from './support/service.ts'

const DIST = fileURLToPath(new URL('../console/dist', import.meta.url))
const skip = NO_BROWSER || (existsSync(`${DIST}/index.html`) ? false : 'console/dist is not built')

const service = await startService()
const api = await service.caller()
const pessoa = await signIn(service, { empresa: api.empresa, papel: 'financeiro', nome: 'Bia' })

const SCRIPT = '<script>alert(1)</script>'
const csv = (...lines: string[]) => ({
  name: 'extrato.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['Quando;Histórico;Valor', ...lines].join('\n')),
})

async function browse() {
  const { page, errors } = await openPage({ width: 1280, height: 800 })
  after(() => page.context().close())
  page.setDefaultTimeout(10_000)
  await page.context().addInitScript(axe.source)
  const [name = '', value = ''] = pessoa.cookie.split('=')
  await page.context().addCookies([{ name, value, url: service.url }])
  await page.goto(`${service.url}/e/${api.empresa}/lancamentos/importar`)
  return { page, errors }
}

/** What is shown can be used by everybody, on a telephone and in the dark too. */
async function fit(page: Page, errors: string[]) {
  const problems = (await page.evaluate(FINDINGS)) as string[]
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark' })
  problems.push(...((await page.evaluate(FINDINGS)) as string[]))
  problems.push(...((await page.evaluate(TOO_WIDE)) as string[]))
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  assert.deepEqual([problems, errors], [[], []])
}

const choose = (page: Page, file: ReturnType<typeof csv>) =>
  page.getByLabel('Escolha um arquivo CSV ou OFX').setInputFiles(file)
const figure = (page: Page, name: string) =>
  page.getByText(name, { exact: true }).locator('xpath=following-sibling::dd').textContent()
const entries = async () => (await api.get('/lancamentos')).body

describe('the import', { skip }, () => {
  test('shows what is wrong by line, writes all once it is right, and none the next time', async () => {
    const { page, errors } = await browse()
    const lines = [`22/06/2026;${SCRIPT};1.234,56`, '23/06/2026;=HYPERLINK("x");-3.500,00']
    await choose(page, csv(...lines, '31/02/2026;Luz;-10,00'))
    await page.getByText('Falta dizer que coluna tem: Data.').waitFor()
    await page.getByLabel('Quando').selectOption('Data')
    const fault = page.getByRole('region', { name: 'Erros por linha' }).getByRole('row').nth(1)
    assert.match((await fault.textContent())!, /^4Data.*31\/02\/2026/)
    assert.deepEqual(await page.getByRole('button', { name: /^Importar/ }).count(), 0)
    await fit(page, errors)

    await page.getByRole('button', { name: 'Trocar de arquivo' }).click()
    await choose(page, csv(...lines))
    // The column is remembered; where one was, a reload leads back to.
    const importar = page.getByRole('button', { name: 'Importar 2 lançamentos' })
    await importar.waitFor()
    await page.reload()
    await page.getByLabel('Linhas sem situação entram como').selectOption('Em aberto')
    await page.getByRole('cell', { name: 'Em aberto' }).first().waitFor()
    assert.equal(await figure(page, 'A importar'), '2')
    assert.equal(await figure(page, 'Saldo'), '-R$\u00a02.265,44')
    await fit(page, errors)
    assert.equal((await entries()).total, 0)
    await importar.focus()
    await page.keyboard.press('Enter')
    await page.getByText('2 lançamentos importados.').waitFor()
    await fit(page, errors)
    const { items } = await entries()
    assert.deepEqual(
      items.map(({ descricao, status }: Record<string, string>) => [descricao, status]),
      [
        ['=HYPERLINK("x")', 'em_aberto'],
        [SCRIPT, 'em_aberto'],
      ],
    )

    await page.getByRole('link', { name: 'Importar outro arquivo' }).click()
    await choose(page, csv(...lines))
    await page.getByText('Tudo o que está neste arquivo já foi importado.').waitFor()
    assert.equal(await figure(page, 'Já importadas'), '2')
    assert.equal((await entries()).total, 2)
    assert.deepEqual(errors, [])

    await page.goto(`${service.url}/e/${api.empresa}/lancamentos/importar?importacao=x`)
    await page.getByRole('link', { name: 'Escolher um arquivo' }).click()
    await page.getByText('Últimos arquivos').first().waitFor()
  })

  test('tells in words why a file is not taken', async () => {
    const { page, errors } = await browse()
    await choose(page, { ...csv(), buffer: Buffer.from('%PDF-1.7') })
    await page.getByRole('alert').getByText('é um PDF').waitFor()
    // The browser itself notes that the server has refused.
    assert.equal(errors.splice(0).length, 1)
    await fit(page, errors)
  })
})

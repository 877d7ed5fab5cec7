// A file on its way into the books, in a browser.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { signIn } from './support/pessoa.ts'
import { browse, fit, NARROW, NO_SCREEN, WIDE } from './support/screen.ts'
import { startService } from './support/service.ts'

const service = await startService()
const api = await service.caller()
const pessoa = await signIn(service, { empresa: api.empresa, papel: 'financeiro', nome: 'Bia' })

const SCRIPT = '<script>alert(1)</script>'
const csv = (...lines: string[]) => ({
  name: 'extrato.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['Quando;Histórico;Valor', ...lines].join('\n')),
})

async function open() {
  const opened = await browse(service, pessoa)
  await opened.page.goto(`${service.url}/e/${api.empresa}/lancamentos/importar`)
  return opened
}

/** What is shown can be used by everybody, on a telephone and in the dark too. */
async function fitEverywhere(page: Page, errors: string[]) {
  await fit(page, errors)
  await page.setViewportSize(NARROW)
  await page.emulateMedia({ colorScheme: 'dark' })
  await fit(page, errors)
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light' })
}

const choose = (page: Page, file: ReturnType<typeof csv>) =>
  page.getByLabel('Escolha um arquivo CSV ou OFX').setInputFiles(file)
const figure = (page: Page, name: string) =>
  page.getByText(name, { exact: true }).locator('xpath=following-sibling::dd').textContent()
const entries = async () => (await api.get('/lancamentos')).body

describe('the import', { skip: NO_SCREEN }, () => {
  test('shows what is wrong by line, writes all once it is right, and none the next time', async () => {
    const { page, errors } = await open()
    const lines = [`22/06/2026;${SCRIPT};1.234,56`, '23/06/2026;=HYPERLINK("x");-3.500,00']
    await choose(page, csv(...lines, '31/02/2026;Luz;-10,00'))
    await page.getByText('Falta dizer que coluna tem: Data.').waitFor()
    await page.getByLabel('Quando').selectOption('Data')
    const fault = page.getByRole('region', { name: 'Erros por linha' }).getByRole('row').nth(1)
    assert.match((await fault.textContent())!, /^4Data.*31\/02\/2026/)
    assert.deepEqual(await page.getByRole('button', { name: /^Importar/ }).count(), 0)
    await fitEverywhere(page, errors)

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
    await fitEverywhere(page, errors)
    assert.equal((await entries()).total, 0)
    await importar.focus()
    await page.keyboard.press('Enter')
    await page.getByText('2 lançamentos importados.').waitFor()
    await fitEverywhere(page, errors)
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
    const { page, errors } = await open()
    await choose(page, { ...csv(), buffer: Buffer.from('%PDF-1.7') })
    await page.getByRole('alert').getByText('é um PDF').waitFor()
    // The browser itself notes that the server has refused.
    assert.equal(errors.splice(0).length, 1)
    await fitEverywhere(page, errors)
  })
})

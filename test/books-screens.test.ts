// Categories, partners and charges in a browser, as people keep them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createArea } from './support/categoria.ts'
import { chargesOf, createCobranca, fetchCobranca } from './support/cobranca.ts'
import { createLancamento } from './support/lancamento.ts'
import { CNPJ, createParceiro } from './support/parceiro.ts'
import { signIn } from './support/pessoa.ts'
import { browse, fit, NO_SCREEN } from './support/screen.ts'
import { startService } from './support/service.ts'

const SCRIPT = '<script>alert(1)</script>'
const service = await startService()
const api = await service.caller()
const { empresa } = api
const pessoa = await signIn(service, { empresa, papel: 'financeiro', nome: 'Ana' })

async function open(path: string) {
  const opened = await browse(service, pessoa)
  await opened.page.goto(`${service.url}/e/${empresa}${path}`)
  return opened
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const send = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true }).click()
const confirm = (page: Page, name: string) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()
const act = async (page: Page, on: string, name: string) => {
  await button(page, `Ações de ${on}`).click()
  await page.getByRole('menuitem', { name }).click()
}

describe('the books on screen', { skip: NO_SCREEN, concurrency: 3 }, () => {
  test('categories are made, renamed, moved and deleted where unused', async () => {
    const usada = await createArea(api, 'Usada')
    await createLancamento(api, { categoria_id: usada.id })
    const { page, errors } = await open('/categorias')
    await button(page, 'Criar área').click()
    await dialog(page).getByLabel('Nome').fill(`Vendas ${SCRIPT}`)
    await send(page, 'Criar área')
    const area = page.getByRole('region', { name: `Vendas ${SCRIPT}`, exact: true })
    await act(page, `Vendas ${SCRIPT}`, 'Criar subcategoria')
    await dialog(page).getByLabel('Nome').fill('Loja')
    await send(page, 'Criar subcategoria')
    await area.getByText('Loja', { exact: true }).waitFor()

    await act(page, 'Loja', 'Renomear ou mover')
    await dialog(page).getByLabel('Nome').fill('Balcão')
    await dialog(page).getByLabel('Área').selectOption('Usada')
    await fit(page, errors)
    await send(page, 'Salvar')
    const moved = page.getByRole('region', { name: 'Usada' }).getByText('Balcão', { exact: true })
    await moved.waitFor()
    await area.getByText('Sem subcategorias.').waitFor()

    await act(page, 'Balcão', 'Excluir')
    await confirm(page, 'Excluir')
    await moved.waitFor({ state: 'detached' })
    await fit(page, errors)
    await act(page, 'Usada', 'Excluir')
    await confirm(page, 'Excluir')
    await page.getByRole('alert').getByText('Há lançamentos nesta categoria').waitFor()
    // The browser itself notes that it was refused.
    assert.equal(errors.splice(0).length, 1)
    const { items } = (await api.get('/categorias')).body
    assert.deepEqual(
      items.map(({ nome }: { nome: string }) => nome),
      ['Usada', `Vendas ${SCRIPT}`],
    )
  })

  test('a charge is issued once, followed until it is paid, and another is cancelled', async () => {
    const { id: parceiro_id } = await createParceiro(api, {
      nome: `Padaria ${SCRIPT}`,
      documento: CNPJ,
    })
    const { page, errors } = await open('/cobrancas')
    await button(page, 'Emitir cobrança').click()
    await dialog(page).getByLabel('Valor').fill('1.234,56')
    await dialog(page).getByLabel('Descrição').fill(SCRIPT)
    const field = dialog(page).getByRole('combobox', { name: /Parceiro/ })
    await field.fill('11.222')
    await page.getByRole('option', { name: /Padaria/ }).waitFor()
    await fit(page, errors)
    await field.press('Enter')
    await dialog(page).getByText('11.222.333/0001-81').waitFor()
    assert.equal(await field.inputValue(), `Padaria ${SCRIPT}`)
    const submit = dialog(page).getByRole('button', { name: 'Emitir cobrança' })
    // The charge is issued, and the answer lost on its way.
    await page.route('**/cobrancas', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await submit.click()
    await dialog(page).getByRole('alert').getByText('Sem conexão com o servidor').waitFor()
    assert.equal(errors.splice(0).length, 1)
    await page.unroute('**/cobrancas')
    await submit.dblclick()
    await page.getByText('já tinha sido emitida').waitFor()
    await page.getByRole('heading', { level: 1, name: /1\.234,56/ }).waitFor()
    const id = page.url().split('/').at(-1)!
    const cobranca = await fetchCobranca(api, id)
    assert.deepEqual(
      [cobranca.valor, cobranca.parceiro_id, cobranca.descricao],
      [1234.56, parceiro_id, SCRIPT],
    )
    assert.deepEqual(await chargesOf(service, api), { kept: 1, issued: 1 })

    await button(page, 'Copiar PIX copia e cola').click()
    await page.getByText('Copiado').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), cobranca.pix_copia_e_cola)
    await page.getByRole('img', { name: 'QR do PIX' }).waitFor()
    await page.getByRole('link', { name: `Padaria ${SCRIPT}` }).waitFor()
    await fit(page, errors)
    const link = page.getByRole('link', { name: /^Abrir a página de pagamento/ })
    const { pathname } = new URL((await link.getAttribute('href'))!)
    const payer = await page.context().newPage()
    await payer.goto(service.url + pathname)
    await payer.getByRole('button', { name: 'Pagar' }).click()
    await payer.locator('.state.paga').waitFor()
    await page.bringToFront()
    await page.getByText('O pagamento foi confirmado.').waitFor()
    assert.equal(await button(page, 'Cancelar cobrança').count(), 0)

    const other = await createCobranca(api, { valor: 50 })
    await page.getByRole('main').getByRole('link', { name: 'Cobranças' }).click()
    await fit(page, errors)
    await page.getByRole('link', { name: /50,00/ }).click()
    await button(page, 'Cancelar cobrança').click()
    await confirm(page, 'Cancelar cobrança')
    await page.getByText('Cancelada', { exact: true }).waitFor()
    assert.equal((await fetchCobranca(api, other.id)).status, 'cancelada')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN')
    assert.deepEqual(errors, [])
  })

  test('whoever edits a partner that somebody else has changed sees both versions first', async () => {
    const { id } = await createParceiro(api, { nome: 'Maria', telefone: '1' })
    await createLancamento(api, { parceiro_id: id, descricao: SCRIPT })
    const { page, errors } = await open('/parceiros?busca=mari')
    await page.getByRole('link', { name: 'Maria', exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: SCRIPT }).waitFor()
    await fit(page, errors)
    await act(page, 'Maria', 'Editar')
    await dialog(page).getByLabel('Nome').fill('Maria Souza')
    assert.equal((await api.patch(`/parceiros/${id}`, { telefone: '22' })).status, 200)
    await send(page, 'Salvar')
    await dialog(page).getByText('A versão gravada', { exact: true }).waitFor()
    assert.deepEqual([await dialog(page).getByRole('row').allInnerTexts()].flat().slice(1), [
      'Nome\tMaria Souza\tMaria',
      'Telefone\t1\t22',
    ])
    assert.equal((await api.get(`/parceiros/${id}`)).body.item.nome, 'Maria')
    await send(page, 'Gravar a minha versão')
    await page.getByRole('heading', { level: 1, name: 'Maria Souza' }).waitFor()
    const { nome, telefone } = (await api.get(`/parceiros/${id}`)).body.item
    assert.deepEqual([nome, telefone], ['Maria Souza', '1'])

    await act(page, 'Maria Souza', 'Excluir')
    await confirm(page, 'Excluir')
    await page.getByRole('alert').getByText('desative-o').waitFor()
    // A refusal each, as the browser itself notes.
    assert.equal(errors.length, 2)
  })
})

// The entries on screen: made, changed and undone, found and summed, however many there are.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Lancamento } from '../src/lancamentos/schema.ts'
import { insertEntries } from './support/bulk.ts'
import { addSubcategoria, createArea } from './support/categoria.ts'
import { createLancamento } from './support/lancamento.ts'
import { createParceiro } from './support/parceiro.ts'
import { signIn } from './support/pessoa.ts'
import { browse, fit, NO_SCREEN } from './support/screen.ts'
import { type Caller, startService } from './support/service.ts'

const MANY = 10_000
const SCRIPT = '<script>alert(1)</script>'
const FORMULA = '=HYPERLINK("x")'
const service = await startService()

/** Somebody's screen of a company of their own. */
async function open(options: { papel?: 'financeiro' | 'leitura'; width?: number } = {}) {
  const { papel = 'financeiro', width = 1280 } = options
  const api = await service.caller()
  const pessoa = await signIn(service, { empresa: api.empresa, papel })
  const { page, errors } = await browse(service, pessoa, { width, height: 800 })
  const go = (search = '') => page.goto(`${service.url}/e/${api.empresa}/lancamentos${search}`)
  return { api, page, errors, go }
}

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const cells = (page: Page, text: string) => row(page, text).getByRole('gridcell').allInnerTexts()
const dialog = (page: Page) => page.getByRole('dialog')
const send = (page: Page, name: string) =>
  dialog(page).last().getByRole('button', { name, exact: true }).click()
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()
/** Its label is its name, and its figures follow. */
const sums = async (page: Page, label: string) => {
  const found = page.getByLabel(label, { exact: true })
  await found.waitFor()
  return (await found.locator('dd').allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' '))
}
const isGridFocused = (page: Page) =>
  page.evaluate('document.activeElement.getAttribute("role") === "grid"')

async function only(api: Caller): Promise<Lancamento> {
  const { items, total } = (await api.get('/lancamentos')).body
  assert.equal(total, 1)
  return items[0]
}

describe('the entries on screen', { skip: NO_SCREEN, concurrency: 3 }, () => {
  test('one is made, changed, paid, reverted, copied, deleted and brought back by keyboard', async () => {
    const { api, page, errors, go } = await open()
    const parceiro = await createParceiro(api, { nome: 'Padaria' })
    const area = await createArea(api, 'Vendas')
    const categoria_id = await addSubcategoria(service, api.empresa, area.id, 'Loja')
    await go()
    await page.getByText('Nenhum lançamento ainda').waitFor()
    await page.keyboard.press('n')
    await dialog(page).waitFor()
    await send(page, 'Criar lançamento')
    await dialog(page).getByText('Informe uma descrição.').waitFor()
    await dialog(page).getByLabel('Descrição').fill(SCRIPT)
    await dialog(page).getByLabel('Tipo').selectOption('Receita')
    await dialog(page).getByLabel('Valor (R$)').fill('1.234,56')
    await dialog(page).getByLabel('Data').fill('2026-06-22')
    await dialog(page).getByLabel('Vencimento').fill('2026-06-30')
    await dialog(page).getByLabel('Parceiro').fill('Pad')
    await page.getByRole('option', { name: 'Padaria' }).click()
    await dialog(page).getByLabel('Categoria').selectOption('Vendas › Loja')
    await dialog(page).getByLabel('Centro de custo').fill(FORMULA)
    await send(page, 'Criar lançamento')
    await row(page, SCRIPT).waitFor()
    const made = await only(api)
    assert.deepEqual(
      [made.descricao, made.tipo, made.valor, made.data, made.vencimento, made.status],
      [SCRIPT, 'receita', 1234.56, '2026-06-22', '2026-06-30', 'em_aberto'],
    )
    assert.deepEqual(
      [made.parceiro_id, made.contraparte, made.categoria_id, made.centro_custo],
      [parceiro.id, 'Padaria', categoria_id, FORMULA],
    )
    assert.deepEqual(await cells(page, SCRIPT), [
      '',
      '22/06/2026',
      `${SCRIPT}\nPadaria`,
      `Vendas › Loja\n${FORMULA}`,
      '30/06/2026',
      'Vencido',
      '+ R$\u00a01.234,56',
    ])

    assert.ok(await isGridFocused(page))
    await page.keyboard.press('Enter')
    await dialog(page).getByLabel('Descrição').fill('Mensalidade')
    await dialog(page).getByLabel('Observações').fill('À vista')
    await page.keyboard.press('Tab')
    await send(page, 'Salvar')
    await row(page, 'Mensalidade').waitFor()
    const changed = await only(api)
    const { atualizado_em } = changed
    assert.deepEqual(changed, {
      ...made,
      ...{ descricao: 'Mensalidade', observacoes: 'À vista', atualizado_em },
    })

    await page.keyboard.press('p')
    await dialog(page).getByLabel('Dia do pagamento').fill('2026-07-02')
    await dialog(page).getByLabel('Juros').fill('12,50')
    await dialog(page).getByLabel('Desconto').fill('0,06')
    await dialog(page).getByText('R$ 1.247,00').waitFor()
    await send(page, 'Marcar como pago')
    await row(page, 'Mensalidade').getByText('Pago', { exact: true }).waitFor()
    const paid = await only(api)
    assert.deepEqual(
      [paid.status, paid.data_pagamento, paid.juros, paid.desconto, paid.valor_pago],
      ['pago', '2026-07-02', 12.5, 0.06, 1247],
    )

    await page.keyboard.press('Enter')
    await send(page, 'Reverter pagamento')
    await dialog(page).getByText('Vencido').waitFor()
    assert.equal((await only(api)).status, 'em_aberto')
    await fit(page, errors)
    await send(page, 'Duplicar')
    await page.getByRole('heading', { name: 'Duplicar lançamento' }).waitFor()
    await dialog(page).getByLabel('Descrição').fill('Cópia')
    await send(page, 'Criar lançamento')
    await row(page, 'Cópia').waitFor()
    const both: Lancamento[] = (await api.get('/lancamentos')).body.items
    const [copy] = both
    assert.deepEqual(
      [copy!.descricao, copy!.valor, copy!.status, copy!.parceiro_id, copy!.observacoes],
      ['Cópia', 1234.56, 'em_aberto', parceiro.id, 'À vista'],
    )

    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await said(page, '2 lançamentos excluídos.')
    await page.getByText('Nenhum lançamento ainda').waitFor()
    assert.equal((await api.get('/lancamentos')).body.total, 0)
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await row(page, 'Cópia').waitFor()
    const back: Lancamento[] = (await api.get('/lancamentos')).body.items
    assert.deepEqual(
      back.map(({ id, descricao, criado_em }) => [id, descricao, criado_em]),
      both.map(({ id, descricao, criado_em }) => [id, descricao, criado_em]),
    )
    assert.deepEqual(errors, [])
  })

  test('the address holds the filters, and what is shown and selected is summed to the cent', async () => {
    const { api, page, errors, go } = await open()
    const entry = (fields: object) => createLancamento(api, { contraparte: null, ...fields })
    await entry({ descricao: 'Café A', valor: 0.1, data: '2026-06-01' })
    await entry({ descricao: 'Café B', valor: 0.2, data: '2026-06-02' })
    await entry({ descricao: 'Café C', tipo: 'despesa', valor: 0.31, data: '2026-06-03' })
    await entry({ descricao: 'Café D', valor: 9, status: 'cancelado', data: '2026-06-04' })
    await entry({ descricao: 'Pão', valor: 5, status: 'pago', juros: 1, data: '2026-06-05' })
    await go()
    assert.deepEqual(await sums(page, '5 lançamentos'), ['R$ 6,30', 'R$ 0,31', 'R$ 5,99'])

    await page.keyboard.press('/')
    await page.keyboard.type('cafe')
    // However slowly it was typed.
    await page.waitForURL(/\?busca=cafe$/)
    assert.deepEqual(await sums(page, '4 lançamentos'), ['R$ 0,30', 'R$ 0,31', '-R$ 0,01'])
    await page.getByRole('button', { name: 'Filtros', exact: true }).click()
    await dialog(page).getByLabel('Tipo').selectOption('Receita')
    await dialog(page).getByLabel('Data até').fill('2026-06-03')
    await fit(page, errors)
    await send(page, 'Filtrar')
    assert.deepEqual(await sums(page, '2 lançamentos'), ['R$ 0,30', 'R$ 0,00', 'R$ 0,30'])
    const { searchParams } = new URL(page.url())
    assert.deepEqual(Object.fromEntries(searchParams), {
      ...{ busca: 'cafe', tipo: 'receita', data_ate: '2026-06-03' },
    })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Exportar' }).click(),
    ])
    assert.match(file.suggestedFilename(), /^lancamentos-.*\.csv$/)

    await page.getByRole('button', { name: 'Remover o filtro Receita' }).click()
    await sums(page, '3 lançamentos')
    await page.goBack()
    await sums(page, '2 lançamentos')
    await page.goBack()
    await sums(page, '4 lançamentos')
    await page.goForward()
    await sums(page, '2 lançamentos')
    await page.getByRole('button', { name: 'Limpar filtros' }).click()
    await sums(page, '5 lançamentos')
    assert.equal(await page.getByRole('searchbox').inputValue(), '')

    // From the third to the last with the mouse, and without the cancelled one by keyboard.
    await row(page, 'Café A').getByRole('checkbox').click()
    await row(page, 'Café C')
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    assert.deepEqual(await sums(page, '3 selecionados'), ['R$ 0,30', 'R$ 0,31', '-R$ 0,01'])
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Space')
    assert.deepEqual(await sums(page, '4 selecionados'), ['R$ 0,30', 'R$ 0,31', '-R$ 0,01'])
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    assert.deepEqual(await sums(page, '5 selecionados'), ['R$ 6,30', 'R$ 0,31', 'R$ 5,99'])
    await fit(page, errors)
    await page.getByRole('button', { name: 'Marcar pago (3)' }).click()
    await dialog(page).getByText('3 lançamentos, cada um').waitFor()
    assert.equal(await dialog(page).getByLabel('Juros').count(), 0)
    await send(page, 'Marcar como pago')
    await said(page, '3 lançamentos pagos.')
    assert.equal((await api.get('/lancamentos?status=pago')).body.total, 4)
    assert.equal(await page.getByLabel(/selecionados?$/).count(), 0)
    assert.deepEqual(errors, [])
  })

  test('what somebody else changes shows by itself, and before it is overwritten', async () => {
    const { api, page, errors, go } = await open()
    const { id } = await createLancamento(api, { descricao: 'Aluguel', valor: 100 })
    const other = await createLancamento(api, { descricao: 'Luz', valor: 50, data: '2026-06-21' })
    await go()
    await row(page, 'Luz').getByRole('checkbox').click()
    await api.patch(`/lancamentos/${other.id}`, { valor: 70 })
    await createLancamento(api, { descricao: 'Água', valor: 1, data: '2026-06-23' })
    await row(page, 'Água').waitFor()
    // The entry that was chosen still is, as it is now; so is the active one.
    assert.deepEqual(await sums(page, '1 selecionado'), ['R$ 70,00', 'R$ 0,00', 'R$ 70,00'])
    assert.equal(await row(page, 'Luz').getAttribute('aria-selected'), 'true')
    const active = await page.getByRole('grid').getAttribute('aria-activedescendant')
    assert.equal(await row(page, 'Luz').getAttribute('id'), active)

    await row(page, 'Aluguel').click()
    await dialog(page).getByLabel('Valor (R$)').fill('110')
    await api.patch(`/lancamentos/${id}`, { descricao: 'Aluguel de julho', centro_custo: 'Matriz' })
    await send(page, 'Salvar')
    await dialog(page).getByText('A versão gravada', { exact: true }).waitFor()
    const rows = dialog(page).getByRole('row')
    assert.deepEqual((await rows.allInnerTexts()).slice(1), [
      'Descrição\tAluguel\tAluguel de julho',
      'Valor\t110,00\t100,00',
      'Centro de custo\tvazio\tMatriz',
    ])
    const kept = async () => {
      const { descricao, valor, centro_custo } = (await api.get(`/lancamentos/${id}`)).body.item
      return [descricao, valor, centro_custo]
    }
    assert.deepEqual(await kept(), ['Aluguel de julho', 100, 'Matriz'])
    // Each refusal is noted by the browser itself.
    assert.equal(errors.splice(0).length, 1)
    await fit(page, errors)
    await send(page, 'Gravar a minha versão')
    await dialog(page).waitFor({ state: 'detached' })
    assert.deepEqual(await kept(), ['Aluguel', 110, null])
    assert.ok(await isGridFocused(page))
  })

  test('who may only look sees an entry at its address, and nobody sees one of another company', async () => {
    const { api, page, errors, go } = await open({ papel: 'leitura', width: 360 })
    const { id } = await createLancamento(api, { descricao: SCRIPT, contraparte: FORMULA })
    await go(`?lancamento=${id}`)
    await page.getByRole('heading', { name: SCRIPT }).waitFor()
    await dialog(page).getByText(FORMULA).waitFor()
    assert.deepEqual(
      await dialog(page)
        .getByRole('button')
        .all()
        .then((all) => all.length),
      1,
    )
    await fit(page, errors)
    await page.keyboard.press('Escape')
    await row(page, SCRIPT).getByText('R$').waitFor()
    await fit(page, errors)
    for (const key of ['n', 'p', 'd', 'Delete']) await page.keyboard.press(key)
    await row(page, SCRIPT).getByRole('checkbox').click()
    await sums(page, '1 selecionado')
    const buttons = page.getByRole('main').getByRole('button')
    const names = await buttons.evaluateAll((all) =>
      all.map((each) => each.ariaLabel ?? each.textContent.trim()),
    )
    assert.deepEqual(names, ['Filtros', 'Limpar a seleção'])
    assert.equal(await dialog(page).count(), 0)
    assert.equal((await only(api)).id, id)
    assert.deepEqual(errors, [])

    const stranger = await service.caller()
    const theirs = await createLancamento(stranger, { descricao: 'Segredo alheio' })
    await go(`?lancamento=${theirs.id}`)
    await dialog(page).getByText('Este lançamento não existe nesta empresa').waitFor()
    assert.equal(await page.getByText('Segredo alheio').count(), 0)
  })

  test(`${MANY} entries are scrolled through with few rows at a time, each in its place`, async () => {
    const { api, page, errors, go } = await open()
    // As after an import: PostgreSQL still takes the table for a small one.
    await createLancamento(api, { data: '2026-01-01', descricao: 'A última' })
    await service.pool.query('analyze lancamentos')
    await insertEntries(service, api.empresa, MANY - 1, {
      data: `date '2199-01-01' - n`,
      descricao: "'Entrada ' || n",
    })
    const entry = (n: number) =>
      page.getByRole('row').filter({ has: page.getByText(`Entrada ${n}`, { exact: true }) })
    await go()
    await entry(1).waitFor()
    const grid = page.getByRole('grid')
    assert.equal(await grid.getAttribute('aria-rowcount'), String(MANY + 1))
    const rendered = async () => (await page.getByRole('row').count()) - 1
    const most = Math.ceil(800 / 56) + 20
    assert.ok((await rendered()) <= most)

    await grid.focus()
    await page.keyboard.press('End')
    const last = row(page, 'A última')
    await last.waitFor()
    assert.equal(await last.getAttribute('aria-rowindex'), String(MANY + 1))
    assert.equal(await last.getAttribute('id'), await grid.getAttribute('aria-activedescendant'))
    assert.ok((await rendered()) <= most)

    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/livro?')) asked.push(request.url())
    })
    // All the way up, in steps: whatever is in sight is in its place, or has its place kept.
    const misplaced = await page.evaluate(`(async () => {
      const box = document.querySelector('[role=grid]').parentElement
      const wrong = []
      for (let top = box.scrollHeight; top > 0; top -= box.scrollHeight / 60) {
        box.scrollTop = top
        await new Promise(requestAnimationFrame)
        const rows = [...document.querySelectorAll('tr[data-index]')]
        if (rows.length > ${most}) wrong.push(rows.length + ' rows')
        for (const row of rows) {
          const index = Number(row.dataset.index)
          const entry = /Entrada (\\d+)/.exec(row.innerText)
          if (row.offsetTop !== index * 56) wrong.push(index + ' at ' + row.offsetTop)
          if (entry && Number(entry[1]) !== index + 1) wrong.push(index + ': ' + entry[0])
        }
      }
      return wrong
    })()`)
    assert.deepEqual(misplaced, [])
    assert.ok(asked.length < 60, `${asked.length} pages for 60 steps`)
    await page.keyboard.press('Home')
    await entry(1).waitFor()
    assert.deepEqual(errors, [])
  })
})

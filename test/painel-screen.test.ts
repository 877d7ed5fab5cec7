// The painel in a browser: its figures are those of /resumo, and each leads to just the entries behind it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertEntries } from './support/bulk.ts'
import { dayAt, plusDays } from './support/model.ts'
import { signIn } from './support/pessoa.ts'
import { browse, NO_SCREEN } from './support/screen.ts'
import { startService } from './support/service.ts'

const service = await startService()
const today = dayAt(Date.now(), -3)
const pessoa = await signIn(service, { papel: 'leitura' })
const { empresa } = pessoa
await insertEntries(service, empresa, 600, {
  data: `date '${today}' - 420 + n * 7919 % 840`,
  vencimento: `date '${today}' - case when n % 3 = 0 then n * 31 % 140 else n * 7919 % 840 - 420 end`,
  tipo: "(array['receita', 'despesa', 'receita', 'despesa', 'transferencia'])[1 + n * 13 % 5]",
  status: "(array['em_aberto', 'pago', 'em_aberto', 'cancelado'])[1 + n * 17 % 4]",
  valor: 'n * 104729 % 1000000 + 100',
  juros: 'n % 7',
  centro_custo: "(array['Obra', 'Loja 1', '10', null])[1 + n / 7 % 4]",
})
const PERIOD = `data_de=${plusDays(today, -200)}&data_ate=${plusDays(today, 40)}`

/** R$ 1.234,56 → 1234.56 */
const amount = (text: string) => Number(text.replace(/[^\d,-]/g, '').replace(',', '.'))

/** What the list that an address leads to sums up. */
async function sumBehind(href: string): Promise<number> {
  const search = new URL(href, service.url).searchParams
  // The router marks a text that could be a number.
  const centro = search.get('centro_custo')
  if (centro?.startsWith('"')) search.set('centro_custo', JSON.parse(centro))
  const { receitas, despesas, saldo } = (await pessoa.get(`/livro?${search}`)).body.somas
  return { receita: receitas, despesa: despesas }[search.get('tipo') ?? ''] ?? saldo
}

for (const query of ['', `${PERIOD}&centro_custo=Obra`]) {
  test(`what is shown of ?${query}`, { skip: NO_SCREEN }, async () => {
    const { page, errors } = await browse(service, pessoa)
    await page.goto(`${service.url}/e/${empresa}?${query}`)
    await page.locator('.recharts-bar-rectangle').first().waitFor()

    const { resumo } = (await pessoa.get(`/painel?${query}`)).body
    const { atualizado_em, ...figures } = (await pessoa.get(`/resumo?${query}`)).body
    assert.deepEqual({ ...resumo, atualizado_em: '' }, { ...figures, atualizado_em: '' })
    const { total_lancamentos, truncado, ...groups } = figures
    const shown = await page.locator('main dd').allInnerTexts()
    assert.deepEqual(
      shown.map(amount),
      Object.values<Record<string, number>>(groups).flatMap((each) => Object.values(each)),
    )
    await page.getByRole('link', { name: `${total_lancamentos} lançamentos` }).waitFor()

    // By keyboard, into the table of each chart.
    const tables = page.getByText('Ver como tabela')
    for (const table of await tables.all()) {
      await table.focus()
      await page.keyboard.press('Enter')
    }
    assert.deepEqual(
      await page.getByRole('table').evaluateAll((found) => found.map((each) => each.rows.length)),
      [25, 5, 32, 4],
    )
    const links = (await page
      .locator('main a[href*="/lancamentos?"]')
      .evaluateAll((found) =>
        found.map((each) => [each.textContent, each.getAttribute('href')]),
      )) as [string, string][]
    const sums = links.filter(([text]) => text.includes('R$'))
    assert.ok(sums.length > 50, String(sums.length))
    const behind = await Promise.all(sums.map(([, href]) => sumBehind(href)))
    assert.deepEqual(
      sums.map(([text, href]) => [href, amount(text)]),
      sums.map(([, href], i) => [href, behind[i]]),
    )

    await page.locator('.recharts-bar-rectangle path').first().click()
    await page.waitForURL(/\/lancamentos\?/)
    const { pathname, search } = new URL(page.url())
    assert.ok(links.some(([, href]) => href === pathname + search))
    assert.deepEqual(errors, [])
  })
}

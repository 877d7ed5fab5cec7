// A charge from its issue to the payer's browser to the company's receiver, with nothing in between played.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_BROWSER, openPage } from './support/browser.ts'
import { createTestDatabase } from './support/database.ts'
import { lastro, serve } from './support/process.ts'
import { isGenuine, startReceiver } from './support/receiver.ts'

const database = await createTestDatabase()
const ENV = { DATABASE_URL: database.databaseUrl, WEBHOOK_DEV_TARGETS: '127.0.0.1/32' }

async function run(...args: string[]): Promise<Record<string, string>> {
  const { code, out, err } = await lastro([...args, '--json'], ENV)
  assert.equal(code, 0, err)
  return JSON.parse(out)
}

const service = await serve(ENV)
const { id: empresa = '' } = await run('empresas', 'create', '--nome', 'Padaria <b>Bom</b> Dia')
await run('provedor', 'connect', '--empresa', empresa, '--provedor', 'sandbox')
const scopes = 'cobrancas:write,webhooks:write'
const { key } = await run('chaves', 'create', '--empresa', empresa, '--scopes', scopes)

async function post(path: string, body: object) {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(response.status, 201)
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail where it is not.
  return ((await response.json()) as any).item
}

test('a charge is seen and paid on its page, and its payment arrives at the receiver', {
  skip: NO_BROWSER,
}, async () => {
  const receiver = await startReceiver()
  const { secret } = await post('/webhooks', { url: receiver.url, events: ['cobranca.paga'] })
  const cobranca = await post('/cobrancas', {
    valor: 1234.56,
    vencimento: '2099-01-31',
    descricao: 'Pão <script>alert(1)</script>',
  })
  const { page, errors } = await openPage()
  await page.goto(cobranca.invoice_url)
  await page.getByRole('heading', { name: 'PIX' }).waitFor()
  const text = await page.innerText('main')
  for (const shown of ['R$\u00a01.234,56', '31/01/2099', 'A pagar', '<b>Bom</b>', '<script>']) {
    assert.ok(text.includes(shown), `${shown} in ${text}`)
  }
  assert.ok(await page.locator('.qr svg').isVisible())
  await page.locator('[data-copy="pix"]').click()
  await page.getByText('Copiado').waitFor()
  const copied = await page.evaluate('navigator.clipboard.readText()')
  assert.equal(copied, cobranca.pix_copia_e_cola)

  await page.getByRole('button', { name: 'Pagar' }).click()
  await page.locator('.state.paga').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Pagar' }).count(), 0)
  const [received] = await receiver.until(1)
  assert.ok(isGenuine(received!, secret, Date.now()))
  assert.equal(received!.body.event, 'cobranca.paga')
  const { id, status, valor_pago } = received!.body.data.cobranca
  assert.deepEqual([id, status, valor_pago], [cobranca.id, 'paga', 1234.56])
  assert.deepEqual(errors, [])
})

test('a charge can be cancelled on its page, and neither again nor paid after', async () => {
  const { invoice_url } = await post('/cobrancas', { valor: 5, vencimento: '2099-01-31' })
  const act = (name: string) => fetch(`${invoice_url}/${name}`, { method: 'POST' })
  assert.match(await (await act('cancelar')).text(), /Cancelada/)
  const late = await act('pagar')
  assert.deepEqual(
    [late.status, late.headers.get('content-type')],
    [409, 'text/html; charset=utf-8'],
  )
  assert.equal((await act('outra-coisa')).status, 404)
  const page = await fetch(invoice_url)
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/)
  assert.doesNotMatch(await page.text(), /<button/)
})

test('an address that leads to no charge says so in words', async () => {
  const { invoice_url } = await post('/cobrancas', { valor: 5, vencimento: '2099-01-31' })
  const other = crypto.randomUUID()
  for (const path of [
    `/pagar/${empresa}/${other}`,
    `/pagar/${other}/${invoice_url.split('/').at(-1)}`,
    '/pagar/x/y',
  ]) {
    const answer = await fetch(service.url + path)
    assert.equal(answer.status, 404)
    assert.match(await answer.text(), /Cobrança não encontrada/)
  }
})

test('the shell pays, refunds and cancels as the page does', async () => {
  const { id } = await post('/cobrancas', { valor: 5, vencimento: '2099-01-31' })
  assert.equal((await run('cobrancas', 'pay', id)).status, 'paga')
  const { code, err } = await lastro(['cobrancas', 'cancel', id], ENV)
  assert.deepEqual([code, err], [1, 'A cobrança está paga e não pode passar a cancelada.\n'])
  assert.equal((await run('cobrancas', 'refund', id)).status, 'estornada')
  const unknown = await lastro(['cobrancas', 'pay', crypto.randomUUID()], ENV)
  assert.match(unknown.err, /^There is no charge/)
})

test.after(() => service.end())

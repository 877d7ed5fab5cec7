import { createHash } from 'node:crypto'
import { renderSVG } from 'uqr'
import type { Cobranca } from './schema.ts'

interface Shown {
  empresa: string
  cobranca: Cobranca
  /** Where the buttons of a provider that plays lead; nowhere for a real one. */
  acts: string | undefined
}

const STATES: Record<Cobranca['status'], string> = {
  emitindo: 'Em emissão',
  pendente: 'A pagar',
  vencida: 'Vencida',
  paga: 'Paga',
  cancelada: 'Cancelada',
  estornada: 'Estornada',
  falhou: 'Não emitida',
}

/** What a payer sees: how much, until when, and every way to pay it. */
export function chargePage({ empresa, cobranca, acts }: Shown): string {
  const { status, valor, vencimento, descricao, linha_digitavel, codigo_barras } = cobranca
  const payable = status === 'pendente' || status === 'vencida'
  const pix = payable && cobranca.pix_copia_e_cola
  return document(`Cobrança de ${escaped(empresa)}`, [
    `<header><p class="from">${escaped(empresa)}</p>`,
    `<h1>${reais(valor)}</h1>`,
    `<p>${stateLine(cobranca)}</p>`,
    `<p>Vencimento: <strong>${day(vencimento)}</strong></p>`,
    descricao ? `<p>${escaped(descricao)}</p>` : '',
    '</header>',
    pix
      ? `<section><h2>PIX</h2><div class="qr" role="img" aria-label="QR code do PIX">${qr(pix)}</div>
         ${copyable('pix', 'PIX copia e cola', pix)}</section>`
      : '',
    payable && linha_digitavel && codigo_barras
      ? `<section id="boleto"><h2>Boleto</h2>
         <div class="bars" role="img" aria-label="Código de barras do boleto">${bars(codigo_barras)}</div>
         ${copyable('linha', 'Linha digitável', typed(linha_digitavel))}</section>`
      : '',
    payable && acts && ['CREDIT_CARD', 'UNDEFINED'].includes(cobranca.forma)
      ? '<section><h2>Cartão</h2><p>Um provedor real pediria aqui os dados do cartão; no ambiente de testes, use o botão Pagar.</p></section>'
      : '',
    acts ? sandboxActs(acts, status) : '',
  ])
}

/** What is told instead of a page that cannot be shown. */
export function messagePage(title: string, text: string): string {
  return document(title, [`<header><h1>${escaped(title)}</h1><p>${escaped(text)}</p></header>`])
}

function stateLine({ status, pago_em, valor_pago }: Cobranca): string {
  const state = `<strong class="state ${status}">${STATES[status]}</strong>`
  if (status !== 'paga' || !pago_em) return state
  return `${state} em ${day(pago_em)}${valor_pago === null ? '' : `: ${reais(valor_pago)}`}`
}

function sandboxActs(acts: string, status: Cobranca['status']): string {
  const button = (act: string, label: string, kind = '') =>
    `<form method="post" action="${acts}/${act}"><button class="${kind}">${label}</button></form>`
  const buttons =
    status === 'pendente' || status === 'vencida'
      ? button('pagar', 'Pagar', 'main') + button('cancelar', 'Cancelar')
      : status === 'paga'
        ? button('estornar', 'Estornar')
        : ''
  return `<section class="sandbox"><h2>Ambiente de testes</h2>
    <p>Nenhum dinheiro se move e nenhum banco conhece esta cobrança.</p>
    <div class="acts">${buttons}</div></section>`
}

function copyable(id: string, label: string, text: string): string {
  return `<label for="${id}">${label}</label>
    <textarea id="${id}" readonly rows="3">${escaped(text)}</textarea>
    <button type="button" class="main" data-copy="${id}">Copiar</button>`
}

function document(title: string, parts: string[]): string {
  return `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>${STYLE}</style></head><body><main>${parts.join('\n')}</main>
<script>${SCRIPT}</script></body></html>`
}

const SCRIPT = `
for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try { await navigator.clipboard.writeText(field.value) } catch { document.execCommand('copy') }
    button.textContent = 'Copiado';
    setTimeout(() => { button.textContent = 'Copiar' }, 2000);
  });
}`

const STYLE = `
:root { color-scheme: light dark; --ink: #17212b; --soft: #5b6773; --paper: #fff; --back: #eef1f4;
  --line: #d5dbe1; --main: #0b6b4f; --bad: #a4262c }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --soft: #a3afbb; --paper: #1b232b;
  --back: #11171d; --line: #36424e; --main: #37b98d; --bad: #ff8f8f } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 30rem; margin: 0 auto; padding: 1rem }
header, section { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem;
  padding: 1.25rem; margin-bottom: 1rem; overflow-wrap: anywhere }
h1 { font-size: 2rem; margin: 0; font-variant-numeric: tabular-nums }
h2 { font-size: 1.1rem; margin: 0 0 .75rem } p { margin: .35rem 0 } .from { color: var(--soft) }
.state.paga { color: var(--main) } .state.vencida, .state.falhou { color: var(--bad) }
.qr, .bars { background: #fff; padding: .75rem; border-radius: .5rem; margin-bottom: .75rem }
.qr svg { display: block; width: 100%; max-width: 15rem; height: auto; margin: 0 auto }
.bars svg { display: block; width: 100%; height: 4rem }
label { display: block; color: var(--soft); font-size: .9rem }
textarea { width: 100%; padding: .6rem; border: 1px solid var(--line); border-radius: .5rem; resize: none;
  background: var(--back); color: var(--ink); font: .85rem/1.4 ui-monospace, monospace }
button { width: 100%; min-height: 3rem; margin-top: .5rem; border-radius: .5rem; font: inherit;
  border: 1px solid var(--line); background: transparent; color: var(--ink); cursor: pointer }
button.main { background: var(--main); border-color: var(--main); color: var(--paper); font-weight: 600 }
button:focus-visible, textarea:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
.sandbox { border-style: dashed }`

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing is loaded from anywhere, and only this script runs. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${hash(STYLE)}`,
  `script-src ${hash(SCRIPT)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

function qr(text: string): string {
  return renderSVG(text, { border: 2, ecc: 'M' })
}

/** Interleaved 2 of 5: each pair of digits is five bars and the five spaces between; wide ones are three. */
const WIDE = [
  '00110',
  '10001',
  '01001',
  '11000',
  '00101',
  '10100',
  '01100',
  '00011',
  '10010',
  '01010',
]

function bars(digits: string): string {
  let widths = '1111'
  for (let i = 0; i < digits.length; i += 2) {
    const [bar, space] = [WIDE[Number(digits[i])]!, WIDE[Number(digits[i + 1])]!]
    for (let k = 0; k < 5; k++)
      widths += (bar[k] === '1' ? '3' : '1') + (space[k] === '1' ? '3' : '1')
  }
  widths += '311'
  let x = 0
  let path = ''
  for (const [i, width] of [...widths].entries()) {
    if (i % 2 === 0) path += `M${x} 0h${width}v1h-${width}z`
    x += Number(width)
  }
  return `<svg viewBox="0 0 ${x} 1" preserveAspectRatio="none" shape-rendering="crispEdges"><path d="${path}"/></svg>`
}

/** In the groups that banks print it in. */
function typed(line: string): string {
  return line.replace(
    /^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/,
    '$1.$2 $3.$4 $5.$6 $7 $8',
  )
}

const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const reais = (value: number) => money.format(value)
const day = (date: string) => date.split('-').reverse().join('/')

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => ESCAPES[char]!)

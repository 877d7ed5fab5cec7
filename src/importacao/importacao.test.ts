import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { addSubcategoria, createArea } from '../../test/support/categoria.ts'
import { subscribe } from '../../test/support/delivery.ts'
import { eventsOf } from '../../test/support/events.ts'
import { bring, confirm } from '../../test/support/importacao.ts'
import { createLancamento } from '../../test/support/lancamento.ts'
import { OWN_PAGE, type Pessoa, signIn } from '../../test/support/pessoa.ts'
import { lastro } from '../../test/support/process.ts'
import { faultyFields } from '../../test/support/refusal.ts'
import { type Caller, startService } from '../../test/support/service.ts'
import type { Lancamento } from '../lancamentos/schema.ts'
import { verifyTotais } from '../lancamentos/totais.ts'

const service = await startService()

/** A company of the test's own, with somebody who does its finance. */
async function company(): Promise<{ api: Caller; pessoa: Pessoa }> {
  const api = await service.caller()
  const pessoa = await signIn(service, { empresa: api.empresa, papel: 'financeiro', nome: 'Bia' })
  return { api, pessoa }
}

/** Oldest first. */
async function entriesOf(api: Caller): Promise<Lancamento[]> {
  return (await api.get('/lancamentos?limit=1000')).body.items.reverse()
}

async function staged(pessoa: Pessoa, file: string | Buffer) {
  const { status, body } = await bring(pessoa, file)
  assert.equal(status, 201, JSON.stringify(body))
  return body.item
}

/** Brings a file and imports it; how many lines were new, and how many were not. */
async function imported(pessoa: Pessoa, file: string | Buffer): Promise<[number, number]> {
  const { last } = await confirm(service, pessoa, (await staged(pessoa, file)).id)
  assert.ok(last.item, JSON.stringify(last))
  return [last.item.importadas, last.item.repetidas]
}

const HEADER = 'Data;Histórico;Valor'
const csv = (...lines: string[]) => [HEADER, ...lines].join('\r\n')

const ofx = (transactions: string, account = '<BANKID>001<ACCTID>9-9') =>
  `OFXHEADER:100\r\nDATA:OFXSGML\r\nCHARSET:1252\r\n\r\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>
<BANKACCTFROM>${account}</BANKACCTFROM>
<BANKTRANLIST>${transactions}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`
const stmt = (fitid: string, day: string, amount: string, memo: string) =>
  `<STMTTRN>\n<TRNTYPE>OTHER\n<DTPOSTED>${day}120000[-3:BRT]\n<TRNAMT>${amount}\n<FITID>${fitid}\n<MEMO>${memo}\n</STMTTRN>\n`

describe('a file', () => {
  test('with one bad line writes nothing; corrected it writes all; repeated it writes none', async () => {
    const { api, pessoa } = await company()
    const webhook = await subscribe(api, 'https://receiver.example/hook')
    const announced: string[] = []
    service.db.committed.on('deliveries', (empresa) => announced.push(empresa))
    const lines = ['22/06/2026;Mensalidade;1.234,56', '22/06/2026;Aluguel;-3.500,00']
    const bad = await staged(pessoa, csv(lines[0]!, '31/02/2026;Luz;-10,0x', lines[1]!))
    assert.deepEqual(bad.conferencia.faltas, [
      {
        ...{ linha: 3, campo: 'valor' },
        mensagem: '“-10,0x” não é um valor como 1.234,56, com no máximo duas casas decimais',
      },
      { linha: 3, campo: 'data', mensagem: '“31/02/2026” não é uma data como 22/06/2026' },
    ])
    assert.deepEqual([bad.conferencia.novas, bad.conferencia.com_falta], [2, 1])
    const refused = await confirm(service, pessoa, bad.id)
    assert.deepEqual([refused.status, refused.last.code], [409, 'importacao-com-faltas'])
    assert.deepEqual(await entriesOf(api), [])
    assert.equal((await eventsOf(service, api.empresa)).length, 0)

    const good = await staged(pessoa, csv(...lines))
    assert.deepEqual(good.conferencia.somas, { receitas: 1234.56, despesas: 3500, saldo: -2265.44 })
    assert.deepEqual(await entriesOf(api), [])
    const { headers, lines: told, last } = await confirm(service, pessoa, good.id)
    assert.equal(headers.get('content-type'), 'application/x-ndjson')
    assert.deepEqual(told.slice(0, -1), [
      { feitas: 0, total: 2 },
      { feitas: 2, total: 2 },
    ])
    assert.deepEqual(
      [last.item.estado, last.item.importadas, last.item.por],
      ['importada', 2, 'Bia'],
    )
    const entries = await entriesOf(api)
    assert.deepEqual(
      entries.map(({ data, descricao, tipo, valor, status, data_pagamento }) => [
        ...[data, descricao, tipo, valor, status, data_pagamento],
      ]),
      [
        ['2026-06-22', 'Mensalidade', 'receita', 1234.56, 'pago', '2026-06-22'],
        ['2026-06-22', 'Aluguel', 'despesa', 3500, 'pago', '2026-06-22'],
      ],
    )

    const events = await eventsOf(service, api.empresa)
    assert.deepEqual(
      events.map(({ kind, seq, data }) => [kind, seq, data.lancamento]),
      entries.map((entry, i) => ['lancamento.created', BigInt(i + 1), entry]),
    )
    const deliveries = await api.get(`/webhooks/${webhook.id}/deliveries`)
    assert.equal(deliveries.body.total, 2)
    assert.deepEqual(announced, [api.empresa])
    assert.equal(await verifyTotais(service.db, api.empresa, false), 0)

    const again = await staged(pessoa, csv(...lines))
    assert.deepEqual([again.conferencia.novas, again.conferencia.repetidas], [0, 2])
    assert.deepEqual(
      again.conferencia.previa.map((each: { repetida: boolean }) => each.repetida),
      [true, true],
    )
    assert.ok(again.ja_importada_em)
    assert.deepEqual((await confirm(service, pessoa, again.id)).last.item.importadas, 0)
    assert.deepEqual(await entriesOf(api), entries)
    assert.equal((await eventsOf(service, api.empresa)).length, 2)
  })

  test('read in another way is the same file, until its entries are gone', async () => {
    const { api, pessoa } = await company()
    const file = csv('05/06/2026;Pix;10,00')
    assert.deepEqual(await imported(pessoa, file), [1, 0])
    const { id, mapeamento } = await staged(pessoa, file)
    const swapped = { mapeamento: { ...mapeamento, ordem_data: 'mes-dia' } }
    const { conferencia } = (await pessoa.patch(`/importacoes/${id}`, swapped)).body.item
    assert.deepEqual([conferencia.novas, conferencia.previa[0].data], [0, '2026-05-06'])
    const [wrong] = await entriesOf(api)
    await api.delete(`/lancamentos/${wrong!.id}`)
    assert.equal((await confirm(service, pessoa, id)).last.item.importadas, 1)
    assert.equal((await entriesOf(api))[0]!.data, '2026-05-06')
  })

  test('that overlaps with another brings what is new; equal lines of one file are two', async () => {
    const { api, pessoa } = await company()
    const coffee = '02/06/2026;Café;-5,00'
    assert.deepEqual(await imported(pessoa, csv('01/06/2026;Pix;1,00', coffee, coffee)), [3, 0])
    const next = csv(coffee, coffee, coffee, '03/06/2026;Pix;2,00')
    assert.deepEqual(await imported(pessoa, next), [2, 2])
    const [first] = await entriesOf(api)
    await api.delete(`/lancamentos/${first!.id}`)
    // Whoever deletes an entry does not want it back with the next statement.
    assert.deepEqual(await imported(pessoa, csv('01/06/2026;Pix;1,00', '04/06/2026;X;1')), [1, 1])
    assert.equal((await entriesOf(api)).length, 5)
  })

  test('that was exported here comes back as it was elsewhere, and not at all here', async () => {
    const { api, pessoa } = await company()
    const { id: area } = await createArea(api, 'Custos')
    const full = {
      ...{ data: '2026-06-22', vencimento: '2026-06-30', descricao: '=HYPERLINK("x")' },
      ...{ tipo: 'despesa', valor: 3500, status: 'pago', data_pagamento: '2026-06-29' },
      ...{ juros: 1.5, desconto: 0.5, contraparte: 'Imobiliária; Sul', centro_custo: 'Matriz' },
      ...{ observacoes: 'Duas\r\n"linhas"' },
      categoria_id: await addSubcategoria(service, api.empresa, area, 'Aluguel'),
    }
    await createLancamento(api, full)
    await createLancamento(api, { tipo: 'transferencia', categoria_id: area })
    await createLancamento(api, { status: 'cancelado' })
    const headers = { ...OWN_PAGE, cookie: pessoa.cookie }
    const url = `${service.url}/app/api/e/${api.empresa}/livro.csv`
    const file = Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
    assert.deepEqual(await imported(pessoa, file), [0, 3])

    const other = await company()
    const { id: there } = await createArea(other.api, 'CUSTOS')
    const sub = await addSubcategoria(service, other.api.empresa, there, 'Aluguel')
    assert.deepEqual(await imported(other.pessoa, file), [3, 0])
    const bare = (entries: Lancamento[]) =>
      entries.map(({ id, criado_em, atualizado_em, categoria_id, ...rest }) => rest)
    const copies = await entriesOf(other.api)
    const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
    assert.deepEqual(bare(copies).sort(byText), bare(await entriesOf(api)).sort(byText))
    assert.equal(copies.find(({ status }) => status === 'pago')?.categoria_id, sub)
    assert.equal(copies.find(({ tipo }) => tipo === 'transferencia')?.categoria_id, there)
  })

  test('names every fault by its line, and leaves out what is zero', async () => {
    const { api, pessoa } = await company()
    for (const nome of ['A', 'B']) {
      const { id } = await createArea(api, nome)
      await addSubcategoria(service, api.empresa, id, 'Igual')
    }
    const file = [
      'Data;Descrição;Crédito;Débito;Tipo;Situação;Pagamento;Categoria',
      '01/06/2026;;1,00;;;;;',
      '01/06/2026;x;1,00;2,00;;;;',
      '01/06/2026;x;;;;;;',
      '01/06/2026;x;-1,00;;;;;',
      '01/06/2026;x;;2,00;receita;;;',
      '01/06/2026;x;1,00;;Recebível?;Talvez;;',
      '01/06/2026;x;1,00;;;Em aberto;02/06/2026;',
      '01/06/2026;x;1,00;;;;;Nenhuma',
      '01/06/2026;x;1,00;;;;;Igual',
      '01/06/2026;x;1,00;;;;;;sobra',
      `01/06/2026;${'x'.repeat(501)};1,00;;;;;`,
      '01/06/2026;x;99.999.999.999,00;;;;;',
      '01/06/2026;"zero\n";0,00;;;;;',
      '01/06/2026;certa;1,00;;entrada;pendente;;A > Igual',
      `01/06/2026;x;1,00;;;;;A${' '.repeat(1_000_000)}Igual`,
    ].join('\n')
    const { conferencia, linhas } = await staged(pessoa, file)
    const faults = (conferencia.faltas as { linha: number; campo: string }[]).map(
      ({ linha, campo }) => `${linha} ${campo}`,
    )
    assert.deepEqual(faults, [
      ...['2 descricao', '3 valor', '4 valor', '5 credito', '6 valor', '7 tipo', '7 status'],
      ...[
        '8 data_pagamento',
        '9 categoria',
        '10 categoria',
        '11 linha',
        '12 descricao',
        '13 valor',
        '17 categoria',
      ],
    ])
    assert.deepEqual([linhas, conferencia.com_falta, conferencia.novas], [15, 13, 1])
    assert.deepEqual(conferencia.avisos, [
      { linha: 14, mensagem: 'o valor é zero; a linha é pulada' },
    ])
    assert.equal(conferencia.previa[0].linha, 16)
  })

  test('tells at most 200 faults, and how many more there are', async () => {
    const { pessoa } = await company()
    const { conferencia } = await staged(pessoa, csv(...Array(205).fill('ontem;x;1,00')))
    assert.deepEqual([conferencia.faltas.length, conferencia.outras_faltas], [200, 5])
  })

  test('whose columns nobody knows is mapped by hand, once', async () => {
    const { pessoa } = await company()
    const file = 'Quando;O quê;Quanto\n22/06/2026;Pix;10,00'
    const unknown = await staged(pessoa, file)
    assert.deepEqual(unknown.colunas, ['Quando', 'O quê', 'Quanto'])
    assert.deepEqual(unknown.amostra, [['22/06/2026', 'Pix', '10,00']])
    assert.deepEqual(unknown.faltam, ['data', 'descricao', 'valor'])
    assert.equal(unknown.conferencia, null)
    assert.equal((await confirm(service, pessoa, unknown.id)).status, 409)

    const mapeamento = {
      colunas: { data: 0, descricao: 1, valor: 2 },
      ordem_data: 'dia-mes',
      status: 'em_aberto',
    }
    const path = `/importacoes/${unknown.id}`
    const beyond = { ...mapeamento, colunas: { ...mapeamento.colunas, valor: 3 } }
    const refused = await pessoa.patch(path, { mapeamento: beyond })
    assert.deepEqual(
      [refused.status, refused.body.errors[0].field],
      [400, 'mapeamento.colunas.valor'],
    )
    const { item } = (await pessoa.patch(path, { mapeamento })).body
    assert.deepEqual([item.conferencia.novas, item.conferencia.previa[0].status], [1, 'em_aberto'])
    assert.equal((await pessoa.delete(path)).status, 200)
    assert.equal((await pessoa.get(path)).status, 404)
    const next = await staged(pessoa, file.replace('Pix', 'TED'))
    assert.deepEqual(next.mapeamento, mapeamento)
    assert.equal(next.conferencia.novas, 1)
    const elsewhere = (await company()).pessoa
    assert.equal((await staged(elsewhere, file)).conferencia, null)
  })

  test('that cannot be one is refused in words', async () => {
    const { pessoa } = await company()
    const line = '01/06/2026;x;1,00'
    for (const [file, words] of [
      [Buffer.from(csv(line), 'utf16le'), /UTF-16/],
      [csv(...Array(10_001).fill(line)), /mais de 10\.000 linhas/],
      [Buffer.alloc(6_000_001, 'x'), /6 MB/],
      [`${'a;'.repeat(200)}b\n${'1;'.repeat(200)}2`, /mais de 200 colunas/],
      [HEADER, /nenhuma linha/],
      ['Olá,\ntudo bem', /colunas/],
      [ofx(''), /nenhuma linha/],
    ] as const) {
      const { status, body } = await bring(pessoa, file)
      assert.deepEqual([status, body.code], [400, 'arquivo-recusado'], JSON.stringify(body))
      assert.match(body.detail, words)
    }
    const large = await bring(pessoa, Buffer.alloc(6 * 1024 * 1024))
    assert.deepEqual([large.status, large.body.code], [413, 'payload-too-large'])
    assert.match(large.body.detail, /8 MiB/)
    const conteudo = 'não é base64'
    assert.equal((await pessoa.post('/importacoes', { nome: 'x', conteudo })).status, 400)
  })
})

describe('a statement in OFX', () => {
  test('of either kind, of several accounts, is taken line by line and never twice', async () => {
    const { api, pessoa } = await company()
    const first =
      stmt('1', '20260601', '-10.50', 'P&amp;B S/A') + stmt('2', '20260602', '0.00', 'SALDO')
    const latin = Buffer.from(ofx(first + stmt('3', '20260603', '99,9', 'Crédito')), 'latin1')
    const { conferencia, mapeamento } = await staged(pessoa, latin)
    assert.equal(mapeamento, null)
    assert.deepEqual([conferencia.novas, conferencia.avisos[0].linha], [2, 14])
    assert.deepEqual(await imported(pessoa, latin), [2, 0])
    assert.deepEqual(
      (await entriesOf(api)).map(({ data, descricao, tipo, valor, data_pagamento }) => [
        ...[data, descricao, tipo, valor, data_pagamento],
      ]),
      [
        ['2026-06-01', 'P&B S/A', 'despesa', 10.5, '2026-06-01'],
        ['2026-06-03', 'Crédito', 'receita', 99.9, '2026-06-03'],
      ],
    )

    const transaction = (fitid: string, amount: string) =>
      `<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260601</DTPOSTED><TRNAMT>${amount}</TRNAMT><FITID>${fitid}</FITID><NAME><![CDATA[A & B]]></NAME><MEMO>Pix &#233;</MEMO></STMTTRN>`
    const list = (account: string, transactions: string) =>
      `<STMTRS><BANKACCTFROM><BANKID>001</BANKID><ACCTID>${account}</ACCTID></BANKACCTFROM><BANKTRANLIST>${transactions}</BANKTRANLIST></STMTRS>`
    const xml = `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200"?><OFX>${list(
      '9-9',
      // The second is a repetition; the third has got an id that the bank has used before.
      transaction('1', '-10.50') +
        transaction('7', '-1') +
        transaction('7', '-1') +
        transaction('7', '-2'),
    )}${list('8-8', transaction('1', '-10.50'))}</OFX>`
    assert.deepEqual(await imported(pessoa, xml), [3, 2])
    assert.equal((await entriesOf(api))[0]!.descricao, 'P&B S/A')
    assert.ok((await entriesOf(api)).some(({ descricao }) => descricao === 'A & B Pix é'))
  })

  test('has no columns to choose', async () => {
    const { pessoa } = await company()
    const { id } = await staged(pessoa, ofx('<STMTTRN><TRNAMT>1<DTPOSTED>20260601<MEMO>x'))
    for (const colunas of [{}, { data: 0 }]) {
      const mapeamento = { colunas, ordem_data: 'dia-mes', status: 'pago' }
      const answer = await pessoa.patch(`/importacoes/${id}`, { mapeamento })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultyFields(answer), ['mapeamento'])
    }
  })

  test('has its faults named by line too', async () => {
    const { pessoa } = await company()
    const { conferencia } = await staged(pessoa, ofx(stmt('1', '20260631', 'x', 'Pix')))
    assert.deepEqual(
      (conferencia.faltas as { linha: number; campo: string }[]).map((f) => [f.linha, f.campo]),
      [
        [7, 'data'],
        [7, 'valor'],
      ],
    )
  })
})

describe('an import', () => {
  test('of 10,000 lines is told of as it goes on, and is whole', async () => {
    const { api, pessoa } = await company()
    const lines = Array.from({ length: 10_000 }, (_, i) => {
      const day = String(1 + (i % 28)).padStart(2, '0')
      return `${day}/${String(1 + (i % 12)).padStart(2, '0')}/2026;Venda ${i};${i + 1},00`
    })
    const { id } = await staged(pessoa, csv(...lines))
    const { lines: told, last } = await confirm(service, pessoa, id)
    assert.equal(last.item.importadas, 10_000)
    assert.deepEqual(told.at(-2), { feitas: 10_000, total: 10_000 })
    assert.ok(told.length > 10)
    assert.equal((await api.get('/lancamentos?limit=1')).body.total, 10_000)
    assert.equal(await verifyTotais(service.db, api.empresa, false), 0)
    const [counted] = await service.db
      .reader(api.empresa)
      .query<{ n: bigint; last: bigint }>(
        `select count(distinct seq) as n, max(seq) as last from events where tenant_id = $1`,
        [api.empresa],
      )
    assert.deepEqual(counted, { n: 10_000n, last: 10_000n })
  })

  test('confirmed twice at once, or brought twice, is written once', async () => {
    const { api, pessoa } = await company()
    const file = csv(...Array.from({ length: 600 }, (_, i) => `01/06/2026;Venda ${i};1,00`))
    const ids = [(await staged(pessoa, file)).id, (await staged(pessoa, file)).id]
    const ends = await Promise.all(
      [ids[0], ids[0], ids[1]].map((id) => confirm(service, pessoa, id)),
    )
    const counts = ends.map(({ last }) => last.item.importadas)
    assert.deepEqual([...new Set(counts)].sort(), [0, 600])
    assert.equal(counts[0], counts[1])
    assert.equal((await api.get('/lancamentos?limit=1')).body.total, 600)
  })

  test('whose listener goes away is written as a whole all the same', async () => {
    const { api, pessoa } = await company()
    const file = csv(...Array.from({ length: 2_000 }, (_, i) => `01/06/2026;Venda ${i};1,00`))
    const { id } = await staged(pessoa, file)
    const url = `${service.url}/app/api/e/${pessoa.empresa}/importacoes/${id}/confirmar`
    const headers = { cookie: pessoa.cookie, 'x-lastro-console': '1' }
    const response = await fetch(url, { method: 'POST', headers })
    await response.body!.cancel()
    // Whoever writes next waits for it.
    await api.post('/categorias', { nome: 'Depois' })
    const { body } = await pessoa.get(`/importacoes/${id}`)
    const { total } = (await api.get('/lancamentos?limit=1')).body
    assert.deepEqual([total, body.item.importadas], [2_000, 2_000])
  })

  test('whose category goes away meanwhile is refused, and nothing is written', async () => {
    const { api, pessoa } = await company()
    const area = await createArea(api, 'Passageira')
    const file = 'Data;Descrição;Valor;Categoria\n01/06/2026;x;1,00;Passageira'
    const { id } = await staged(pessoa, file)
    // Another writer has the company's lock until the category is gone.
    const release = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const removal = service.db.write(api.empresa, async (tx) => {
      await tx.query('delete from categorias where tenant_id = $1 and id = $2', [
        api.empresa,
        area.id,
      ])
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const ending = confirm(service, pessoa, id)
    await new Promise((resolve) => setTimeout(resolve, 300))
    release.resolve()
    await removal
    const { last } = await ending
    assert.equal(last.code, 'importacao-com-faltas')
    assert.deepEqual(await entriesOf(api), [])
    assert.equal((await pessoa.get(`/importacoes/${id}`)).body.item.estado, 'preparada')
  })

  test('that is done stays as it is, without its text', async () => {
    const { pessoa } = await company()
    const { id, mapeamento } = await staged(pessoa, csv('01/06/2026;x;1,00'))
    await confirm(service, pessoa, id)
    const again = await confirm(service, pessoa, id)
    assert.deepEqual([again.lines.length, again.last.item.importadas], [1, 1])
    for (const answer of [
      await pessoa.patch(`/importacoes/${id}`, { mapeamento }),
      await pessoa.delete(`/importacoes/${id}`),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [409, 'importacao-feita'])
    }
    const [row] = await service.db
      .reader(pessoa.empresa)
      .query('select conteudo from importacoes where tenant_id = $1', [pessoa.empresa])
    assert.deepEqual(row, { conteudo: null })
  })

  test('waits with at most 19 others, and not for longer than a day', async () => {
    const { pessoa } = await company()
    const file = csv('01/06/2026;x;1,00')
    for (let i = 0; i < 20; i++) await staged(pessoa, file)
    const refused = await bring(pessoa, file)
    assert.deepEqual([refused.status, refused.body.code], [409, 'importacoes-demais'])
    await service.db.write(pessoa.empresa, (tx) =>
      tx.query(
        "update importacoes set criado_em = criado_em - interval '25 hours' where tenant_id = $1",
        [pessoa.empresa],
      ),
    )
    const { id } = await staged(pessoa, file)
    const { items } = (await pessoa.get('/importacoes')).body
    assert.deepEqual(
      items.map((item: { id: string }) => item.id),
      [id],
    )
  })

  test('is for those who write the books, of their company alone', async () => {
    const { api, pessoa } = await company()
    const { id } = await staged(pessoa, csv('01/06/2026;x;1,00'))
    const leitura = await signIn(service, { empresa: api.empresa, papel: 'leitura' })
    assert.equal((await leitura.get(`/importacoes/${id}`)).status, 200)
    assert.equal((await leitura.get(`/importacoes/${id}?formato=ofx`)).status, 400)
    assert.equal((await bring(leitura, csv('01/06/2026;x;1,00'))).status, 403)
    assert.equal((await confirm(service, leitura, id)).status, 403)
    const { pessoa: stranger } = await company()
    assert.equal((await stranger.get(`/importacoes/${id}`)).status, 404)
    assert.equal((await stranger.delete(`/importacoes/${id}`)).status, 404)
    assert.equal((await confirm(service, stranger, id)).status, 404)
    assert.deepEqual(await entriesOf(api), [])
  })
})

describe('lancamentos import', () => {
  const folder = mkdtempSync('/tmp/lastro-import-')
  after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'extrato.csv')

  test('writes all of a file or nothing, and says which lines are at fault', async () => {
    const { api } = await company()
    const run = (content: string, ...args: string[]) => {
      writeFileSync(file, content)
      return lastro(['lancamentos', 'import', file, '--empresa', api.empresa, ...args], {
        DATABASE_URL: service.databaseUrl,
      })
    }
    const bad = await run(csv('01/06/2026;x;1,00', '01/06/2026;x;um \x1b[2Jreal'))
    assert.deepEqual([bad.code, bad.out], [1, ''])
    // What would have the terminal do something is not for it.
    assert.match(bad.err, /^linha 3: valor: “um \ufffd\[2Jreal” .*\nNada foi importado\.\n$/)
    const good = await run(csv('01/06/2026;x;1,00', '02/06/2026;y;1,00'), '--status', 'em_aberto')
    assert.deepEqual(
      [good.code, good.out, good.err],
      [0, '2 lançamentos importados, 0 já estavam lá.\n', ''],
    )
    const [entry] = await entriesOf(api)
    assert.equal(entry!.status, 'em_aberto')
    const again = await run(csv('01/06/2026;x;1,00', '03/06/2026;z;1,00'), '--json')
    assert.deepEqual(JSON.parse(again.out), { importadas: 1, repetidas: 1 })
    assert.equal((await entriesOf(api)).length, 3)
  })
})

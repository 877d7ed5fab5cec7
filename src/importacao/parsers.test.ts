import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimalMarkOf, parseAmount } from './amount.ts'
import { parseCsv } from './csv.ts'
import { dayOrderOf, parseDay } from './day.ts'
import { decode } from './decode.ts'
import { guess, sheetOf } from './header.ts'
import { isOfx, ofxAmount, ofxDay, parseOfx } from './ofx.ts'
import { receive } from './staged.ts'

describe('amounts', () => {
  const centavos: Record<string, bigint | undefined> = {
    '1.234,56': 123456n,
    '1234.56': 123456n,
    '1,234.56': 123456n,
    'R$ 1.234,56': 123456n,
    'R$\u00a01.234,56': 123456n,
    '1.234.567,8': 123456780n,
    '10': 1000n,
    '1.234': 123400n,
    '0,00': 0n,
    '-10,00': -1000n,
    '\u221210,00': -1000n,
    '-R$ 10,00': -1000n,
    'R$ -10,00': -1000n,
    '10,00-': -1000n,
    '(10,00)': -1000n,
    '10,00 D': -1000n,
    '10,00C': 1000n,
    '+10,00': 1000n,
    '-10,00 C': undefined,
    '10,123': undefined,
    '1,234': undefined,
    '10,': undefined,
    '1.23.4': undefined,
    '12.34,56': undefined,
    '1234.567,00': undefined,
    '1e3': undefined,
    'dez reais': undefined,
    '': undefined,
    [`1${'0'.repeat(50)}`]: undefined,
  }
  for (const [text, expected] of Object.entries(centavos)) {
    test(`“${text}” is ${expected ?? 'no amount'}`, () => {
      assert.equal(parseAmount(text), expected)
    })
  }

  test('that could be read in two ways are read as the others of the file are', () => {
    assert.equal(decimalMarkOf(['1.234', '10,50']), ',')
    assert.equal(decimalMarkOf(['1.234', '10.5']), '.')
    assert.equal(decimalMarkOf(['1,234', '1,234,567']), '.')
    assert.equal(decimalMarkOf(['1.234', '10']), ',')
    assert.equal(decimalMarkOf(['10.50', '10,50']), null)
    assert.equal(parseAmount('1.234', '.'), undefined)
    assert.equal(parseAmount('1,234', '.'), 123400n)
    assert.equal(parseAmount('1.234', null), undefined)
    assert.equal(parseAmount('1.234,00', null), 123400n)
  })
})

describe('days', () => {
  const days: Record<string, string | undefined> = {
    '22/06/2026': '2026-06-22',
    '2/6/2026': '2026-06-02',
    '22/06/26': '2026-06-22',
    '22/06/99': '1999-06-22',
    '22-06-2026': '2026-06-22',
    '22.06.2026': '2026-06-22',
    '2026-06-22': '2026-06-22',
    '20260622': '2026-06-22',
    '2026-06-22T23:59:59-03:00': '2026-06-22',
    '22/06/2026 14:03': '2026-06-22',
    '29/02/2024': '2024-02-29',
    '29/02/2026': undefined,
    '06/22/2026': undefined,
    '22/06-2026': undefined,
    '22/06/2026x': undefined,
    '01/01/1800': undefined,
    ontem: undefined,
  }
  for (const [text, expected] of Object.entries(days)) {
    test(`“${text}” is ${expected ?? 'no day'}`, () => assert.equal(parseDay(text), expected))
  }

  test('have the month first where nothing else can be meant', () => {
    assert.equal(dayOrderOf(['05/06/2026', '22/06/2026']), 'dia-mes')
    assert.equal(dayOrderOf(['05/06/2026', '06/22/2026']), 'mes-dia')
    assert.equal(dayOrderOf(['05/06/2026', '']), 'dia-mes')
    assert.equal(dayOrderOf(['13/06/2026', '06/13/2026']), 'dia-mes')
    assert.equal(parseDay('06/05/2026', 'mes-dia'), '2026-06-05')
  })
})

describe('CSV', () => {
  const cells = async (text: string) => (await parseCsv(text)).map((record) => record.cells)

  for (const [what, separator] of [
    ['semicolons', ';'],
    ['commas', ','],
    ['tabs', '\t'],
  ] as const) {
    test(`is told by its content to have ${what}`, async () => {
      const quoted = '"1;5,0\t0"'
      const text = [
        ['a', 'b', 'c'],
        ['1', quoted, '3'],
      ]
        .map((row) => row.join(separator))
        .join('\n')
      assert.deepEqual(await cells(text), [
        ['a', 'b', 'c'],
        ['1', '1;5,0\t0', '3'],
      ])
    })
  }

  test('keeps decimal commas within cells, with a header and without', async () => {
    const bare = await cells('01/02/2026;10,00\n02/02/2026;20,00')
    assert.deepEqual(bare[1], ['02/02/2026', '20,00'])
    const headed = await cells('a;b;c\n1;2,0;3,0\n4;5,0;6,0')
    assert.deepEqual(headed[1], ['1', '2,0', '3,0'])
    assert.deepEqual(await cells('sep=,\na;x,b;y'), [['a;x', 'b;y']])
  })

  test('numbers its lines as an editor does', async () => {
    const text = 'a;b\r\n"um\r\ndois ""2""";x\r\n\r\n;\n3;y\r4;"z'
    assert.deepEqual(await parseCsv(text), [
      { linha: 1, cells: ['a', 'b'] },
      { linha: 2, cells: ['um\r\ndois "2"', 'x'] },
      { linha: 6, cells: ['3', 'y'] },
      { linha: 7, cells: ['4', '"z'] },
    ])
  })

  test('is told by what is written in it, below however many blank lines', async () => {
    assert.deepEqual(await cells(`${'\n'.repeat(2000)}a,b\n1,2`), [
      ['a', 'b'],
      ['1', '2'],
    ])
  })
})

describe('a header', () => {
  const guessed = async (text: string) => guess(sheetOf(await parseCsv(text)))

  test('with words for everything is understood whole', async () => {
    const { colunas, status } = await guessed(
      'DATA;VENC.;Histórico;Natureza;Valor (R$);Status;Pago em;Acréscimos;Abatimento;Favorecido;Centro de Custos;Categoria;Obs.;Id\n' +
        '22/06/2026;30/06/2026;Aluguel;D;10,00;A pagar;;;;;;;;0195',
    )
    assert.deepEqual(colunas, {
      ...{ data: 0, vencimento: 1, descricao: 2, tipo: 3, valor: 4, status: 5, data_pagamento: 6 },
      ...{
        juros: 7,
        desconto: 8,
        contraparte: 9,
        centro_custo: 10,
        categoria: 11,
        observacoes: 12,
      },
    })
    assert.equal(status, 'em_aberto')
  })

  test('of a statement is found below what a bank writes above it', async () => {
    const text =
      'Extrato Conta Corrente\nConta;123-4\nPeríodo;01/06/2026 a 30/06/2026\n\n' +
      'Data Lançamento;Histórico;Tipo;Valor;Saldo;\n22/06/2026;Pix;TED;-10,00;90,00;'
    const sheet = sheetOf(await parseCsv(text))
    assert.deepEqual(sheet.colunas, ['Data Lançamento', 'Histórico', 'Tipo', 'Valor', 'Saldo'])
    assert.deepEqual(
      sheet.rows.map(({ linha }) => linha),
      [6],
    )
    const { colunas, status } = guess(sheet)
    assert.deepEqual(colunas, { data: 0, descricao: 1, valor: 3 })
    assert.equal(status, 'pago')
  })

  test('tells credit and debit, and the order of days', async () => {
    const { colunas, ordem_data } = await guessed(
      'Date;Histórico;Crédito;Débito\n06/22/2026;Pix;;10,00',
    )
    assert.deepEqual(colunas, { data: 0, descricao: 1, credito: 2, debito: 3 })
    assert.equal(ordem_data, 'mes-dia')
  })

  test('that is not there is made up', async () => {
    const sheet = sheetOf(await parseCsv('22/06/2026;Pix;-10,00\n23/06/2026;Pix;-10,00;x'))
    assert.deepEqual(sheet.colunas, ['Coluna 1', 'Coluna 2', 'Coluna 3', 'Coluna 4'])
    assert.equal(sheet.rows.length, 2)
  })
})

describe('OFX', () => {
  test('amounts have a dot or a comma, and days may have a time zone', () => {
    assert.equal(ofxAmount('-10.5'), -1050n)
    assert.equal(ofxAmount('-10,50'), -1050n)
    assert.equal(ofxAmount('10.5000'), 1050n)
    assert.equal(ofxAmount('1.234,56'), 123456n)
    assert.equal(ofxAmount('1.234'), undefined)
    assert.equal(ofxDay('20260622235959[-3:BRT]'), '2026-06-22')
  })

  test('that is broken or hostile is read to its end, and soon', async () => {
    assert.equal(isOfx('a;b'), false)
    assert.deepEqual(await parseOfx(`<OFX>${'<A'.repeat(500_000)}`), [])
    assert.deepEqual(await parseOfx(`<OFX><${'A'.repeat(1_000_000)}`), [])
    assert.deepEqual(await parseOfx(`<OFX>${'<A><![CDATA['.repeat(100_000)}`), [])
    const open = await parseOfx('<OFX><STMTTRN><FITID>1<STMTTRN><FITID>2')
    assert.deepEqual(
      open.map(({ fitid }) => fitid),
      ['1', '2'],
    )
  })

  test('days that are no days are told soon, however long they are', async () => {
    const [only] = await parseOfx(`<OFX><STMTTRN><DTPOSTED><![CDATA[${'['.repeat(1_000_000)}\n-]]>`)
    assert.equal(ofxDay(only!.data), undefined)
    assert.equal(ofxDay(`${'['.repeat(200_000)}\n-`), undefined)
  })

  test('keeps what only looks like an entity', async () => {
    const [only] = await parseOfx('<OFX><STMTTRN><MEMO>a &constructor; &__proto__; &amp;&#x41; b')
    assert.equal(only!.descricao, 'a &constructor; &__proto__; &A b')
  })
})

describe('a file', () => {
  for (const [what, text, turns] of [
    ['blank lines', 'a;b\n'.concat('\r'.repeat(1_000_000)), 0],
    ['quotes', `a;b\n${'"'.repeat(1_000_000)}`, 0],
    ['line ends in quotes', `a;b\n"${'\n'.repeat(1_000_000)}";1`, 0],
    ['empty cells in quotes', `a;b\n"${'""\n'.repeat(100_000)}`, 100],
    ['separators', `a;b\n${`${';'.repeat(9)}\n`.repeat(100_000)}`, 100],
    ['tags of OFX', `<OFX>${'<A>x'.repeat(100_000)}`, 100],
    ['entities of OFX', `<OFX><STMTTRN><MEMO>${'&#38;'.repeat(200_000)}`, 0],
  ] as const) {
    test(`of ${what} and nothing else is read soon, and others have their turn`, async () => {
      let taken = 0
      let turn = setImmediate(function take() {
        taken++
        turn = setImmediate(take)
      })
      await receive(Buffer.from(text)).catch(() => {})
      clearImmediate(turn)
      assert.ok(taken >= turns, `${taken} turns`)
    })
  }

  test('is UTF-8, with or without its mark, or else Windows-1252', () => {
    assert.equal(decode(Buffer.from('\ufeffAção')), 'Ação')
    assert.equal(decode(Buffer.from('Ação')), 'Ação')
    assert.equal(decode(Buffer.from([0x41, 0xe7, 0xe3, 0x6f, 0x20, 0x80])), 'Ação €')
  })

  for (const [what, bytes] of [
    ['UTF-16', Buffer.from('\ufeffa;b', 'utf16le')],
    ['UTF-16', Buffer.from('a;b', 'utf16le')],
    ['Excel', Buffer.from('PK\x03\x04', 'latin1')],
    ['PDF', Buffer.from('%PDF-1.7')],
    ['vazio', Buffer.from(' \r\n')],
  ] as const) {
    test(`that is ${what} is refused by that word`, () => {
      assert.throws(() => decode(bytes), { code: 'arquivo-recusado', detail: new RegExp(what) })
    })
  }
})

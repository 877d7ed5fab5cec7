import { parseAmount } from './amount.ts'
import { parseDay } from './day.ts'
import { MAX_LINHAS } from './limits.ts'
import { unhurried } from './unhurried.ts'

/** A transaction of a statement, as it is written there. */
export interface OfxTransaction {
  linha: number
  /** Bank and account of the statement that it is in. */
  conta: string
  fitid: string
  data: string
  valor: string
  descricao: string
}

export function isOfx(text: string): boolean {
  return /^\s*OFXHEADER\s*:|<OFX>/i.test(text.slice(0, 4096))
}

const ACCOUNTS = ['BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM']
/** A tag and what follows it. No part can run past the next tag, so that no file makes it slow. */
const TOKEN = /<(\/?)([A-Z0-9_.]{1,32})(?![A-Z0-9_.])[^<>]*>(?:<!\[CDATA\[([^\]<]*)\]\]>|([^<]*))/gi

/** The transactions of all accounts, of OFX 1 (SGML, where a value is not closed) and 2 (XML). */
export async function parseOfx(text: string): Promise<OfxTransaction[]> {
  const found: OfxTransaction[] = []
  const lineAt = lineCounter(text)
  let account: Record<string, string> | undefined
  let conta = ''
  let open: { linha: number; fields: Record<string, string> } | undefined
  const close = () => {
    if (open) found.push(transaction(open, conta))
    open = undefined
  }
  const take = ({ 1: slash, 2: name, 3: raw, 4: told = '', index }: RegExpExecArray) => {
    const tag = name!.toUpperCase()
    if (tag === 'STMTTRN') {
      close()
      if (!slash) open = { linha: lineAt(index), fields: {} }
    } else if (slash && tag === 'BANKTRANLIST') {
      close()
    } else if (ACCOUNTS.includes(tag)) {
      if (slash && account) conta = contaOf(account)
      account = slash ? undefined : {}
    } else if (!slash) {
      const fields = open?.fields ?? account
      const value = fields && textOf(raw, told)
      // Of what a transaction holds of others, such as the account that it went to, the first is its own.
      if (value) fields[tag] ??= value
    }
  }
  for await (const tokens of unhurried(text.matchAll(TOKEN))) {
    tokens.forEach(take)
    // Whoever sends more is refused: it is not even read to the end.
    if (found.length > MAX_LINHAS) break
  }
  close()
  return found
}

/** Longer than anything that would be accepted, even if each letter of it were written as a number. */
const MAX_WRITTEN = 10_000

function textOf(raw: string | undefined, told: string): string {
  return (raw?.slice(0, MAX_WRITTEN) ?? decodeEntities(told.slice(0, MAX_WRITTEN))).trim()
}

function contaOf({ BANKID = '', BROKERID = '', ACCTID = '' }: Record<string, string>): string {
  return `${BANKID || BROKERID}/${ACCTID}`
}

function transaction(
  { linha, fields }: { linha: number; fields: Record<string, string> },
  conta: string,
): OfxTransaction {
  const { FITID = '', DTPOSTED = '', TRNAMT = '', NAME = '', MEMO = '' } = fields
  // Many banks repeat one in the other.
  const told = NAME.includes(MEMO) ? NAME : MEMO.includes(NAME) ? MEMO : `${NAME} ${MEMO}`
  const descricao = told.replace(/\s+/g, ' ') || (fields.TRNTYPE ?? '')
  return { linha, conta, fitid: FITID, data: DTPOSTED, valor: TRNAMT, descricao }
}

/** The day as it is written: what time zone follows does not move it. */
export function ofxDay(text: string): string | undefined {
  return parseDay(text.split('[', 1)[0]!)
}

/** An amount there has no thousands, whatever comes before its decimals; zeros may follow them. */
export function ofxAmount(text: string): bigint | undefined {
  const [, sum = '', decimals = ''] = /^([-+]?\d+)(?:[.,](\d{1,2})0*)?$/.exec(text) ?? []
  if (sum !== '') return parseAmount(`${sum},${decimals.padEnd(1, '0')}`)
  return parseAmount(text, null)
}

const ENTITIES = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
)

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES.get(name.toLowerCase()) ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    const printable = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return printable ? String.fromCodePoint(code) : whole
  })
}

/** On which line a place in the text is, asked in order. */
function lineCounter(text: string): (index: number) => number {
  const lineEnd = /\r\n|\r|\n/g
  let line = 1
  let next = lineEnd.exec(text)
  return (index) => {
    while (next && next.index < index) {
      line++
      next = lineEnd.exec(text)
    }
    return line
  }
}

import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request as send } from 'undici'
import { isDay, isText } from '../http/formats.ts'
import { toCentavos, toReais } from '../http/money.ts'
import {
  type Account,
  type Charge,
  type ChargeRequest,
  type Notice,
  type Payer,
  type Provider,
  ProviderRefused,
  ProviderUnavailable,
} from './provider.ts'

const PRODUCTION = 'https://api.asaas.com/v3'
/** No answer of theirs comes near it. */
const READ_BYTES = 1024 * 1024
const REASON_LENGTH = 500

const KEY_REFUSED = 'O Asaas não aceitou a chave desta conta. Conecte a conta de novo.'
const NO_DOCUMENT = 'O Asaas só emite cobranças para quem tem CPF ou CNPJ.'
const NO_REASON = 'O Asaas recusou o pedido sem dizer por quê.'

interface Options {
  /** For each step of a request: to connect, to be answered, between two pieces of the answer. */
  timeoutMs?: number
  /** For all requests of one call together. */
  deadlineMs?: number
}

/** Charges issued by Asaas, through its API v3. */
export class Asaas implements Provider {
  readonly needsDocument = true
  readonly #agent: Agent
  readonly #deadlineMs: number

  constructor({ timeoutMs = 8_000, deadlineMs = 25_000 }: Options = {}) {
    this.#deadlineMs = deadlineMs
    this.#agent = new Agent({
      allowH2: false,
      connect: { timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxResponseSize: READ_BYTES,
    })
  }

  async check(account: Account): Promise<void> {
    const reply = await this.#talk(account).ask('GET', '/customers', { query: { limit: '1' } })
    reply.items()
  }

  async issue(account: Account, request: ChargeRequest): Promise<Charge> {
    const talk = this.#talk(account)
    const customer = await customerFor(talk, request.payer)
    const payment = await talk.ask('POST', '/payments', {
      body: {
        customer,
        billingType: request.forma,
        value: toReais(request.valor),
        dueDate: request.vencimento,
        description: request.descricao ?? undefined,
        externalReference: request.reference,
      },
    })
    return chargeFrom(talk, payment)
  }

  async find(account: Account, reference: string): Promise<Charge | undefined> {
    const talk = this.#talk(account)
    const list = await talk.ask('GET', '/payments', { query: { externalReference: reference } })
    // Were the filter ignored, these would be anyone's.
    const ours = list.items().filter((payment) => payment.text('externalReference') === reference)
    const living = ours.find((payment) => !payment.flag('deleted'))
    // Who is told that there is none issues it again: a list that goes on has not said so.
    if (!living && list.flag('hasMore')) throw list.unlike('hasMore')
    const payment = living ?? ours[0]
    return payment && chargeFrom(talk, payment)
  }

  async read(account: Account, id: string): Promise<Charge> {
    const talk = this.#talk(account)
    return chargeFrom(talk, await paymentOf(talk, id))
  }

  async cancel(account: Account, id: string): Promise<Charge> {
    const talk = this.#talk(account)
    try {
      const reply = await talk.ask('DELETE', pathOf(id))
      if (reply.need('id') !== id || !reply.flag('deleted')) throw reply.unlike('deleted')
    } catch (error) {
      // It may have been refused because the charge is gone already: that is what was wanted.
      if (!(error instanceof ProviderRefused)) throw error
      const payment = await paymentOf(talk, id)
      if (!payment.flag('deleted')) throw error
    }
    // Not read once more: were that to fail, nobody would know that the charge is cancelled.
    return {
      id,
      status: 'cancelada',
      invoiceUrl: null,
      bankSlipUrl: null,
      ...NO_CODES,
      pagoEm: null,
      valorPago: null,
    }
  }

  readNotice(headers: IncomingHttpHeaders, body: unknown): Notice | undefined {
    const token = headers['asaas-access-token']
    const { id, payment } = fieldsOf(body)
    if (typeof token !== 'string' || token === '') return undefined
    if (typeof id !== 'string' || id === '') return undefined
    const chargeId = fieldsOf(payment).id
    return { token, id, chargeId: typeof chargeId === 'string' ? chargeId : null }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  #talk(account: Account): Talk {
    return new Talk(this.#agent, account, AbortSignal.timeout(this.#deadlineMs))
  }
}

type Method = 'GET' | 'POST' | 'DELETE'
type Fields = Record<string, unknown>

/** The requests of one call, which share a key and a deadline. */
class Talk {
  readonly #agent: Agent
  readonly #base: string
  readonly #key: string
  readonly #deadline: AbortSignal

  constructor(agent: Agent, { baseUrl, apiKey }: Account, deadline: AbortSignal) {
    // A key that no header can carry is refused here as it would be there.
    if (!apiKey || !/^[\x21-\x7e]+$/.test(apiKey)) throw new ProviderRefused(KEY_REFUSED)
    this.#agent = agent
    this.#base = (baseUrl ?? PRODUCTION).replace(/\/+$/, '')
    this.#key = apiKey
    this.#deadline = deadline
  }

  async ask(
    method: Method,
    path: string,
    { query, body }: { query?: Record<string, string>; body?: Fields } = {},
  ): Promise<Reply> {
    // Without the query, which may hold a payer's CPF: this is for the log.
    const what = `Asaas, ${method} ${path}`
    const search = query ? `?${new URLSearchParams(query)}` : ''
    const { status, text } = await this.#send(method, path + search, body).catch((error) => {
      throw new ProviderUnavailable(`${what}: ${kindOf(error)}`)
    })
    if (status === 401 || status === 403) throw new ProviderRefused(KEY_REFUSED)
    if (status >= 400 && status <= 499 && status !== 429) {
      throw new ProviderRefused(this.#reasonIn(text))
    }
    if (status < 200 || status > 299) throw new ProviderUnavailable(`${what}: answered ${status}`)
    return new Reply(what, parse(text))
  }

  async #send(method: Method, path: string, body: Fields | undefined) {
    const response = await send(this.#base + path, {
      dispatcher: this.#agent,
      method,
      headers: {
        access_token: this.#key,
        'user-agent': 'Lastro',
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
      signal: this.#deadline,
    })
    return { status: response.statusCode, text: await response.body.text() }
  }

  #reasonIn(text: string): string {
    const { errors } = fieldsOf(parse(text))
    const reason = (Array.isArray(errors) ? errors : [])
      .map((error) => fieldsOf(error).description)
      .filter((description) => typeof description === 'string' && description !== '')
      .join('; ')
      .replaceAll(this.#key, '…')
      // PostgreSQL keeps no U+0000.
      .replaceAll('\0', '\uFFFD')
    return reason.slice(0, REASON_LENGTH).toWellFormed() || NO_REASON
  }
}

/** What was answered; its fields are judged as they are read. */
class Reply {
  readonly #what: string
  readonly #fields: Fields

  constructor(what: string, json: unknown) {
    this.#what = what
    if (!isObject(json)) throw this.unlike('body')
    this.#fields = json
  }

  text(name: string): string | null {
    const value = this.#fields[name] ?? ''
    if (typeof value !== 'string' || !isText(value)) throw this.unlike(name)
    return value === '' ? null : value
  }

  need(name: string): string {
    const text = this.text(name)
    if (text === null) throw this.unlike(name)
    return text
  }

  flag(name: string): boolean {
    const value = this.#fields[name] ?? false
    if (typeof value !== 'boolean') throw this.unlike(name)
    return value
  }

  centavos(name: string): bigint {
    const reais = this.#fields[name]
    if (typeof reais !== 'number' || reais < 0 || !Number.isSafeInteger(Math.round(reais * 100))) {
      throw this.unlike(name)
    }
    return toCentavos(reais)
  }

  /** The day of a date that may have a time. */
  day(name: string): string | null {
    const day = this.text(name)?.slice(0, 10) ?? null
    if (day !== null && !isDay(day)) throw this.unlike(name)
    return day
  }

  items(): Reply[] {
    const { data } = this.#fields
    if (!Array.isArray(data)) throw this.unlike('data')
    return data.map((item) => new Reply(this.#what, item))
  }

  unlike(name: string, shown = ''): ProviderUnavailable {
    return new ProviderUnavailable(`${this.#what}: not understood, ${name}${shown}`)
  }
}

/** Asaas would take the same payer twice: it is asked first. */
async function customerFor(talk: Talk, payer: Payer | null): Promise<string> {
  const documento = payer?.documento
  if (!documento) throw new ProviderRefused(NO_DOCUMENT)
  const list = await talk.ask('GET', '/customers', { query: { cpfCnpj: documento } })
  const known = list.items().find((customer) => {
    const same = customer.text('cpfCnpj')?.replace(/\W/g, '') === documento
    return same && !customer.flag('deleted')
  })
  if (known) return known.need('id')
  const created = await talk.ask('POST', '/customers', {
    body: {
      name: payer.nome,
      cpfCnpj: documento,
      email: payer.email ?? undefined,
      mobilePhone: phoneIn(payer.telefone),
      // Else Asaas writes to the payer by itself.
      notificationDisabled: true,
    },
  })
  return created.need('id')
}

/** Ours is free text: what is no Brazilian number stays here rather than cost the charge. */
function phoneIn(telefone: string | null): string | undefined {
  const digits = telefone?.replace(/\D/g, '') ?? ''
  return /^(?:55)?(\d{10,11})$/.exec(digits)?.[1]
}

const pathOf = (id: string) => `/payments/${encodeURIComponent(id)}`

async function paymentOf(talk: Talk, id: string): Promise<Reply> {
  const payment = await talk.ask('GET', pathOf(id))
  if (payment.need('id') !== id) throw payment.unlike('id')
  return payment
}

async function chargeFrom(talk: Talk, payment: Reply): Promise<Charge> {
  const id = payment.need('id')
  const status = statusOf(payment)
  const valor = payment.centavos('value')
  const wasPaid = status === 'paga' || status === 'estornada'
  return {
    id,
    status,
    invoiceUrl: payment.text('invoiceUrl'),
    bankSlipUrl: payment.text('bankSlipUrl'),
    // Nobody needs them later, and each is a request.
    ...(status === 'pendente' ? await codesFor(talk, id, payment.text('billingType')) : NO_CODES),
    pagoEm: wasPaid ? dayOfPayment(payment) : null,
    valorPago: wasPaid ? valor : null,
  }
}

const PAID =
  /^(RECEIVED|CONFIRMED|RECEIVED_IN_CASH|DUNNING_RECEIVED|REFUND_REQUESTED|REFUND_IN_PROGRESS|CHARGEBACK_\w+|AWAITING_CHARGEBACK_REVERSAL)$/
const PENDING = /^(PENDING|OVERDUE|DUNNING_REQUESTED|AWAITING_RISK_ANALYSIS|AUTHORIZED)$/

function statusOf(payment: Reply): Charge['status'] {
  const status = payment.need('status')
  if (payment.flag('deleted')) return 'cancelada'
  if (PAID.test(status)) return 'paga'
  if (PENDING.test(status)) return 'pendente'
  if (status === 'REFUNDED') return 'estornada'
  // Named only where it can be a name, not whatever else came.
  throw payment.unlike('status', /^[A-Z_]{1,60}$/.test(status) ? ` ${status}` : '')
}

function dayOfPayment(payment: Reply): string | null {
  return (
    payment.day('paymentDate') ?? payment.day('clientPaymentDate') ?? payment.day('confirmedDate')
  )
}

type Codes = Pick<Charge, 'linhaDigitavel' | 'codigoBarras' | 'pixCopiaECola'>
const NO_CODES: Codes = { linhaDigitavel: null, codigoBarras: null, pixCopiaECola: null }

async function codesFor(talk: Talk, id: string, forma: string | null): Promise<Codes> {
  const has = (other: string) => forma === null || forma === 'UNDEFINED' || forma === other
  const boleto = has('BOLETO') ? await unlessNone(talk, `${pathOf(id)}/identificationField`) : null
  const pix = has('PIX') ? await unlessNone(talk, `${pathOf(id)}/pixQrCode`) : null
  return {
    linhaDigitavel: boleto?.text('identificationField') ?? null,
    codigoBarras: boleto?.text('barCode') ?? null,
    pixCopiaECola: pix?.text('payload') ?? null,
  }
}

/** A refusal says that there is no such code: an account without a PIX key has no PIX to show. */
async function unlessNone(talk: Talk, path: string): Promise<Reply | null> {
  return talk.ask('GET', path).catch((error) => {
    if (error instanceof ProviderRefused) return null
    throw error
  })
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What an error is called; what it says could quote the request, and so the key. */
function kindOf({ code, name }: { code?: unknown; name: string }): string {
  return typeof code === 'string' ? code : name
}

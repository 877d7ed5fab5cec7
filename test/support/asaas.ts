import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, todayIn } from '../../src/clock.ts'
import { isDay } from '../../src/http/formats.ts'
import { FORMAS } from '../../src/providers/provider.ts'
import { whenDone } from './cleanup.ts'

interface Asked {
  method: string
  /** Below the API's base, without the query. */
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail where it is not.
  body: any
}

interface Customer {
  id: string
  name: string
  cpfCnpj: string
  deleted: boolean
  [field: string]: unknown
}

interface Payment {
  id: string
  customer: string
  billingType: string
  status: string
  value: number
  dueDate: string
  externalReference: string | null
  paymentDate: string | null
  deleted: boolean
  [field: string]: unknown
}

type Fault = {
  /** Method and path, of which `*` is any one segment: `GET /payments/*` */
  on: string
  /** How many requests it meets; one unless told otherwise. */
  times?: number
} & (
  | {
      /** Of those that are neither `before` nor `after`, `429` has no effect, and the others have. */
      kind:
        | 'timeout-after'
        | 'timeout-before'
        | '500-after'
        | '500-before'
        | 'reset-after'
        | 'reset-before'
        | 'garbage'
        | '429'
        | 'endless'
    }
  /** This answer instead, and no effect. */
  | { kind: 'reply'; status?: number; headers?: Record<string, string>; body: unknown }
)

type Hook = (request: Pick<Asked, 'method' | 'path'>) => unknown

interface AsaasApi {
  url: string
  apiKey: string
  customers: Map<string, Customer>
  /** Every charge that was ever created. */
  payments: Map<string, Payment>
  requests: Asked[]
  faults: Fault[]
  /** Whether the account has a PIX key; without one there are no PIX codes. */
  pixKey: boolean
  /** Awaited before a request takes effect, and after it, before the answer. */
  before: Hook
  after: Hook
  pay(id: string, payment?: { date?: string; value?: number }): void
  refund(id: string): void
  restore(id: string): void
  /** What a webhook would carry now. */
  notice(id: string, event: string): Record<string, unknown>
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body: unknown
}

const newId = (kind: string) => `${kind}_${randomBytes(8).toString('hex')}`
const ok = (body: unknown): Answer => ({ status: 200, body })
const refused = (status: number, code: string, description: string): Answer => ({
  status,
  body: { errors: [{ code, description }] },
})
const unknown = refused(404, 'not_found', 'Registro não encontrado.')

/** The part of Asaas that the adapter uses, as it is documented, out of memory; and every way it can fail. */
export async function startAsaas({ clock = Date.now }: { clock?: Clock } = {}): Promise<AsaasApi> {
  const customers = new Map<string, Customer>()
  const payments = new Map<string, Payment>()
  const today = () => todayIn('America/Sao_Paulo', clock)
  const change = (id: string, fields: Partial<Payment>) =>
    void Object.assign(payments.get(id)!, fields)

  const asaas: AsaasApi = {
    url: '',
    apiKey: `$aact_hmlg_${randomBytes(16).toString('hex')}`,
    customers,
    payments,
    requests: [],
    faults: [],
    pixKey: true,
    before: () => {},
    after: () => {},
    pay: (id, { date = today(), value = payments.get(id)!.value } = {}) =>
      change(id, { status: 'RECEIVED', paymentDate: date, clientPaymentDate: date, value }),
    refund: (id) => change(id, { status: 'REFUNDED' }),
    restore: (id) => change(id, { status: 'PENDING', deleted: false }),
    notice: (id, event) => ({
      id: newId('evt'),
      event,
      dateCreated: `${today()} 12:00:00`,
      payment: { ...payments.get(id)! },
    }),
  }

  function createCustomer(body: Asked['body']): Answer {
    if (!body?.name || !body.cpfCnpj) {
      return refused(400, 'invalid_object', 'O nome e o CPF ou CNPJ devem ser informados.')
    }
    const customer = { object: 'customer', ...body, id: newId('cus'), deleted: false }
    customers.set(customer.id, customer)
    return ok(customer)
  }

  function createPayment(body: Asked['body']): Answer {
    const customer = customers.get(body?.customer)
    if (!customer || customer.deleted) {
      return refused(400, 'invalid_customer', 'O cliente informado não existe.')
    }
    if (!FORMAS.includes(body.billingType)) {
      return refused(400, 'invalid_billingType', 'A forma de pagamento não existe.')
    }
    if (typeof body.value !== 'number' || body.value < 5) {
      return refused(400, 'invalid_value', 'O valor da cobrança deve ser de ao menos R$ 5,00.')
    }
    if (!isDay(body.dueDate) || body.dueDate < today()) {
      return refused(400, 'invalid_dueDate', 'O vencimento não pode ser anterior a hoje.')
    }
    const id = newId('pay')
    const payment: Payment = {
      object: 'payment',
      description: null,
      externalReference: null,
      ...body,
      id,
      dateCreated: today(),
      status: 'PENDING',
      netValue: body.value,
      invoiceUrl: `https://asaas.test/i/${id}`,
      bankSlipUrl: /BOLETO|UNDEFINED/.test(body.billingType) ? `https://asaas.test/b/${id}` : null,
      paymentDate: null,
      clientPaymentDate: null,
      confirmedDate: null,
      deleted: false,
    }
    payments.set(id, payment)
    return ok(payment)
  }

  function deletePayment(payment: Payment): Answer {
    if (payment.deleted || !/^(PENDING|OVERDUE)$/.test(payment.status)) {
      return refused(400, 'invalid_action', 'Esta cobrança não pode ser removida.')
    }
    payment.deleted = true
    return ok({ deleted: true, id: payment.id })
  }

  function codesOf(payment: Payment, kind: string | undefined): Answer {
    const has = (forma: string) => [forma, 'UNDEFINED'].includes(payment.billingType)
    const digits = BigInt(`0x${payment.id.slice(4)}`).toString()
    if (kind === 'identificationField' && has('BOLETO') && !payment.deleted) {
      return ok({
        identificationField: digits.padStart(47, '0'),
        nossoNumero: digits.slice(-8),
        barCode: digits.padStart(44, '0'),
      })
    }
    if (kind === 'pixQrCode' && has('PIX') && !payment.deleted && asaas.pixKey) {
      return ok({
        encodedImage: 'iVBORw0KGgo=',
        payload: `pix-copia-e-cola-${payment.id}`,
        expirationDate: `${payment.dueDate} 23:59:59`,
      })
    }
    return refused(400, 'invalid_action', 'Esta cobrança não tem esse código.')
  }

  function route({ method, path, query, body }: Asked): Answer {
    const [, kind, id, part, ...rest] = path.split('/')
    if (rest.length > 0) return unknown
    if (kind === 'customers' && id === undefined) {
      if (method === 'GET') return list([...customers.values()], query, 'cpfCnpj')
      if (method === 'POST') return createCustomer(body)
    }
    if (kind === 'payments' && id === undefined) {
      if (method === 'GET') return list([...payments.values()], query, 'externalReference')
      if (method === 'POST') return createPayment(body)
    }
    const payment = kind === 'payments' && id !== undefined ? payments.get(id) : undefined
    if (!payment) return unknown
    if (method === 'GET') return part === undefined ? ok(payment) : codesOf(payment, part)
    if (method === 'DELETE' && part === undefined) return deletePayment(payment)
    return unknown
  }

  function answerTo(asked: Asked, raw: string): Answer {
    if (asked.headers.access_token !== asaas.apiKey) {
      return refused(401, 'invalid_access_token', 'A chave de API não é válida.')
    }
    if (!asked.headers['user-agent']) {
      return refused(403, 'invalid_user_agent', 'O cabeçalho User-Agent é obrigatório.')
    }
    if (asked.method === 'GET' && raw !== '') {
      return refused(403, 'invalid_body', 'Um GET não leva corpo.')
    }
    return route(asked)
  }

  function takeFault({ method, path }: Asked): Fault | undefined {
    const fault = asaas.faults.find(({ on }) => matches(on, `${method} ${path}`))
    if (!fault) return undefined
    fault.times = (fault.times ?? 1) - 1
    if (fault.times <= 0) asaas.faults.splice(asaas.faults.indexOf(fault), 1)
    return fault
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    let raw = ''
    for await (const chunk of request) raw += chunk
    const url = new URL(request.url!, asaas.url)
    const asked: Asked = {
      method: request.method!,
      path: url.pathname.replace(/^\/v3/, ''),
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: raw === '' ? undefined : JSON.parse(raw),
    }
    asaas.requests.push(asked)
    const fault = takeFault(asked)
    await asaas.before(asked)
    if (fault?.kind === 'reply') return reply(response, { status: 200, ...fault })
    if (fault?.kind === '429') return reply(response, refused(429, 'rate_limit', 'Muitos pedidos.'))
    if (fault?.kind.endsWith('-before')) return fail(fault.kind, response)
    // As it is now, whatever happens to it before it is sent.
    const answer = structuredClone(answerTo(asked, raw))
    await asaas.after(asked)
    if (fault) return fail(fault.kind, response)
    reply(response, answer)
  }

  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenDone(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  )
  asaas.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`
  return asaas
}

function matches(pattern: string, request: string): boolean {
  const wanted = pattern.split('/')
  const given = request.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, n) => part === given[n] || (part === '*' && given[n] !== ''))
  )
}

function list(
  all: Record<string, unknown>[],
  query: Record<string, string>,
  filter: string,
): Answer {
  const found = all.filter((item) => !(filter in query) || item[filter] === query[filter])
  const offset = Number(query.offset ?? 0)
  const limit = Number(query.limit ?? 10)
  return ok({
    object: 'list',
    hasMore: found.length > offset + limit,
    totalCount: found.length,
    limit,
    offset,
    data: found.slice(offset, offset + limit),
  })
}

function reply(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function fail(kind: Fault['kind'], response: ServerResponse): void {
  if (kind.startsWith('500')) reply(response, { status: 500, body: { errors: [] } })
  if (kind.startsWith('reset')) response.socket!.resetAndDestroy()
  if (kind === 'garbage') response.end('<html>Bem-vindo</html>')
  if (kind === 'endless') {
    const pour = () => {
      while (!response.destroyed && response.write(' '.repeat(64 * 1024)));
    }
    response.on('drain', pour)
    pour()
  }
}

import { Writable } from 'node:stream'
import { buildApp } from '../../src/app.ts'
import { SCOPES } from '../../src/auth/scopes.ts'
import { createChave } from '../../src/chaves/chaves.ts'
import { readConfig } from '../../src/config.ts'
import { AddressGuard } from '../../src/delivery/address-guard.ts'
import { createEmpresa } from '../../src/empresas/empresas.ts'
import { createLogger, type Logger } from '../../src/logger.ts'
import { Metrics } from '../../src/metrics/metrics.ts'
import { openPayments, type Payments } from '../../src/payments.ts'
import { connect } from '../../src/provedores/contas.ts'
import { SecretBox } from '../../src/secret-box.ts'
import { whenDone } from './cleanup.ts'
import { Contract, type Document } from './contract.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** An answer, already held against the published contract. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail where it is not.
  body: any
}

export interface Call {
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Caller {
  empresa: string
  key: string
  call(method: string, path: string, call?: Call): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
}

export interface TestService extends TestDatabase {
  url: string
  contract: Contract
  logger: Logger
  /** What names resolve to; a name that is not here has no address. */
  dns: Record<string, string[]>
  guard: AddressGuard
  secrets: SecretBox
  payments: Payments
  metrics: Metrics
  /** Every line that the service has logged, at the lowest level there is. */
  log: string[]
  /** What the service takes for now; a test may set it. */
  clock: { now: () => number }
  /** A call below `/api/v1` with no key but what its headers hold. */
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** A caller with a key of a company: a new one with every scope, unless told otherwise. */
  caller(options?: CallerOptions): Promise<Caller>
}

interface CallerOptions {
  empresa?: string
  scopes?: string[]
  expiresAt?: string
  fusoHorario?: string
  modulos?: ('cobrancas' | 'integracoes')[]
  /** The payment account that a new company is connected to; the sandbox unless told otherwise. */
  provedor?: 'sandbox' | null
}

/**
 * The real app, on a database of the test file's own, listening on a port of loopback. Receivers of tests
 * listen there too, so that address may be called unless told otherwise.
 */
export async function startService(
  env: Record<string, string> = {},
  devTargets = ['127.0.0.1/32'],
): Promise<TestService> {
  const database = await createTestDatabase()
  const log: string[] = []
  const out = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk))
      done()
    },
  })
  const clock = { now: Date.now }
  // No name is ever really resolved: tests say what it resolves to.
  const dns: Record<string, string[]> = {}
  const resolver = {
    resolve4: async (name: string) => dns[name] ?? [],
    resolve6: async () => [],
  }
  const guard = new AddressGuard({ devTargets, resolver })
  const secrets = new SecretBox(Buffer.alloc(32, 1))
  const logger = createLogger('trace', out)
  const config = readConfig({ RATE_LIMIT_PER_MINUTE: '1000000', ...env })
  const parts = { config, db: database.db, secrets, clock: () => clock.now() }
  const payments = openPayments(parts)
  whenDone(() => payments.close())
  const metrics = new Metrics()
  const app = await buildApp({ ...parts, logger, guard, payments, metrics })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  whenDone(() => app.close())
  const contract = new Contract((await (await fetch(`${url}/openapi.json`)).json()) as Document)

  const call = async (method: string, path: string, { body, headers = {} }: Call = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = text === '' ? undefined : JSON.parse(text)
    contract.check(method, `/api/v1${path}`, response, answer)
    return { status: response.status, headers: response.headers, body: answer }
  }

  const caller = async (options: CallerOptions = {}): Promise<Caller> => {
    const { scopes = SCOPES, expiresAt, provedor = 'sandbox', ...company } = options
    const empresa =
      options.empresa ?? (await createEmpresa(database.db, { nome: 'Empresa', ...company }))
    if (!options.empresa && provedor) {
      const account = { empresa, provedor, apiKey: null, baseUrl: null }
      await connect(database.db, payments.accounts, account)
    }
    const { key } = await createChave(database.db, { empresa, scopes, expiresAt })
    const own = (method: string, path: string, { body, headers }: Call = {}) =>
      call(method, path, { body, headers: { authorization: `Bearer ${key}`, ...headers } })
    return {
      empresa,
      key,
      call: own,
      get: (path) => own('GET', path),
      post: (path, body, headers = {}) => own('POST', path, { body, headers }),
      patch: (path, body) => own('PATCH', path, { body }),
      delete: (path) => own('DELETE', path),
    }
  }

  return {
    ...database,
    ...{ url, contract, log, logger, dns, guard, secrets, payments, metrics, clock, call, caller },
  }
}

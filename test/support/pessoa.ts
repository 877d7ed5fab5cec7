import assert from 'node:assert/strict'
import type { Papel } from '../../src/usuarios/papeis.ts'
import { invite } from '../../src/usuarios/usuarios.ts'
import type { Answer, Call, TestService } from './service.ts'

/** Everybody's password, unless told otherwise. */
export const SENHA = 'correto cavalo bateria'

/** What the application's own pages send with every call. */
export const OWN_PAGE = { 'x-lastro-console': '1' }

/** A person with a browser: what is given as cookie is kept, and sent with every call. */
export interface Pessoa {
  id: string
  email: string
  senha: string
  empresa: string
  /** A test may set it. */
  cookie: string
  /** A call below `/app/api`. */
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** These are of the company: below `/app/api/e/{empresa}`. */
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  patch(path: string, body: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
}

/** A call below `/app/api` from the application's own pages, of nobody but whom its headers name. */
export async function callConsole(
  service: TestService,
  method: string,
  path: string,
  { body, headers = {} }: Call = {},
): Promise<Answer> {
  const response = await fetch(`${service.url}/app/api${path}`, {
    method,
    headers: {
      ...OWN_PAGE,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const { status } = response
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const told = isJson ? JSON.parse(text) : text
  return { status, headers: response.headers, body: text === '' ? undefined : told }
}

/** What a browser would send back of what it was given. */
export function cookieOf({ headers }: Answer): string | undefined {
  return headers.get('set-cookie')?.split(';', 1)[0]
}

/** The token of an invitation into a company. */
export function makeConvite(
  { db }: Pick<TestService, 'db'>,
  empresa: string,
  papel: Papel,
  email: string | null = null,
): Promise<string> {
  return db.write(empresa, (tx) => invite(tx, email, papel))
}

interface Options {
  papel?: Papel
  /** A new one, unless told otherwise. */
  empresa?: string
  /** Of somebody who is known already, this is one more company of theirs. */
  email?: string
  senha?: string
  nome?: string
}

/** Somebody who has come in by an invitation; the only password that is hashed for them. */
export async function signIn(service: TestService, options: Options = {}): Promise<Pessoa> {
  const { papel = 'admin', senha = SENHA, nome = 'Pessoa' } = options
  const { email = `${crypto.randomUUID()}@example.com` } = options
  const empresa = options.empresa ?? (await service.caller()).empresa
  const token = await makeConvite(service, empresa, papel, email)
  const joined = await callConsole(service, 'POST', `/convites/${token}`, { body: { nome, senha } })
  assert.equal(joined.status, 200, JSON.stringify(joined.body))
  const call = async (method: string, path: string, { body, headers }: Call = {}) => {
    const { cookie } = pessoa
    const answer = await callConsole(service, method, path, {
      body,
      headers: { cookie, ...headers },
    })
    pessoa.cookie = cookieOf(answer) ?? cookie
    return answer
  }
  const own = (method: string, path: string, body?: unknown) =>
    call(method, `/e/${empresa}${path}`, { body })
  const pessoa: Pessoa = {
    ...{ id: '', email, senha, empresa, cookie: cookieOf(joined)!, call },
    get: (path) => own('GET', path),
    post: (path, body) => own('POST', path, body),
    patch: (path, body) => own('PATCH', path, body),
    delete: (path) => own('DELETE', path),
  }
  pessoa.id = (await call('GET', '/eu')).body.id
  return pessoa
}

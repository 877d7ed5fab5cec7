import { SCOPES } from '../../src/auth/scopes.ts'
import { createChave } from '../../src/chaves/chaves.ts'
import type { Database } from '../../src/db/database.ts'
import { createEmpresa } from '../../src/empresas/empresas.ts'

export interface Company {
  empresa: string
  /** A call below `/api/v1` of whoever serves at the URL. */
  call(url: string, method: string, path: string, call?: Call): Promise<Answer>
}

interface Call {
  body?: object
  idempotencyKey?: string
}

interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail where it is not.
  body: any
}

/** A company that processes serve; its calls take its keys in turn, so that many fit into a low rate. */
export async function createCompany(db: Database, keyCount = 1): Promise<Company> {
  const empresa = await createEmpresa(db, { nome: 'Acme' })
  const keys: string[] = []
  while (keys.length < keyCount) keys.push((await createChave(db, { empresa, scopes: SCOPES })).key)
  let calls = 0
  return {
    empresa,
    call: (url, method, path, call) => callAs(keys[calls++ % keyCount]!, url, method, path, call),
  }
}

export async function callAs(
  key: string,
  url: string,
  method: string,
  path: string,
  { body, idempotencyKey }: Call = {},
): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

import { createHash, randomBytes, randomUUIDv7, timingSafeEqual } from 'node:crypto'
import type { Database, Tx } from '../db/database.ts'
import { isUuid } from '../db/uuid.ts'
import { findEmpresa } from '../empresas/empresas.ts'
import { ApiError, invalid, OperatorError } from '../errors.ts'
import {
  type Account,
  type Provider,
  ProviderRefused,
  type Providers,
  ProviderUnavailable,
} from '../providers/provider.ts'
import type { SecretBox } from '../secret-box.ts'
import {
  type ContaRow,
  countIssuing,
  disconnectConta,
  findConnected,
  findConta,
  findTokenHash,
  insertConta,
  replaceKey,
} from './queries.ts'

/** What is needed to speak with a company's provider. */
export interface Connected {
  provedor: string
  provider: Provider
  account: Account
}

/** The way from an account that is kept to a conversation with its provider. */
export class Accounts {
  readonly #providers: Providers
  readonly #secrets: SecretBox

  constructor(providers: Providers, secrets: SecretBox) {
    this.#providers = providers
    this.#secrets = secrets
  }

  /** The company's account, where one is connected. */
  async connected(tx: Tx): Promise<Connected | undefined> {
    const row = await findConnected(tx)
    return row && this.#open(row)
  }

  /** The account that a charge was issued in. */
  async of(tx: Tx, id: string): Promise<Connected> {
    return this.#open((await findConta(tx, id))!)
  }

  provider(provedor: string): Provider {
    const provider = this.#providers[provedor]
    if (provider) return provider
    const names = Object.keys(this.#providers).join(', ')
    throw new OperatorError(`There is no provider ${provedor}; there are ${names}.`)
  }

  seal(apiKey: string, tenantId: string, contaId: string): string {
    return this.#secrets.seal(apiKey, tenantId, contaId)
  }

  #open({ tenant_id: tenantId, id, provedor, base_url: baseUrl, api_key }: ContaRow): Connected {
    const apiKey = api_key && this.#secrets.open(api_key, tenantId, id)
    return {
      provedor,
      provider: this.provider(provedor),
      account: { tenantId, id, baseUrl, apiKey },
    }
  }
}

interface Connection {
  empresa: string
  provedor: string
  apiKey: string | null
  baseUrl: string | null
}

/** What a company's connection is, without what opens it. */
export interface Conta {
  id: string
  provedor: string
  base_url: string | null
  conectada_em: string
}

/**
 * Connects a company's account, once its provider has accepted it. Connecting the same account again gives it
 * another key and changes nothing else. The token for the provider's notices is returned only when it is made.
 */
export async function connect(db: Database, accounts: Accounts, connection: Connection) {
  const { empresa, provedor, apiKey, baseUrl } = connection
  await findEmpresa(db, empresa)
  const provider = accounts.provider(provedor)
  if (provider.needsDocument && !apiKey) {
    throw invalid('invalid-body', [
      { field: 'chave', message: `${provedor} exige a chave de API da conta` },
    ])
  }
  const before = await findConnected(db.reader(empresa))
  if (before && (before.provedor !== provedor || before.base_url !== baseUrl)) {
    throw new ApiError('payment-account-in-use', {
      detail: `A empresa está conectada a ${before.provedor}; desconecte essa conta primeiro.`,
    })
  }
  const id = before?.id ?? randomUUIDv7()
  await accepted(provider, provedor, { tenantId: empresa, id, baseUrl, apiKey })
  const sealed = apiKey && accounts.seal(apiKey, empresa, id)
  const token = before || !apiKey ? undefined : randomBytes(32).toString('base64url')
  await db.write(empresa, async (tx) => {
    // Whoever else was at it meanwhile was first.
    if ((await findConnected(tx))?.id !== before?.id) {
      throw new ApiError('payment-account-in-use', { detail: 'A conta acaba de mudar; confira-a.' })
    }
    if (before) return replaceKey(tx, id, sealed)
    await insertConta(tx, { id, provedor, baseUrl, apiKey: sealed, tokenHash: hash(token) })
  })
  return { id, token }
}

async function accepted(provider: Provider, provedor: string, account: Account): Promise<void> {
  try {
    await provider.check(account)
  } catch (error) {
    if (error instanceof ProviderRefused) {
      throw new ApiError('provider-refused', { detail: error.reason, cause: error })
    }
    if (!(error instanceof ProviderUnavailable)) throw error
    const detail = `${provedor} não respondeu; nada foi alterado.`
    throw new ApiError('provider-unavailable', { detail, cause: error })
  }
}

export async function connectionOf(db: Database, empresa: string): Promise<Conta | undefined> {
  await findEmpresa(db, empresa)
  const row = await findConnected(db.reader(empresa))
  if (!row) return undefined
  const { id, provedor, base_url, conectada_em } = row
  return { id, provedor, base_url, conectada_em }
}

/** The key is forgotten. Charges stay; one that is being issued could not be settled without the key. */
export async function disconnect(db: Database, empresa: string): Promise<void> {
  await findEmpresa(db, empresa)
  await db.write(empresa, async (tx) => {
    const conta = await findConnected(tx)
    if (!conta) throw new ApiError('payment-account-not-connected')
    const issuing = conta.api_key === null ? 0 : await countIssuing(tx)
    if (issuing > 0) {
      throw new ApiError('payment-account-in-use', {
        detail: `Há ${issuing} cobrança(s) em emissão; desconecte quando nenhuma estiver emitindo.`,
      })
    }
    await disconnectConta(tx, conta.id)
  })
}

/** The company whose account shows this token, if any does. */
export async function companyOfToken(
  db: Database,
  provedor: string,
  contaId: string,
  token: string,
): Promise<string | undefined> {
  const conta = isUuid(contaId) ? await findTokenHash(db, provedor, contaId) : undefined
  const matches = timingSafeEqual(hash(token)!, conta?.token_hash ?? hash('')!)
  return matches ? conta?.tenant_id : undefined
}

function hash(token: string | undefined): Buffer | null {
  return token === undefined ? null : createHash('sha256').update(token).digest()
}

import type { Database, Tx } from '../db/database.ts'

export interface ContaRow {
  tenant_id: string
  id: string
  provedor: string
  base_url: string | null
  /** Sealed. */
  api_key: string | null
  conectada_em: string
}

const COLUMNS = 'tenant_id, id, provedor, base_url, api_key, conectada_em'

export async function findConnected(tx: Tx): Promise<ContaRow | undefined> {
  const [row] = await tx.query<ContaRow>(
    `select ${COLUMNS} from provedor_contas where tenant_id = $1 and desconectada_em is null`,
    [tx.tenantId],
  )
  return row
}

/** Also one that is no longer connected: the charges issued in it go on. */
export async function findConta(tx: Tx, id: string): Promise<ContaRow | undefined> {
  const [row] = await tx.query<ContaRow>(
    `select ${COLUMNS} from provedor_contas where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  )
  return row
}

interface NewConta {
  id: string
  provedor: string
  baseUrl: string | null
  apiKey: string | null
  tokenHash: Buffer | null
}

export async function insertConta(tx: Tx, conta: NewConta): Promise<void> {
  await tx.query(
    `insert into provedor_contas (tenant_id, id, provedor, base_url, api_key, token_hash)
     values ($1, $2, $3, $4, $5, $6)`,
    [tx.tenantId, conta.id, conta.provedor, conta.baseUrl, conta.apiKey, conta.tokenHash],
  )
}

export async function replaceKey(tx: Tx, id: string, apiKey: string | null): Promise<void> {
  await tx.query(`update provedor_contas set api_key = $3 where tenant_id = $1 and id = $2`, [
    tx.tenantId,
    id,
    apiKey,
  ])
}

export async function disconnectConta(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `update provedor_contas set desconectada_em = clock_timestamp(), api_key = null
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  )
}

export async function countIssuing(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: bigint }>(
    `select count(*) from cobrancas where tenant_id = $1 and status = 'emitindo'`,
    [tx.tenantId],
  )
  return Number(row!.count)
}

export async function findTokenHash(
  db: Database,
  provedor: string,
  id: string,
): Promise<{ tenant_id: string; token_hash: Buffer } | undefined> {
  const [row] = await db.system('lastro_auth').query<{ tenant_id: string; token_hash: Buffer }>(
    `select tenant_id, token_hash from provedor_contas
     where id = $1 and provedor = $2 and token_hash is not null`,
    [id, provedor],
  )
  return row
}

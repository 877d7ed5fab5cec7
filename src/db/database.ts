import type pg from 'pg'
import { ApiError } from '../errors.ts'
import { type Param, type Result, runBatch, type Statement } from './batch.ts'
import { sqlState } from './sql-state.ts'

/** Reads, in one company's transaction or one role's. Every function of a `queries.ts` takes it first. */
export interface Tx {
  readonly tenantId: string
  query<Row>(text: string, values?: readonly Param[]): Promise<Row[]>
}

/** A company's only writer while it lasts. */
export interface WriteTx extends Tx {
  /** Adds a statement that runs with the COMMIT, in its round trip: nothing can come after it. */
  defer(text: string, values?: readonly Param[]): void
}

/** Roles that work across companies, each with policies on just the tables it needs. */
export type SystemRole = 'lastro_auth' | 'lastro_operator'

const BEGIN: Statement = { text: 'begin', values: [] }
const COMMIT: Statement = { text: 'commit', values: [] }
const ROLLBACK: Statement = { text: 'rollback', values: [] }

/** Who a transaction acts as. All of it ends with the transaction, so it holds behind a pooler too. */
function actAs(role: string, tenantId: string): Statement {
  return {
    text: `select set_config('role', $1, true), set_config('app.tenant', $2, true),
      set_config('statement_timeout', '10s', true), set_config('lock_timeout', '5s', true)`,
    values: [role, tenantId],
  }
}

/** Later statements see what the writer before left: the lock is a statement of its own. */
function lockCompany(tenantId: string): Statement {
  return {
    text: 'select seq from empresa_counters where tenant_id = $1 for no key update',
    values: [tenantId],
  }
}

export class Database {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Reads of one company. Each statement is a transaction and a round trip of its own. */
  reader(tenantId: string): Tx {
    return this.#reader('lastro_app', tenantId)
  }

  /** Reads and writes across companies, as far as the role's policies let it. */
  system(role: SystemRole): Omit<Tx, 'tenantId'> {
    return this.#reader(role, '')
  }

  #reader(role: string, tenantId: string): Tx {
    return {
      tenantId,
      query: async <Row>(text: string, values: readonly Param[] = []) => {
        const statements = [actAs(role, tenantId), { text, values }]
        const [, result] = await this.#withClient((client) => runBatch(client, statements))
        return result!.rows as Row[]
      },
    }
  }

  /**
   * One write transaction of a company. It begins with the first statement, in its round trip, by taking
   * the lock that makes it the company's only writer; it commits when `work` is done, or not at all.
   */
  async write<T>(tenantId: string, work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.#withClient(async (client) => {
      const opening = [BEGIN, actAs('lastro_app', tenantId), lockCompany(tenantId)]
      const deferred: Statement[] = []
      let begun = false
      const run = async (statements: Statement[]): Promise<Result[]> => {
        if (begun) return runBatch(client, statements)
        const sending = runBatch(client, [...opening, ...statements])
        begun = true
        const results = await sending
        if (results[2]!.rows.length === 0) throw new Error(`Company ${tenantId} does not exist`)
        return results.slice(opening.length)
      }
      const tx: WriteTx = {
        tenantId,
        query: async <Row>(text: string, values: readonly Param[] = []) =>
          (await run([{ text, values }]))[0]!.rows as Row[],
        defer: (text, values = []) => {
          deferred.push({ text, values })
        },
      }
      try {
        const value = await work(tx)
        if (!begun && deferred.length === 0) return value
        const committed = (await run([...deferred, COMMIT])).at(-1)!
        // After a failure that went unnoticed COMMIT succeeds, as a ROLLBACK.
        if (committed.command !== 'COMMIT') throw new Error('The transaction was rolled back')
        return value
      } catch (error) {
        // A connection that cannot even roll back is dropped by the pool, and the server rolls back.
        if (begun && !lost(error)) await runBatch(client, [ROLLBACK]).catch(() => {})
        throw error
      }
    })
  }

  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw unavailable(error)
    })
    try {
      const value = await work(client)
      client.release()
      return value
    } catch (error) {
      client.release(lost(error))
      throw isTransient(error) ? unavailable(error) : error
    }
  }
}

/** The connection can no longer be used: it broke, or its state is not known. */
function lost(error: unknown): boolean {
  if (error instanceof ApiError || error instanceof TypeError) return false
  const { severity } = error as { severity?: string }
  return sqlState(error) === undefined || severity === 'FATAL' || severity === 'PANIC'
}

function isTransient(error: unknown): boolean {
  const state = sqlState(error)
  if (state === undefined) return isNetworkFault(error)
  // Connection failures, shutdown and start-up, lock and statement timeouts, too many connections.
  return /^(08|57P0|53)/.test(state) || state === '55P03' || state === '57014'
}

function isNetworkFault(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return true
  return message !== undefined && /connection terminated|timeout exceeded/i.test(message)
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('unavailable', { cause, headers: { 'retry-after': '1' } })
}

import { EventEmitter } from 'node:events'
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
  /**
   * Adds a statement that runs with the COMMIT, in its round trip: nothing but others like it can come after.
   * Where it has touched rows, `announces` is emitted with the company once all is committed.
   */
  defer<Row>(text: string, values?: readonly Param[], announces?: Announcement): Deferred<Row>
  /** Emits it with the company once all is committed. */
  announce(announcement: Announcement): void
}

/** What a statement that runs with the COMMIT returns: there once all is committed. */
export interface Deferred<Row> {
  rows: Row[]
}

/** What others in this process are told of after a commit. */
type Announcement = 'deliveries' | 'cobrancas'

/** Across companies, each call a transaction of its own. */
interface SystemTx {
  query<Row>(text: string, values?: readonly Param[]): Promise<Row[]>
  /** Several statements in one round trip; the rows of the last are returned. */
  batch<Row>(statements: readonly Statement[]): Promise<Row[]>
}

/** One transaction of an operator across all companies. */
export type CareTx = Pick<SystemTx, 'query'>

/** Roles that work across companies, each with policies on just the tables it needs. */
type SystemRole = 'lastro_auth' | 'lastro_care' | 'lastro_operator' | 'lastro_worker'

const BEGIN: Statement = { text: 'begin', values: [] }
const BEGIN_SNAPSHOT: Statement = {
  text: 'begin isolation level repeatable read read only',
  values: [],
}
const COMMIT: Statement = { text: 'commit', values: [] }
const ROLLBACK: Statement = { text: 'rollback', values: [] }

interface Planning {
  /**
   * Statements are planned once a connection, for all companies alike, instead of for each: for those that
   * find all they need by indexes that the company leads, planning costs more than running.
   */
  planOnce?: boolean
}

/** Who a transaction acts as. All of it ends with the transaction, so it holds behind a pooler too. */
function actAs(role: string, tenantId: string, { planOnce = false }: Planning = {}): Statement {
  return {
    text: `select set_config('role', $1, true), set_config('app.tenant', $2, true),
      set_config('statement_timeout', '10s', true), set_config('lock_timeout', '5s', true),
      set_config('plan_cache_mode', $3, true), set_config('datestyle', 'ISO', true)`,
    values: [role, tenantId, planOnce ? 'force_generic_plan' : 'auto'],
  }
}

/** A backup takes as long as it takes. */
const ACT_WITH_CARE: Statement = {
  text: `select set_config('role', 'lastro_care', true), set_config('statement_timeout', '0', true),
    set_config('lock_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`,
  values: [],
}

/**
 * Later statements see what the writer before left: the lock is a statement of its own. It fails where there
 * is no such company, so that nothing that is sent along with it, a COMMIT included, is done.
 */
function lockCompany(tenantId: string): Statement {
  return {
    text: `select 1 / count(*) from
      (select from empresa_counters where tenant_id = $1 for no key update) as locked`,
    values: [tenantId],
  }
}

const DIVISION_BY_ZERO = '22012'

export class Database {
  readonly #pool: pg.Pool
  readonly #run: (client: pg.PoolClient, statements: readonly Statement[]) => Promise<Result[]>
  /** Emits announcements, each with the id of the company that committed. */
  readonly committed = new EventEmitter<Record<Announcement, [tenantId: string]>>()

  /** Behind a pooler each transaction may be on another connection of the server: no statement has a name. */
  constructor(pool: pg.Pool, { pooler = false } = {}) {
    this.#pool = pool
    this.#run = (client, statements) => runBatch(client, statements, !pooler)
  }

  /** Reads of one company. Each statement is a transaction and a round trip of its own. */
  reader(tenantId: string, planning?: Planning): Tx {
    const acting = actAs('lastro_app', tenantId, planning)
    return {
      tenantId,
      query: async <Row>(text: string, values: readonly Param[] = []) =>
        (await this.#runAs(acting, [{ text, values }]))[0]!.rows as Row[],
    }
  }

  /** Reads and writes across companies, as far as the role's policies let it. */
  system(role: SystemRole): SystemTx {
    const batch = async <Row>(statements: readonly Statement[]) =>
      (await this.#runAs(actAs(role, ''), statements)).at(-1)!.rows as Row[]
    return { batch, query: (text, values = []) => batch([{ text, values }]) }
  }

  async #runAs(acting: Statement, statements: readonly Statement[]) {
    const results = await this.#withClient((client) => this.#run(client, [acting, ...statements]))
    return results.slice(1)
  }

  /**
   * One write transaction of a company. It begins with the first statement, in its round trip, by taking
   * the lock that makes it the company's only writer; it commits when `work` is done, or not at all.
   */
  async write<T>(tenantId: string, work: (tx: WriteTx) => Promise<T>): Promise<T> {
    const announced = new Set<Announcement>()
    const value = await this.#withClient(async (client) => {
      const opening = [BEGIN, actAs('lastro_app', tenantId), lockCompany(tenantId)]
      const deferred: (Statement & { announces: Announcement | undefined } & Deferred<unknown>)[] =
        []
      let begun = false
      const run = async (statements: Statement[]): Promise<Result[]> => {
        if (begun) return this.#run(client, statements)
        const sending = this.#run(client, [...opening, ...statements])
        begun = true
        const results = await sending.catch((error: unknown) => {
          if (sqlState(error) !== DIVISION_BY_ZERO) throw error
          throw new Error(`Company ${tenantId} does not exist`, { cause: error })
        })
        return results.slice(opening.length)
      }
      const tx: WriteTx = {
        tenantId,
        query: async <Row>(text: string, values: readonly Param[] = []) =>
          (await run([{ text, values }]))[0]!.rows as Row[],
        defer: <Row>(text: string, values: readonly Param[] = [], announces?: Announcement) => {
          const statement = { text, values, announces, rows: [] }
          deferred.push(statement)
          return statement as Deferred<Row>
        },
        announce: (announcement) => announced.add(announcement),
      }
      try {
        const value = await work(tx)
        if (!begun && deferred.length === 0) return value
        const results = await run([...deferred, COMMIT])
        // After a failure that went unnoticed COMMIT succeeds, as a ROLLBACK.
        if (results.at(-1)!.command !== 'COMMIT') throw new Error('The transaction was rolled back')
        for (const [i, statement] of deferred.entries()) {
          const { command, rows } = results[i]!
          statement.rows = rows
          if (statement.announces && !command.endsWith(' 0')) announced.add(statement.announces)
        }
        return value
      } catch (error) {
        // A connection that cannot even roll back is dropped by the pool, and the server rolls back.
        if (begun && !lost(error)) await this.#run(client, [ROLLBACK]).catch(() => {})
        throw error
      }
    })
    for (const announcement of announced) this.committed.emit(announcement, tenantId)
    return value
  }

  /** Reads of one company, all of them as it is at one moment. */
  snapshot<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#inside([BEGIN_SNAPSHOT, actAs('lastro_app', tenantId)], ({ query }) =>
      work({ tenantId, query }),
    )
  }

  /** All companies in one transaction, or as they are at one moment (`snapshot`), without a limit of time. */
  care<T>(work: (tx: CareTx) => Promise<T>, { snapshot = false } = {}): Promise<T> {
    return this.#inside([snapshot ? BEGIN_SNAPSHOT : BEGIN, ACT_WITH_CARE], work)
  }

  async #inside<T>(opening: Statement[], work: (tx: CareTx) => Promise<T>): Promise<T> {
    return this.#withClient(async (client) => {
      const query = async <Row>(text: string, values: readonly Param[] = []) =>
        (await this.#run(client, [{ text, values }]))[0]!.rows as Row[]
      await this.#run(client, opening)
      try {
        const value = await work({ query })
        const [{ command }] = (await this.#run(client, [COMMIT])) as [Result]
        if (command !== 'COMMIT') throw new Error('The transaction was rolled back')
        return value
      } catch (error) {
        await this.#run(client, [ROLLBACK]).catch(() => {})
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
  // Connection failures, shutdown and start-up, too many connections; lock and statement timeouts; a standby
  // that has not yet taken over.
  return /^(08|57P0|53)/.test(state) || ['55P03', '57014', '25006'].includes(state)
}

function isNetworkFault(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return true
  return (
    message !== undefined &&
    /connection (terminated|error)|client was closed|timeout exceeded/i.test(message)
  )
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('unavailable', { cause, headers: { 'retry-after': '1' } })
}

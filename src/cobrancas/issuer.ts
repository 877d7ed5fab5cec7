import { type Clock, todayIn } from '../clock.ts'
import type { Database, WriteTx } from '../db/database.ts'
import { findEmpresa } from '../empresas/empresas.ts'
import { ApiError } from '../errors.ts'
import { type Author, SYSTEM } from '../events/outbox.ts'
import type { Accounts } from '../provedores/contas.ts'
import { type Charge, ProviderRefused, ProviderUnavailable } from '../providers/provider.ts'
import { requestOf, settle } from './cobrancas.ts'
import {
  type CobrancaRow,
  endIssuing,
  failCobranca,
  findCobranca,
  postponeLook,
  saysStillIssuing,
} from './queries.ts'
import type { Cobranca } from './schema.ts'

/** Seconds to the next question, when a provider has not answered the first, the second, and so on. */
const ASK_AGAIN = [60, 300, 1800, 7200, 86_400]
/** A request that issues says so as often. */
const STILL_ISSUING_MS = 2_000

/** Speaks with providers about charges, no transaction open meanwhile, and writes down what they say. */
export class Issuer {
  readonly #db: Database
  readonly #accounts: Accounts
  readonly #clock: Clock

  constructor(db: Database, accounts: Accounts, clock: Clock) {
    this.#db = db
    this.#accounts = accounts
    this.#clock = clock
  }

  /**
   * The second and third step of an issue: the provider is asked, and its answer written down. Where there is
   * none the charge stays `emitindo`: it may have been issued, and is looked at later.
   */
  async issue(
    tenantId: string,
    by: Author,
    row: CobrancaRow,
    ifRefused: (tx: WriteTx) => void,
  ): Promise<Cobranca> {
    const db = this.#db
    const speaking = setInterval(() => {
      saysStillIssuing(db, tenantId, row.id).catch(() => {})
    }, STILL_ISSUING_MS)
    try {
      return await this.#settle(tenantId, by, row, await this.#ask(tenantId, row))
    } catch (error) {
      if (error instanceof ProviderRefused) {
        await db.write(tenantId, async (tx) => {
          await failCobranca(tx, row.id, error.reason)
          ifRefused(tx)
        })
        throw new ApiError('provider-refused', { detail: error.reason, cause: error })
      }
      // Whoever waits for it learns a little later what this could not write down.
      await db.write(tenantId, (tx) => endIssuing(tx, row.id)).catch(() => {})
      if (error instanceof ProviderUnavailable) {
        throw new ApiError('provider-unavailable', { cause: error })
      }
      throw error
    } finally {
      clearInterval(speaking)
    }
  }

  async #ask(tenantId: string, row: CobrancaRow): Promise<Charge> {
    const tx = this.#db.reader(tenantId)
    const { provider, account } = await this.#accounts.of(tx, row.conta_id)
    return provider.issue(account, await requestOf(tx, row))
  }

  /** Asks how a charge stands. One that is not known to have been issued is asked for before it is issued. */
  async look(tenantId: string, id: string): Promise<void> {
    const tx = this.#db.reader(tenantId)
    const row = await findCobranca(tx, id)
    if (!row || row.status === 'falhou') return
    const { provider, account } = await this.#accounts.of(tx, row.conta_id)
    try {
      const charge = row.provedor_id
        ? await provider.read(account, row.provedor_id)
        : ((await provider.find(account, id)) ?? (await this.#ask(tenantId, row)))
      await this.#settle(tenantId, SYSTEM, row, charge)
    } catch (error) {
      await this.#db.write(tenantId, async (tx) => {
        const neverIssued = error instanceof ProviderRefused && !row.provedor_id
        if (neverIssued) return failCobranca(tx, id, error.reason)
        const wait = ASK_AGAIN[Math.min(Number(row.perguntas), ASK_AGAIN.length - 1)]!
        return postponeLook(tx, id, wait)
      })
      throw error
    }
  }

  /** Has a charge cancelled, or, where its provider plays, paid or refunded. */
  async act(
    tenantId: string,
    by: Author,
    id: string,
    act: 'pay' | 'refund' | 'cancel',
  ): Promise<Cobranca> {
    const tx = this.#db.reader(tenantId)
    const row = await findCobranca(tx, id)
    const { provider, account } = row ? await this.#accounts.of(tx, row.conta_id) : {}
    if (!row?.provedor_id || !provider || !account) {
      throw new ProviderRefused('A cobrança não está emitida.')
    }
    if (act === 'cancel') {
      return this.#settle(tenantId, by, row, await provider.cancel(account, row.provedor_id))
    }
    if (!provider.simulate) {
      throw new ProviderRefused('Somente uma cobrança do sandbox pode ser paga por aqui.')
    }
    const charge = await provider.simulate(account, row.provedor_id, act)
    return this.#settle(tenantId, by, row, charge)
  }

  async #settle(
    tenantId: string,
    by: Author,
    asked: CobrancaRow,
    charge: Charge,
  ): Promise<Cobranca> {
    const { fuso_horario } = await findEmpresa(this.#db, tenantId)
    const today = todayIn(fuso_horario, this.#clock)
    return this.#db.write(tenantId, (tx) => settle(tx, by, asked, charge, today))
  }
}

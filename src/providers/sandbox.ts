import { type Clock, todayIn } from '../clock.ts'
import type { Database, Tx } from '../db/database.ts'
import { boletoCodes } from './boleto.ts'
import { pixBrCode } from './pix.ts'
import {
  type Account,
  type Charge,
  type ChargeRequest,
  type Forma,
  type Provider,
  ProviderRefused,
  ProviderUnavailable,
} from './provider.ts'

interface Entry {
  reference: string
  valor: bigint
  vencimento: string
  forma: Forma
  status: Charge['status']
  pago_em: string | null
}

/** No bank has this number, so nothing issued here can be paid by mistake. */
const BANCO = '000'
const PREFIX = 'sbx_'
/** More does not fit in a boleto. */
const BOLETO_MAX = 9_999_999_999n

/** Descriptions by which an integrator sees what a provider can do to them. */
const REFUSE = 'sandbox:recusar'
const NO_ANSWER = 'sandbox:sem-resposta'

/**
 * A provider inside the service. It keeps books of its own and is asked like any other, so that whatever
 * works with it works with a real one; what it issues has the form that a bank would accept.
 */
export class Sandbox implements Provider {
  readonly needsDocument = false
  readonly #db: Database
  readonly #publicUrl: string
  readonly #clock: Clock

  constructor(db: Database, publicUrl: string, clock: Clock) {
    this.#db = db
    this.#publicUrl = publicUrl
    this.#clock = clock
  }

  async check(): Promise<void> {}

  async issue(account: Account, request: ChargeRequest): Promise<Charge> {
    const { reference, valor, vencimento, forma, descricao } = request
    if (descricao === NO_ANSWER) throw new ProviderUnavailable('the sandbox was told not to answer')
    if (descricao === REFUSE)
      throw new ProviderRefused('O sandbox recusou a cobrança, como pedido.')
    if (forma === 'BOLETO' && valor > BOLETO_MAX) {
      throw new ProviderRefused('Um boleto não comporta mais de R$ 99.999.999,99.')
    }
    await this.#db.write(account.tenantId, (tx) =>
      tx.query(
        `insert into sandbox_cobrancas (tenant_id, reference, valor, vencimento, forma)
         values ($1, $2, $3, $4, $5) on conflict do nothing`,
        [tx.tenantId, reference, valor, vencimento, forma],
      ),
    )
    return (await this.find(account, reference))!
  }

  async find(account: Account, reference: string): Promise<Charge | undefined> {
    const tx = this.#db.reader(account.tenantId)
    const entry = await findEntry(tx, reference)
    return entry && this.#present(account, entry, await companyOf(tx))
  }

  async read(account: Account, id: string): Promise<Charge> {
    const charge = await this.find(account, id.slice(PREFIX.length))
    if (!charge) throw new ProviderRefused('O sandbox não conhece a cobrança.')
    return charge
  }

  async cancel(account: Account, id: string): Promise<Charge> {
    return this.#move(account, id, { from: 'pendente', to: 'cancelada' })
  }

  async simulate(account: Account, id: string, act: 'pay' | 'refund'): Promise<Charge> {
    return act === 'pay'
      ? this.#move(account, id, { from: 'pendente', to: 'paga' })
      : this.#move(account, id, { from: 'paga', to: 'estornada' })
  }

  /** It has nobody to send notice from outside. */
  readNotice(): undefined {}

  async #move(
    account: Account,
    id: string,
    { from, to }: Record<'from' | 'to', Charge['status']>,
  ): Promise<Charge> {
    const today = todayIn((await companyOf(this.#db.reader(account.tenantId))).zone, this.#clock)
    await this.#db.write(account.tenantId, (tx) =>
      tx.query(
        `update sandbox_cobrancas set status = $4, pago_em = coalesce(pago_em, $5)
         where tenant_id = $1 and reference = $2 and status = $3`,
        [tx.tenantId, id.slice(PREFIX.length), from, to, to === 'paga' ? today : null],
      ),
    )
    const charge = await this.read(account, id)
    if (charge.status === to) return charge
    throw new ProviderRefused(`A cobrança está ${charge.status} e não pode passar a ${to}.`)
  }

  #present(account: Account, entry: Entry, company: Company): Charge {
    const { reference, valor, forma, status, pago_em } = entry
    const page = `${this.#publicUrl}/pagar/${account.tenantId}/${reference}`
    const boleto = (forma === 'BOLETO' || forma === 'UNDEFINED') && valor <= BOLETO_MAX
    const pix = forma === 'PIX' || forma === 'UNDEFINED'
    const codes = boleto
      ? boletoCodes({ ...entry, banco: BANCO, campoLivre: digitsOf(reference) })
      : null
    return {
      id: PREFIX + reference,
      status,
      invoiceUrl: page,
      bankSlipUrl: boleto ? `${page}#boleto` : null,
      linhaDigitavel: codes?.linhaDigitavel ?? null,
      codigoBarras: codes?.codigoBarras ?? null,
      pixCopiaECola: pix
        ? pixBrCode({
            chave: account.id,
            nome: company.nome,
            cidade: 'SAO PAULO',
            valor,
            txid: reference.replaceAll('-', '').slice(-25),
          })
        : null,
      pagoEm: pago_em,
      valorPago: pago_em ? valor : null,
    }
  }
}

interface Company {
  nome: string
  zone: string
}

async function companyOf(tx: Tx): Promise<Company> {
  const [row] = await tx.query<Company>(
    'select nome, fuso_horario as zone from empresas where tenant_id = $1',
    [tx.tenantId],
  )
  return row!
}

async function findEntry(tx: Tx, reference: string): Promise<Entry | undefined> {
  const [entry] = await tx.query<Entry>(
    `select reference, valor, vencimento, forma, status, pago_em from sandbox_cobrancas
     where tenant_id = $1 and reference = $2`,
    [tx.tenantId, reference],
  )
  return entry
}

/** What a bank would number the charge by: as many digits as the free field of a boleto holds. */
function digitsOf(reference: string): string {
  const number = BigInt(`0x${reference.replaceAll('-', '')}`) % 10n ** 25n
  return number.toString().padStart(25, '0')
}

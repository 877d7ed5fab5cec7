import type { IncomingHttpHeaders } from 'node:http'

export const FORMAS = ['UNDEFINED', 'BOLETO', 'PIX', 'CREDIT_CARD'] as const
/** How a charge may be paid; of `UNDEFINED` the payer chooses. */
export type Forma = (typeof FORMAS)[number]

/** A company's account with a provider, opened for one conversation. */
export interface Account {
  tenantId: string
  /** Ours, not the provider's. */
  id: string
  /** Where the provider's API is, for one that has several. */
  baseUrl: string | null
  apiKey: string | null
}

export interface Payer {
  nome: string
  documento: string | null
  email: string | null
  telefone: string | null
}

export interface ChargeRequest {
  /** The charge's id with us: by it the provider is asked whether it knows the charge. */
  reference: string
  /** Centavos. */
  valor: bigint
  vencimento: string
  forma: Forma
  descricao: string | null
  payer: Payer | null
}

/** A charge as its provider tells it. That it is overdue is not told: its due date says so. */
export interface Charge {
  id: string
  status: 'pendente' | 'paga' | 'cancelada' | 'estornada'
  invoiceUrl: string | null
  bankSlipUrl: string | null
  linhaDigitavel: string | null
  codigoBarras: string | null
  pixCopiaECola: string | null
  /** The day of payment, and how many centavos were paid; `null` until then. */
  pagoEm: string | null
  valorPago: bigint | null
}

/** What a provider sends by itself: that something has happened to a charge. What, it is asked. */
export interface Notice {
  /** What the sender shows to prove who it is. */
  token: string
  /** The same for every repetition of it. */
  id: string
  /** The provider's id of the charge, where the notice is about one. */
  chargeId: string | null
}

/** What charges need of whoever issues them. Calls may take seconds: no transaction is open meanwhile. */
export interface Provider {
  /** Whether a payer must be known by CPF or CNPJ. */
  readonly needsDocument: boolean
  /** Whether the account can be used at all. */
  check(account: Account): Promise<void>
  /** Not safe to repeat: whoever does not know what came of it asks by reference first. */
  issue(account: Account, request: ChargeRequest): Promise<Charge>
  find(account: Account, reference: string): Promise<Charge | undefined>
  read(account: Account, id: string): Promise<Charge>
  cancel(account: Account, id: string): Promise<Charge>
  /** What a provider's message says, or nothing where it cannot be one of its own. */
  readNotice(headers: IncomingHttpHeaders, body: unknown): Notice | undefined
  /** Of one that plays: what in the real world the payer or the bank would do. */
  simulate?(account: Account, id: string, act: 'pay' | 'refund'): Promise<Charge>
}

/** By the name that an account and a charge carry. */
export type Providers = Readonly<Record<string, Provider>>

/** The provider answered, and will not: nothing was done. The reason is for a person. */
export class ProviderRefused extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

/** No answer, or none that can be understood: what was asked may or may not have been done. */
export class ProviderUnavailable extends Error {}

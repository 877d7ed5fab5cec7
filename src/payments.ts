import type { Clock } from './clock.ts'
import { Issuer } from './cobrancas/issuer.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { Accounts } from './provedores/contas.ts'
import { Asaas } from './providers/asaas.ts'
import type { Providers } from './providers/provider.ts'
import { Sandbox } from './providers/sandbox.ts'
import type { SecretBox } from './secret-box.ts'

/** What issuing charges takes. */
export interface Payments {
  providers: Providers
  accounts: Accounts
  issuer: Issuer
  close(): Promise<void>
}

interface Parts {
  db: Database
  config: Pick<Config, 'publicUrl'>
  secrets: SecretBox
  clock: Clock
}

/** The only place that knows which providers there are. */
export function openPayments({ db, config, secrets, clock }: Parts): Payments {
  const asaas = new Asaas()
  const providers = { sandbox: new Sandbox(db, config.publicUrl, clock), asaas }
  const accounts = new Accounts(providers, secrets)
  const issuer = new Issuer(db, accounts, clock)
  return { providers, accounts, issuer, close: () => asaas.close() }
}

import { Command } from 'commander'
import { isUuid } from '../db/uuid.ts'
import { OperatorError } from '../errors.ts'
import { SYSTEM } from '../events/outbox.ts'
import { ProviderRefused, ProviderUnavailable } from '../providers/provider.ts'
import { print, type WithDatabase } from '../terminal.ts'
import type { Issuer } from './issuer.ts'
import { companyOf } from './queries.ts'

const ACTS = {
  pay: 'Pay a charge of the sandbox, as its payer would.',
  refund: 'Refund a charge of the sandbox that was paid.',
  cancel: 'Cancel a charge at its provider.',
} as const

export function cobrancasCommands(withPayments: WithDatabase<{ issuer: Issuer }>): Command {
  const cobrancas = new Command('cobrancas').description('Charges.')
  for (const [name, description] of Object.entries(ACTS)) {
    cobrancas
      .command(name)
      .description(description)
      .argument('<id>', 'the charge')
      .option('--json', 'print the charge')
      .action((id: string, { json }) =>
        withPayments(async (db, { issuer }) => {
          const company = isUuid(id) ? await companyOf(db, id) : undefined
          if (!company) throw new OperatorError(`There is no charge ${id}.`)
          const item = await issuer
            .act(company, SYSTEM, id, name as keyof typeof ACTS)
            .catch(tellOperator)
          print(json, item, `The charge is now ${item.status}.`)
        }),
      )
  }
  return cobrancas
}

function tellOperator(error: unknown): never {
  if (error instanceof ProviderRefused) throw new OperatorError(error.reason)
  if (!(error instanceof ProviderUnavailable)) throw error
  throw new OperatorError(`The provider does not answer (${error.message}).`)
}

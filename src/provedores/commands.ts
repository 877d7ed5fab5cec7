import { Command, InvalidArgumentError } from 'commander'
import type { Config } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { print, type WithDatabase } from '../terminal.ts'
import { type Accounts, connect, connectionOf, disconnect } from './contas.ts'

interface Payments {
  accounts: Accounts
  config: Pick<Config, 'publicUrl'>
}

export function provedorCommands(
  withDatabase: WithDatabase,
  withPayments: WithDatabase<Payments>,
): Command {
  const provedor = new Command('provedor').description("A company's payment account.")

  provedor
    .command('connect')
    .description('Connect a payment account, or give the one that is connected another key.')
    .requiredOption('--empresa <id>', 'the company')
    .requiredOption('--provedor <name>', 'sandbox or asaas')
    .option('--api-key-stdin', "read the account's API key from standard input")
    .option('--base-url <url>', "where the provider's API is (default: its production)", parseUrl)
    .option('--json', 'print {"id": "…", "webhook_url": "…", "webhook_token": "…"}')
    .action(async ({ json, empresa, provedor, baseUrl = null, apiKeyStdin }) => {
      const apiKey = apiKeyStdin ? await readKey() : null
      await withPayments(async (db, { accounts, config }) => {
        const { id, token } = await connect(db, accounts, { empresa, provedor, baseUrl, apiKey })
        const notices = {
          webhook_url: `${config.publicUrl}/provedores/${provedor}/${id}`,
          webhook_token: token,
        }
        const words = [`Connected ${provedor} as account ${id}.`]
        if (token) {
          words.push(
            'Have its webhooks about charges sent here:',
            `  ${notices.webhook_url}`,
            'with this token, which is shown only now:',
            `  ${token}`,
          )
        }
        print(json, { id, ...(token ? notices : {}) }, words.join('\n'))
      })
    })

  provedor
    .command('status')
    .description('Say which account a company is connected to.')
    .requiredOption('--empresa <id>', 'the company')
    .option('--json', 'print {"conectada": …, …}')
    .action(({ json, empresa }) =>
      withDatabase(async (db) => {
        const conta = await connectionOf(db, empresa)
        const words = conta
          ? `Connected to ${conta.provedor} as account ${conta.id} since ${conta.conectada_em}.`
          : 'No payment account is connected.'
        print(json, { conectada: conta !== undefined, ...conta }, words)
      }),
    )

  provedor
    .command('disconnect')
    .description('Disconnect the account and forget its key. Charges stay.')
    .requiredOption('--empresa <id>', 'the company')
    .option('--json', 'print {"conectada": false}')
    .action(({ json, empresa }) =>
      withDatabase(async (db) => {
        await disconnect(db, empresa)
        print(json, { conectada: false }, 'Disconnected.')
      }),
    )

  return provedor
}

async function readKey(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  const key = text.trim()
  if (/^[\x21-\x7e]{1,1000}$/.test(key)) return key
  throw new OperatorError('Standard input holds no API key: one line of visible characters.')
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isLoopback = url && /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)) {
    return text.replace(/\/+$/, '')
  }
  throw new InvalidArgumentError('Use an https address.')
}

import { Command } from 'commander'
import {
  auditoriaCommands,
  backupCommand,
  doctorCommand,
  restoreCommand,
  secretsCommands,
} from './care/commands.ts'
import { chavesCommands } from './chaves/commands.ts'
import { cobrancasCommands } from './cobrancas/commands.ts'
import { type Config, loadConfig } from './config.ts'
import { type DatabaseServer, openServer } from './db/connect.ts'
import { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { createPool } from './db/pool.ts'
import { empresasCommands } from './empresas/commands.ts'
import { ApiError, OperatorError } from './errors.ts'
import { lancamentosCommands } from './importacao/commands.ts'
import { totaisCommands } from './lancamentos/commands.ts'
import type { Payments } from './payments.ts'
import { provedorCommands } from './provedores/commands.ts'
import { openSecretBox } from './secret-box.ts'
import { print, type WithDatabase } from './terminal.ts'
import { usuariosCommands } from './usuarios/commands.ts'
import { webhooksCommands } from './webhooks/commands.ts'

const program = new Command('lastro')
  .description('Financial management for Brazilian companies: REST API and signed webhooks.')
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError()

program
  .command('serve')
  .description('Run the service until it is told to stop.')
  .option('--no-worker', 'answer HTTP alone; `lastro worker` carries the webhooks out')
  .action(({ worker }: { worker: boolean }) => runService({ http: true, worker }))

program
  .command('worker')
  .description('Carry out webhook deliveries alone, beside any number of `serve`.')
  .action(() => runService({ http: false, worker: true }))

program
  .command('migrate')
  .description('Bring the database up to this version, and exit. `serve` does it by itself.')
  .option('--json', 'print {"migrations": […]}')
  .action(async ({ json }: { json?: true }) => {
    const server = await openServer(loadConfig())
    try {
      const migrations = await migrate(server.direct)
      const words = migrations.map((name) => `Ran ${name}.`).join('\n')
      print(json, { migrations }, words || 'The database is up to date.')
    } finally {
      await server.leave()
    }
  })

const withDatabase: WithDatabase = (work) => withServer((db) => work(db, undefined))

program.addCommand(empresasCommands(withDatabase))
program.addCommand(chavesCommands(withDatabase))
program.addCommand(lancamentosCommands(withDatabase))
program.addCommand(totaisCommands(withDatabase))
program.addCommand(usuariosCommands(withDatabase, loadConfig))
program.addCommand(provedorCommands(withDatabase, withPayments))
program.addCommand(cobrancasCommands(withPayments))
program.addCommand(webhooksCommands())
program.addCommand(auditoriaCommands(withDatabase))
program.addCommand(doctorCommand(withServer))
program.addCommand(backupCommand(withServer))
program.addCommand(restoreCommand(withServer))
program.addCommand(secretsCommands(withServer))

async function runService(roles: { http: boolean; worker: boolean }): Promise<void> {
  // Loaded here alone: the other commands need no HTTP server, and are quicker without.
  const { run } = await import('./main.ts')
  await run(loadConfig(), roles)
}

async function withPayments<T>(
  work: (db: Database, payments: Payments & { config: Config }) => Promise<T>,
): Promise<T> {
  return withServer(async (db, { config, server: { folder } }) => {
    const { openPayments } = await import('./payments.ts')
    const secrets = openSecretBox(config, folder)
    const payments = openPayments({ db, config, secrets, clock: Date.now })
    try {
      return await work(db, { ...payments, config })
    } finally {
      await payments.close()
    }
  })
}

/** The database, up to date unless told otherwise, beside a running service or without one. */
async function withServer<T>(
  work: (db: Database, around: { config: Config; server: DatabaseServer }) => Promise<T>,
  { upToDate = true, serve = false } = {},
): Promise<T> {
  const config = loadConfig()
  const server = await openServer(config, { serve })
  try {
    if (upToDate) await migrate(server.direct)
    const pool = createPool(server.connection, () => {})
    try {
      return await work(new Database(pool, server), { config, server })
    } finally {
      await pool.end()
    }
  } finally {
    await server.leave()
  }
}

try {
  await program.parseAsync()
} catch (error) {
  const words = error instanceof ApiError ? error.detail : (error as Error).message
  if (!(error instanceof OperatorError || error instanceof ApiError)) throw error
  // It may name what is in somebody's file: a terminal does what control characters tell it.
  process.stderr.write(`${words.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')}\n`)
  process.exitCode = 1
}

import { Command } from 'commander'
import { chavesCommands } from './chaves/commands.ts'
import { loadConfig } from './config.ts'
import { openServer } from './db/connect.ts'
import { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { createPool } from './db/pool.ts'
import { empresasCommands } from './empresas/commands.ts'
import { OperatorError } from './errors.ts'
import { totaisCommands } from './lancamentos/commands.ts'
import { print } from './terminal.ts'

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

program.addCommand(empresasCommands(withDatabase))
program.addCommand(chavesCommands(withDatabase))
program.addCommand(totaisCommands(withDatabase))

async function runService(roles: { http: boolean; worker: boolean }): Promise<void> {
  // Loaded here alone: the other commands need no HTTP server, and are quicker without.
  const { run } = await import('./main.ts')
  await run(loadConfig(), roles)
}

/** Gives a command the database, up to date, beside a running service or without one. */
async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const server = await openServer(loadConfig())
  try {
    await migrate(server.direct)
    const pool = createPool(server.connection, () => {})
    try {
      return await work(new Database(pool))
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
  if (!(error instanceof OperatorError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

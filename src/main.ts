import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { FULL_SCOPES } from './auth/scopes.ts'
import type { Config } from './config.ts'
import { openServer } from './db/connect.ts'
import { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { createPool } from './db/pool.ts'
import { type Demo, ensureDemo } from './demo/demo.ts'
import { OperatorError } from './errors.ts'
import { createLogger, type Logger } from './logger.ts'

/** A supervisor's patience usually ends here. */
const STOP_LIMIT_MS = 10_000
/** Until then what is under way may be finished; then its connections are cut, and the rest is closed. */
const DRAIN_LIMIT_MS = 7_000

/** Config → database → app; then it serves until it is told to stop. */
export async function serve(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel)
  const server = await openServer(config, { serve: true, onLost: reportLoss(logger) })
  const stops: (() => Promise<unknown>)[] = [server.leave]
  const stop = async () => {
    for (const each of stops.reverse()) await each()
  }
  try {
    await migrate(server.direct)
    const pool = createPool(server.connection, reportLoss(logger))
    stops.push(() => pool.end())
    const db = new Database(pool)
    // A demonstration is for the embedded server: somebody else's database is theirs to fill.
    const demo = config.demo && server.folder ? await ensureDemo(db, Date.now) : undefined
    const app = await buildApp({ config, db, logger })
    stops.push(() => drain(app))
    await listen(app, config)
    say(config, server.folder, demo)
  } catch (error) {
    await stop()
    throw error
  }
  closeWithGrace({ delay: STOP_LIMIT_MS, logger }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'stopping after an error that nothing caught')
    await stop()
  })
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port, listenTextResolver: () => 'listening' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new OperatorError(
      code === 'EADDRINUSE'
        ? `Port ${port} is taken; stop what uses it or set PORT to another.`
        : `Cannot listen on ${host}:${port}: ${message}.`,
    )
  }
}

async function drain(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_LIMIT_MS)
  await app.close()
  clearTimeout(cut)
}

function say(config: Config, folder: string | undefined, demo: Demo | undefined): void {
  const lines = [
    `Lastro is ready at ${config.publicUrl}`,
    `  API        ${config.publicUrl}/api/v1`,
    `  Reference  ${config.publicUrl}/docs`,
    `  Health     ${config.publicUrl}/healthz, ${config.publicUrl}/readyz`,
    `  Database   ${folder ? `embedded PostgreSQL, data in ${folder}` : 'DATABASE_URL'}`,
    `  Commands   npm run -s lastro -- --help`,
    ...(demo ? ['', ...introduce(config, demo)] : []),
  ]
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
}

function introduce({ publicUrl }: Config, { empresa, key }: Demo): string[] {
  if (!key) {
    return [
      'A new key for the demonstration company:',
      `  npm run -s lastro -- chaves create --empresa ${empresa} --scopes ${FULL_SCOPES.join(',')}`,
    ]
  }
  return [
    `There is a demonstration company, ${empresa}. Its key is shown only now:`,
    `  ${key}`,
    'Try it:',
    `  curl -H "Authorization: Bearer ${key}" "${publicUrl}/api/v1/lancamentos?limit=3"`,
  ]
}

function reportLoss(logger: Logger) {
  return (error: unknown) => logger.warn({ err: error }, 'lost a connection to PostgreSQL')
}

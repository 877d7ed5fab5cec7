import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { FULL_SCOPES } from './auth/scopes.ts'
import { Reconciler } from './cobrancas/reconciler.ts'
import type { Config } from './config.ts'
import { type DatabaseServer, openServer } from './db/connect.ts'
import { Database } from './db/database.ts'
import { keepHistory } from './db/history.ts'
import { migrate } from './db/migrate.ts'
import { createPool } from './db/pool.ts'
import { AddressGuard } from './delivery/address-guard.ts'
import { Sender } from './delivery/sender.ts'
import { announceDeliveries, DeliveryListener } from './delivery/wake.ts'
import { Worker } from './delivery/worker.ts'
import { type Demo, ensureDemo } from './demo/demo.ts'
import { OperatorError } from './errors.ts'
import { createLogger, type Logger } from './logger.ts'
import { Metrics } from './metrics/metrics.ts'
import { serveMetrics } from './metrics/server.ts'
import { openPayments, type Payments } from './payments.ts'
import { Rounds } from './rounds.ts'
import { openSecretBox, type SecretBox } from './secret-box.ts'
import { conviteLink } from './usuarios/commands.ts'
import { Redeliverer } from './webhooks/redeliverer.ts'

/** A supervisor's patience usually ends here: callers and deliveries under way must be done before. */
const STOP_LIMIT_MS = 10_000
/** What a long dump keeps from being done is done at the next look. */
const HISTORY_MS = 6 * 60 * 60 * 1_000
/** Until then what is under way may be finished; then its connections are cut, and the rest is closed. */
const DRAIN_LIMIT_MS = 5_000

interface Roles {
  /** Answers HTTP. */
  http: boolean
  /** Carries out deliveries. */
  worker: boolean
}

/** Config → database → app and worker; then it runs until it is told to stop. */
export async function run(config: Config, { http, worker }: Roles): Promise<void> {
  const logger = createLogger(config.logLevel)
  const server = await openServer(config, { serve: http, onLost: reportLoss(logger) })
  const stops: (() => Promise<unknown>)[] = [server.leave]
  const stop = async () => {
    while (stops.length > 0) await stops.pop()?.()
  }
  // From here on a signal ends it gracefully, however far the start has come.
  const grace = closeWithGrace({ delay: STOP_LIMIT_MS, logger }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'stopping after an error that nothing caught')
    await stop()
  })
  try {
    const secrets = openSecretBox(config, server.folder)
    await migrate(server.direct)
    const pool = createPool(server.connection, reportLoss(logger))
    stops.push(() => pool.end())
    stops.push(startHistory(config, server, logger))
    const db = new Database(pool, server)
    const metrics = new Metrics()
    const { metricsHost: host, metricsPort: port } = config
    if (port) stops.push(await serveMetrics({ host, port, metrics, pool, db }))
    const guard = new AddressGuard({ devTargets: config.webhookDevTargets })
    if (config.webhookDevTargets.length > 0) {
      logger.warn('WEBHOOK_DEV_TARGETS is set: webhooks may reach addresses that are not public')
    }
    const payments = openPayments({ db, config, secrets, clock: Date.now })
    stops.push(payments.close)
    if (worker)
      stops.push(await startWorker(config, server, { db, guard, secrets, logger, metrics }))
    if (worker) stops.push(startReconciler(db, payments, logger), startRedeliverer(db, logger))
    if (http) {
      announceDeliveries(db, pool)
      // A demonstration is for the embedded server: somebody else's database is theirs to fill.
      const demo =
        config.demo && server.folder ? await ensureDemo(db, payments, Date.now) : undefined
      const app = await buildApp({ config, db, logger, guard, secrets, payments, metrics })
      stops.push(() => drain(app))
      await listen(app, config)
      say(config, server.folder, demo)
    } else process.stdout.write('Lastro worker is ready.\n')
  } catch (error) {
    // Whoever called run() ends the process, and with what code.
    grace.uninstall()
    await stop()
    throw error
  }
}

interface Parts {
  db: Database
  guard: AddressGuard
  secrets: SecretBox
  logger: Logger
  metrics: Metrics
}

/** Woken by this process directly, by others over NOTIFY. Returns how it is stopped. */
async function startWorker(config: Config, server: DatabaseServer, parts: Parts) {
  const { db, guard, secrets, logger, metrics } = parts
  const worker = new Worker({
    db,
    secrets,
    logger,
    sender: new Sender(guard),
    policy: { delays: config.webhookRetryDelays, maxAttempts: config.webhookMaxAttempts },
    clock: Date.now,
    onAttempt: (attempt) => metrics.countAttempt(attempt),
  })
  const wake = (company?: string) => worker.wake(company)
  db.committed.on('deliveries', wake)
  const listener = new DeliveryListener(server.direct, wake, logger)
  await listener.start()
  worker.start()
  return async () => {
    await listener.stop()
    await worker.stop()
  }
}

/** Returns how it is stopped. */
function startHistory({ retentionMonths }: Config, { direct }: DatabaseServer, logger: Logger) {
  const history = new Rounds(
    () => keepHistory(direct, retentionMonths, logger),
    (err) => logger.warn({ err }, 'history could not be looked after; the next look tries again'),
  )
  history.start(HISTORY_MS)
  return () => history.stop()
}

/** Returns how it is stopped. */
function startReconciler(db: Database, { issuer }: Payments, logger: Logger) {
  const reconciler = new Reconciler(db, issuer, logger)
  db.committed.on('cobrancas', () => reconciler.wake())
  reconciler.start()
  return () => reconciler.stop()
}

/** Returns how it is stopped. */
function startRedeliverer(db: Database, logger: Logger) {
  const redeliverer = new Redeliverer(db, logger)
  redeliverer.start()
  return () => redeliverer.stop()
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

function introduce({ publicUrl }: Config, { empresa, key, convite }: Demo): string[] {
  if (!key || !convite) {
    return [
      'A link into the demonstration company, and a new key for it:',
      `  npm run -s lastro -- usuarios invite --empresa ${empresa} --email EMAIL --role admin`,
      `  npm run -s lastro -- chaves create --empresa ${empresa} --scopes ${FULL_SCOPES.join(',')}`,
    ]
  }
  return [
    `There is a demonstration company, ${empresa}. Come in as its administrator, once:`,
    `  ${conviteLink({ publicUrl }, convite)}`,
    'Its key for the API is shown only now:',
    `  ${key}`,
    'Try it:',
    `  curl -H "Authorization: Bearer ${key}" "${publicUrl}/api/v1/lancamentos?limit=3"`,
  ]
}

function reportLoss(logger: Logger) {
  return (error: unknown) => logger.warn({ err: error }, 'lost a connection to PostgreSQL')
}

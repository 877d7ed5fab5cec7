import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { authenticate } from './auth/authenticate.ts'
import { KeyRing } from './auth/key-ring.ts'
import { MemoryRateCounter } from './auth/rate.ts'
import { SharedRateCounter } from './auth/shared-rate.ts'
import { categoriasRoutes } from './categorias/routes.ts'
import type { Clock } from './clock.ts'
import { noticeRoutes } from './cobrancas/notices.ts'
import { payerPages } from './cobrancas/pages.ts'
import { cobrancasRoutes } from './cobrancas/routes.ts'
import type { Config } from './config.ts'
import { consoleRoutes } from './console/console.ts'
import { consolePages } from './console/pages.ts'
import type { Database } from './db/database.ts'
import type { AddressGuard } from './delivery/address-guard.ts'
import { eventosRoutes } from './eventos/routes.ts'
import { healthRoutes } from './health.ts'
import { unknownAddresses } from './http/addresses.ts'
import type { Api } from './http/api.ts'
import { answerClientError, answerErrors, answerOddRequests } from './http/error-reply.ts'
import { Idempotent } from './http/idempotency.ts'
import { BODY_LIMIT, readJsonBodies } from './http/json-body.ts'
import { documentApi } from './http/openapi.ts'
import { logRequests } from './http/request-log.ts'
import { parseQuery, rewriteUrl } from './http/url.ts'
import { buildSerializer, compileValidator } from './http/validation.ts'
import { lancamentosRoutes } from './lancamentos/routes.ts'
import type { Logger } from './logger.ts'
import { Metrics } from './metrics/metrics.ts'
import { parceirosRoutes } from './parceiros/routes.ts'
import type { Payments } from './payments.ts'
import { resumoRoutes } from './resumo/routes.ts'
import type { SecretBox } from './secret-box.ts'
import { webhooksRoutes } from './webhooks/routes.ts'

interface Dependencies {
  config: Pick<Config, 'databaseUrl' | 'trustProxy' | 'publicUrl' | 'rateLimitPerMinute'>
  db: Database
  logger: Logger
  guard: AddressGuard
  secrets: SecretBox
  payments: Payments
  clock?: Clock
  metrics?: Metrics
}

/** The whole service over HTTP: a table of contents. */
export async function buildApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const { config, db, logger, guard, secrets, payments } = dependencies
  const { clock = Date.now, metrics = new Metrics() } = dependencies
  const app = createServer(config, logger)
  logRequests(app)
  metrics.countRequests(app)
  answerErrors(app)
  answerOddRequests(app)
  readJsonBodies(app)
  const refuseUnknownAddress = unknownAddresses(app)
  await documentApi(app, config.publicUrl)

  healthRoutes(app, db)
  noticeRoutes(app, db, payments.providers)
  await app.register(payerPages, { db, clock, ...payments })
  app.setNotFoundHandler(refuseUnknownAddress)

  await consolePages(app)
  const slice = { db, clock, idempotent: new Idempotent(db), guard, secrets, ...payments }
  await app.register(consoleRoutes, { prefix: '/app/api', slice, config })

  await app.register(
    async (api: Api) => {
      const admit = authenticate({
        keys: new KeyRing(db),
        // On the embedded server there is no other process that serves.
        calls: config.databaseUrl ? new SharedRateCounter(db) : new MemoryRateCounter(),
        failures: new MemoryRateCounter(),
        callsPerMinute: config.rateLimitPerMinute,
        clock,
      })
      api.addHook('onRequest', admit)
      // After the key, before the body: without a key not even an unknown address is told.
      api.addHook('onRequest', (request, _reply, done) => {
        if (request.is404) refuseUnknownAddress(request)
        done()
      })
      api.setNotFoundHandler(refuseUnknownAddress)

      lancamentosRoutes(api, slice)
      parceirosRoutes(api, slice)
      categoriasRoutes(api, slice)
      cobrancasRoutes(api, slice)
      resumoRoutes(api, slice)
      webhooksRoutes(api, slice)
      eventosRoutes(api, slice)
    },
    { prefix: '/api/v1' },
  )
  await app.ready()
  return app
}

function createServer({ trustProxy }: Pick<Config, 'trustProxy'>, logger: Logger): FastifyInstance {
  return Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // A request without Host is answered like any other, not by Node itself.
    http: { requireHostHeader: false },
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    bodyLimit: BODY_LIMIT,
    // A request that trickles in is cut off; a slow answer is bounded by the database's own timeouts.
    requestTimeout: 30_000,
    // While stopping, what has arrived is still answered.
    return503OnClosing: false,
    schemaController: {
      compilersFactory: { buildValidator: (() => compileValidator) as never, buildSerializer },
    },
    rewriteUrl,
    routerOptions: {
      ignoreTrailingSlash: true,
      querystringParser: parseQuery,
      maxParamLength: BODY_LIMIT,
    },
    clientErrorHandler: (error, socket) => answerClientError(logger, error, socket),
  })
}

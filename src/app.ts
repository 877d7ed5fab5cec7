import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { healthRoutes } from './health.ts'
import { answerUnknownAddresses } from './http/addresses.ts'
import { answerClientError, answerErrors } from './http/error-reply.ts'
import { BODY_LIMIT, readJsonBodies } from './http/json-body.ts'
import { logRequests } from './http/request-log.ts'
import { parseQuery, rewriteUrl } from './http/url.ts'
import type { Logger } from './logger.ts'

export interface Dependencies {
  config: Pick<Config, 'trustProxy'>
  db: Database
  logger: Logger
}

/** The whole service over HTTP: a table of contents. */
export function buildApp({ config, db, logger }: Dependencies): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: BODY_LIMIT,
    // A request that trickles in is cut off; a slow answer is bounded by the database's own timeouts.
    requestTimeout: 30_000,
    // While stopping, what has arrived is still answered.
    return503OnClosing: false,
    rewriteUrl,
    routerOptions: {
      ignoreTrailingSlash: true,
      querystringParser: parseQuery,
      maxParamLength: BODY_LIMIT,
    },
    clientErrorHandler: (error, socket) => answerClientError(logger, error, socket),
  })
  logRequests(app)
  answerErrors(app)
  readJsonBodies(app)
  const refuseUnknownAddress = answerUnknownAddresses(app)
  app.addHook('onRequest', async (request) => refuseUnknownAddress(request))

  healthRoutes(app, db)
  return app
}

function trustedProxies(trust: Config['trustProxy']) {
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : trust
}

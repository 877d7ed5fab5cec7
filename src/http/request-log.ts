import type { FastifyInstance } from 'fastify'

/**
 * One line for each answer, joined to everything else of the request by its id. It names the route and
 * never the address: a path or a query may hold what a caller should not have put there.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    request.log.info(
      { method, route: routeOptions.url ?? null, status: reply.statusCode, milliseconds },
      'request',
    )
    done()
  })
}

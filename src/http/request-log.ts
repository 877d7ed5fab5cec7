import type { FastifyInstance } from 'fastify'

/**
 * One line for each answer, joined to everything else of the request by its id. It names the route and
 * never the address: a path or a query may hold what a caller should not have put there.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    request.log.info(
      { method, route: routeOptions.url ?? null, status: reply.statusCode, milliseconds },
      'request',
    )
  })
}

import type { FastifyInstance } from 'fastify'
import type { Database } from './db/database.ts'

/** For whoever watches over the process: does it live, and can it serve? */
export function healthRoutes(app: FastifyInstance, db: Database): void {
  // Asked every few seconds: only a refusal is worth a line.
  const quiet = { logLevel: 'warn' } as const
  app.get('/healthz', quiet, async () => ({ status: 'ok' }))
  app.get('/readyz', quiet, async () => {
    await db.system('lastro_auth').query('select 1 as ready')
    return { status: 'ok' }
  })
}

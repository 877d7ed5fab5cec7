import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import { companyOfToken } from '../provedores/contas.ts'
import type { Providers } from '../providers/provider.ts'
import { keepNotice, lookNow } from './queries.ts'

/**
 * Where providers send notice. It is kept and answered at once; what it means is not read from it, the charge
 * is looked at instead: so repeated, late and disordered notices do no harm, and neither would a forged one.
 */
export function noticeRoutes(app: FastifyInstance, db: Database, providers: Providers): void {
  app.post<{ Params: { provedor: string; conta: string } }>(
    '/provedores/:provedor/:conta',
    { schema: { hide: true } },
    async ({ params: { provedor, conta }, headers, body }) => {
      const notice = providers[provedor]?.readNotice(headers, body)
      const company = notice && (await companyOfToken(db, provedor, conta, notice.token))
      if (!company) {
        throw new ApiError('invalid-api-key', { detail: 'O token do aviso não é desta conta.' })
      }
      await db.write(company, async (tx) => {
        const isNew = await keepNotice(tx, conta, { ...notice, body: JSON.stringify(body) })
        if (isNew && notice.chargeId) lookNow(tx, conta, notice.chargeId)
      })
      return { recebido: true }
    },
  )
}

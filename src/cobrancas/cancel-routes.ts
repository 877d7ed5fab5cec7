import { todayIn } from '../clock.ts'
import { ApiError } from '../errors.ts'
import { type Api, authorOf, type Slice } from '../http/api.ts'
import { IdParams, ItemOf, NoQuery, pathId, Ref } from '../http/schemas.ts'
import { ProviderRefused, ProviderUnavailable } from '../providers/provider.ts'
import { getCobranca } from './cobrancas.ts'
import type { Issuer } from './issuer.ts'
import { lookAt } from './queries.ts'
import { Cobranca } from './schema.ts'

const schema = {
  params: IdParams,
  querystring: NoQuery,
  response: { 200: ItemOf(Ref(Cobranca)) },
}
const CANCELABLE = ['pendente', 'vencida']

/** People may have a charge cancelled; programs may not. */
export function cancelRoutes(api: Api, { db, clock, issuer }: Slice & { issuer: Issuer }): void {
  api.post(
    '/cobrancas/:id/cancelar',
    { config: { scope: 'cobrancas:write', modulo: 'cobrancas' }, schema },
    async (request) => {
      const id = pathId(request.params)
      const { tenantId, fusoHorario } = request.actor
      const { status } = await getCobranca(db.reader(tenantId), id, todayIn(fusoHorario, clock))
      if (!CANCELABLE.includes(status)) {
        const detail = `A cobrança está ${status}; somente uma pendente ou vencida pode ser cancelada.`
        throw new ApiError('cobranca-not-cancelable', { detail })
      }
      const item = await issuer
        .act(tenantId, authorOf(request), id, 'cancel')
        .catch(async (error: unknown) => {
          const refusal = refusalOf(error)
          if (!refusal) throw error
          // It may have been paid, or cancelled after all: soon the books say so.
          await db.write(tenantId, async (tx) => lookAt(tx, id))
          throw refusal
        })
      return { item }
    },
  )
}

function refusalOf(error: unknown): ApiError | undefined {
  if (error instanceof ProviderRefused) {
    return new ApiError('provider-refused', { detail: error.reason, cause: error })
  }
  if (!(error instanceof ProviderUnavailable)) return undefined
  const detail =
    'O provedor de pagamento não respondeu. A cobrança será conferida; veja em instantes como ficou.'
  return new ApiError('provider-unavailable', { detail, cause: error })
}

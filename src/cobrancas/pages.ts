import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Clock, todayIn } from '../clock.ts'
import type { Database } from '../db/database.ts'
import { isUuid } from '../db/uuid.ts'
import { findEmpresa } from '../empresas/empresas.ts'
import { ApiError, OperatorError } from '../errors.ts'
import { SYSTEM } from '../events/outbox.ts'
import { type Provider, ProviderRefused, type Providers } from '../providers/provider.ts'
import { getCobranca } from './cobrancas.ts'
import type { Issuer } from './issuer.ts'
import { chargePage, messagePage, PAGE_POLICY } from './page.ts'

interface Options {
  db: Database
  clock: Clock
  providers: Providers
  issuer: Issuer
}

interface Address {
  empresa: string
  id: string
}

const ACTS = { pagar: 'pay', cancelar: 'cancel', estornar: 'refund' } as const

/** The page behind `invoice_url`. Whoever has the address may see it: both of its ids are random. */
export async function payerPages(app: FastifyInstance, options: Options): Promise<void> {
  const { db, clock, providers, issuer } = options
  // The buttons are forms without fields.
  app.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, done) =>
    done(null),
  )
  app.setErrorHandler(answerWithPage)

  async function find({ empresa, id }: Address) {
    if (!isUuid(empresa) || !isUuid(id)) throw new ApiError('not-found')
    const company = await findEmpresa(db, empresa).catch((error: unknown) => {
      throw error instanceof OperatorError ? new ApiError('not-found') : error
    })
    const today = todayIn(company.fuso_horario, clock)
    const cobranca = await getCobranca(db.reader(empresa), id, today)
    const provider: Provider | undefined = providers[cobranca.provedor]
    // Of a real charge nothing but its payment is the payer's to do.
    const acts = provider?.simulate ? `/pagar/${empresa}/${id}` : undefined
    return { empresa: company.nome, cobranca, acts }
  }

  app.get<{ Params: Address }>(
    '/pagar/:empresa/:id',
    { schema: { hide: true } },
    async ({ params }, reply) => sendPage(reply, chargePage(await find(params))),
  )

  app.post<{ Params: Address & { act: string } }>(
    '/pagar/:empresa/:id/:act',
    { schema: { hide: true } },
    async ({ params: { empresa, id, act } }, reply) => {
      const { acts } = await find({ empresa, id })
      if (!acts || !Object.hasOwn(ACTS, act)) throw new ApiError('not-found')
      await issuer.act(empresa, SYSTEM, id, ACTS[act as keyof typeof ACTS])
      return reply.redirect(acts, 303)
    },
  )
}

function sendPage(reply: FastifyReply, html: string) {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': PAGE_POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .send(html)
}

function answerWithPage(
  error: Error,
  { log }: { log: { error(fields: object, text: string): void } },
  reply: FastifyReply,
) {
  if (error instanceof ProviderRefused) {
    return sendPage(reply.code(409), messagePage('Não foi possível', error.reason))
  }
  if (error instanceof ApiError && error.code === 'not-found') {
    const text = 'Confira o endereço com quem enviou a cobrança.'
    return sendPage(reply.code(404), messagePage('Cobrança não encontrada', text))
  }
  log.error({ err: error }, 'a page could not be shown')
  const status = error instanceof ApiError ? error.status : 500
  return sendPage(
    reply.code(status),
    messagePage('Algo deu errado', 'Tente novamente em instantes.'),
  )
}

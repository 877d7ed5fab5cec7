import type { FastifyInstance } from 'fastify'
import { MemoryRateCounter } from '../auth/rate.ts'
import { categoriasConsoleRoutes } from '../categorias/console-routes.ts'
import { categoriasRoutes } from '../categorias/routes.ts'
import { chavesRoutes } from '../chaves/routes.ts'
import { cancelRoutes } from '../cobrancas/cancel-routes.ts'
import { cobrancasRoutes } from '../cobrancas/routes.ts'
import type { Config } from '../config.ts'
import type { AddressGuard } from '../delivery/address-guard.ts'
import { empresaRoutes } from '../empresas/routes.ts'
import { tooMany } from '../errors.ts'
import { mudancasRoutes } from '../eventos/mudancas-routes.ts'
import type { Api, Slice } from '../http/api.ts'
import { importacaoRoutes } from '../importacao/routes.ts'
import { livroRoutes } from '../lancamentos/livro-routes.ts'
import { lancamentosRoutes } from '../lancamentos/routes.ts'
import { painelRoutes } from '../painel/routes.ts'
import { parceirosBuscaRoutes } from '../parceiros/busca-routes.ts'
import { parceirosRoutes } from '../parceiros/routes.ts'
import type { Payments } from '../payments.ts'
import { provedorRoutes } from '../provedores/routes.ts'
import { resumoRoutes } from '../resumo/routes.ts'
import type { SecretBox } from '../secret-box.ts'
import { usuariosRoutes } from '../usuarios/routes.ts'
import { entryRoutes, sessionRoutes } from '../usuarios/session-routes.ts'
import { webhooksRoutes } from '../webhooks/routes.ts'
import { admitMembro, admitPessoa, COOKIE, refuseForeign, tokenOf } from './admit.ts'

/** Sign-ins and invitations of one address. */
const TRIES_PER_MINUTE = 120

interface Options {
  slice: Slice & Payments & { guard: AddressGuard; secrets: SecretBox }
  config: Pick<Config, 'publicUrl'>
}

/**
 * The application's own routes, below `/app/api`: for people, by their session, from our own pages. Below a
 * company they are the API's routes themselves, with the person as actor.
 */
export async function consoleRoutes(app: FastifyInstance, { slice, config }: Options) {
  const { db } = slice
  const session = { db, config, cookie: COOKIE, tokenOf }
  const tries = new MemoryRateCounter()
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })

  await app.register(async (entry: Api) => {
    entry.addHook('onRequest', async (request) => {
      refuseForeign(request)
      // A password is dear to check: nobody has them checked without end.
      const { count, secondsLeft } = tries.hit(request.ip)
      if (request.method === 'POST' && count > TRIES_PER_MINUTE) {
        throw tooMany('Muitas tentativas deste endereço.', secondsLeft)
      }
    })
    entryRoutes(entry, session)
  })

  await app.register(async (inside: Api) => {
    inside.addHook('onRequest', admitPessoa(db))
    sessionRoutes(inside, session)
    await inside.register(
      async (company: Api) => {
        company.addHook('onRequest', admitMembro)
        empresaRoutes(company, slice)
        usuariosRoutes(company, { ...slice, config })
        chavesRoutes(company, slice)
        provedorRoutes(company, { ...slice, config })
        lancamentosRoutes(company, slice)
        livroRoutes(company, slice)
        importacaoRoutes(company, slice)
        parceirosRoutes(company, slice)
        parceirosBuscaRoutes(company, slice)
        categoriasRoutes(company, slice)
        categoriasConsoleRoutes(company, slice)
        cobrancasRoutes(company, slice)
        cancelRoutes(company, slice)
        resumoRoutes(company, slice)
        painelRoutes(company, slice)
        webhooksRoutes(company, slice)
        mudancasRoutes(company, slice)
      },
      { prefix: '/e/:empresa' },
    )
  })
}

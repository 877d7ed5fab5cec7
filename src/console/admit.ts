import type { FastifyRequest } from 'fastify'
import { MODULOS, requireModulo } from '../auth/actor.ts'
import { allows } from '../auth/scopes.ts'
import type { Database } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import { type Papel, scopesOf } from '../usuarios/papeis.ts'
import { type Pessoa, whoIs } from '../usuarios/usuarios.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who has signed in, and to which companies they belong. */
    pessoa: Pessoa
  }
  interface FastifyContextConfig {
    /** What only this role may do. */
    papel?: Papel
    /** A plain link leads here, which cannot carry our header: a download. */
    link?: boolean
  }
}

export const COOKIE = 'lastro_sessao'
/** No other origin can send it without asking first, and is never answered yes. */
const OWN_HEADER = 'x-lastro-console'

/** Only our own pages may call: what a foreign page makes a browser send is refused, cookie or not. */
export function refuseForeign(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const foreign =
    (request.headers[OWN_HEADER] === undefined && !isOwnLink(request)) ||
    (site !== undefined && site !== 'same-origin') ||
    (origin !== undefined && URL.parse(origin)?.host !== request.host)
  if (foreign) throw new ApiError('cross-origin')
}

/** Followed on one of our own pages, as the browser says itself: over plain HTTP only by the referrer. */
function isOwnLink({ headers, host, routeOptions }: FastifyRequest): boolean {
  if (!routeOptions.config.link) return false
  const { 'sec-fetch-site': site, referer = '' } = headers
  return site === undefined ? URL.parse(referer)?.host === host : site === 'same-origin'
}

export function tokenOf(request: FastifyRequest): string | undefined {
  const cookies = request.headers.cookie?.split(/;\s*/) ?? []
  return cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1)
}

export function admitPessoa(db: Database) {
  return async (request: FastifyRequest): Promise<void> => {
    refuseForeign(request)
    const token = tokenOf(request)
    const pessoa = token === undefined ? undefined : await whoIs(db, token)
    if (!pessoa) throw new ApiError('not-signed-in')
    request.pessoa = pessoa
  }
}

/** For the routes below a company: who calls belongs to it, and may do what the route does. */
export async function admitMembro(request: FastifyRequest): Promise<void> {
  const { empresa: id } = request.params as { empresa: string }
  const empresa = request.pessoa.empresas.find((each) => each.id === id)
  if (!empresa) throw new ApiError('not-found', { detail: 'Esta empresa não existe para você.' })
  request.actor = {
    kind: 'usuario',
    id: request.pessoa.id,
    tenantId: empresa.id,
    scopes: scopesOf(empresa.papel),
    modulos: MODULOS.filter((modulo) => empresa[`modulo_${modulo}`]),
    fusoHorario: empresa.fuso_horario,
  }
  const { scope, modulo, papel } = request.routeOptions.config ?? {}
  const allowed =
    (scope === undefined || allows(request.actor.scopes, scope)) &&
    (papel === undefined || empresa.papel === papel)
  if (!allowed) {
    throw new ApiError('insufficient-role', {
      detail: `Seu papel nesta empresa, ${empresa.papel}, não permite isto.`,
    })
  }
  requireModulo(request.actor, modulo)
}

import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, tooMany } from '../errors.ts'
import { type Actor, type Modulo, requireModulo } from './actor.ts'
import { hashKey, isWellFormed } from './api-key.ts'
import type { KeyRing } from './key-ring.ts'
import type { MemoryRateCounter, RateCounter } from './rate.ts'
import { allows, type Scope } from './scopes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor
  }
  interface FastifyContextConfig {
    scope?: Scope
    modulo?: Modulo
  }
}

/** Failed authentications that an address may make in a minute before it hears 429 instead of 401. */
const FAILURES_PER_MINUTE = 300

interface Guard {
  keys: KeyRing
  calls: RateCounter
  /**
   * By address, which is of no company, so each process counts for itself: whoever guesses keys is bounded
   * all the same, and costs the database nothing.
   */
  failures: MemoryRateCounter
  callsPerMinute: number
  clock: () => number
}

/** The way of every call into the API, in this order: key, rate, scope, module. */
export function authenticate({ keys, calls, failures, callsPerMinute, clock }: Guard) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.actor = await identify(request)
    keys.noteUse(request.actor)
    await countCall(request.actor, reply)
    const { scope, modulo } = request.routeOptions.config ?? {}
    if (scope && !allows(request.actor.scopes, scope)) {
      throw new ApiError('insufficient-scope', {
        detail: `A chave não tem o escopo ${scope}.`,
        scope,
      })
    }
    requireModulo(request.actor, modulo)
  }

  async function identify(request: FastifyRequest): Promise<Actor> {
    try {
      return await knownActor(request.headers)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      const { count, secondsLeft } = failures.hit(request.ip)
      if (count <= FAILURES_PER_MINUTE) throw error
      throw tooMany('Muitas tentativas de autenticação sem sucesso.', secondsLeft)
    }
  }

  async function knownActor(headers: IncomingHttpHeaders): Promise<Actor> {
    const text = sentKey(headers)
    if (!text) throw unauthorized('missing-api-key')
    const key = isWellFormed(text) ? await keys.find(hashKey(text)) : undefined
    if (!key) throw unauthorized('invalid-api-key')
    if (key.revoked) throw unauthorized('revoked-api-key')
    if (key.expiresAt <= clock()) throw unauthorized('expired-api-key')
    return key.actor
  }

  async function countCall(actor: Actor, reply: FastifyReply): Promise<void> {
    const { count, secondsLeft } = await calls.hit(actor.id, actor.tenantId)
    reply.header('ratelimit-limit', callsPerMinute)
    reply.header('ratelimit-remaining', Math.max(0, callsPerMinute - count))
    reply.header('ratelimit-reset', secondsLeft)
    if (count > callsPerMinute) {
      throw tooMany(
        `O limite de ${callsPerMinute} requisições por minuto da chave foi excedido.`,
        secondsLeft,
      )
    }
  }
}

/** Bearer wins over x-api-key; any other scheme of Authorization is not a key. */
function sentKey(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^bearer +(\S.*)$/i.exec(headers.authorization ?? '')?.[1]
  return bearer?.trim() ?? headers['x-api-key']?.toString().trim()
}

function unauthorized(
  code: 'missing-api-key' | 'invalid-api-key' | 'revoked-api-key' | 'expired-api-key',
): ApiError {
  return new ApiError(code, { headers: { 'www-authenticate': 'Bearer' } })
}

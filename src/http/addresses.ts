import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

/** Tells an address that does not exist (404) from a method that it does not take (405). */
export function unknownAddresses(app: FastifyInstance): (request: FastifyRequest) => never {
  const methodsOf = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', (route) => {
    const known = methodsOf.get(route.url) ?? { pattern: toPattern(route.url), methods: new Set() }
    for (const method of [route.method].flat()) known.methods.add(method)
    methodsOf.set(route.url, known)
  })
  return (request) => {
    const path = request.url.split('?', 1)[0]!
    const methods = new Set<string>()
    for (const known of methodsOf.values()) {
      if (known.pattern.test(path)) for (const method of known.methods) methods.add(method)
    }
    if (methods.size === 0 || methods.has(request.method)) {
      throw new ApiError('not-found', { detail: 'Este endereço não existe na API.' })
    }
    const allow = [...methods].sort().join(', ')
    throw new ApiError('method-not-allowed', {
      detail: `O método ${request.method} não é aceito neste endereço; são aceitos: ${allow}.`,
      headers: { allow },
    })
  }
}

function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]+')
  return new RegExp(`^${escaped.replace(/\/$/, '')}/?$`)
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The content type as the caller sent it. */
    contentType: string | undefined
  }
}

const JSON_IN_UTF8 = /^\s*application\/json\s*(;\s*(charset="?utf-?8"?\s*)?)?$/i

export const BODY_LIMIT = 1024 * 1024

/**
 * Reads bodies as the contract says: JSON whether or not it is said to be, an empty one is none, whatever
 * its type, and DELETE has none. The headers are set aside first: Fastify judges them even where no body
 * follows.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('contentType', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request
    request.contentType = headers['content-type']
    if (request.contentType !== undefined) delete headers['content-type']
    if (request.method === 'DELETE') {
      delete headers['content-length']
      delete headers['transfer-encoding']
    }
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parse(request, body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** For `preValidation`, where everything in a body may be left out: so may the body. */
export async function bodyMayBeAbsent(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}

function parse({ contentType = 'application/json', headers }: FastifyRequest, body: Buffer) {
  if (body.length === 0) return undefined
  const encoding = headers['content-encoding'] ?? 'identity'
  if (!JSON_IN_UTF8.test(contentType) || encoding !== 'identity') {
    throw new ApiError('unsupported-media-type')
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new ApiError('invalid-json')
  }
}

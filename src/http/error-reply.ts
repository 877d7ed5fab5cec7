import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode } from '../errors.ts'
import { BODY_LIMIT } from './json-body.ts'

/** What Fastify itself refuses, as the catalogue calls it. */
const FRAMEWORK_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload-too-large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid-request',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
}

/** The one place where an error becomes an answer. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = asApiError(error, request)
    return reply.code(refusal.status).headers(refusal.headers).send(refusalOf(refusal, request))
  })
}

/** What is answered for an error; what is our own fault is logged. */
export function refusalOf(error: unknown, request: FastifyRequest) {
  const refusal = asApiError(error, request)
  if (refusal.status >= 500) request.log.error({ err: refusal.cause ?? error }, refusal.code)
  return errorBody(refusal, request.id)
}

function asApiError(error: unknown, { routeOptions }: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  const code = FRAMEWORK_CODES[(error as { code?: string }).code ?? ''] ?? 'internal-error'
  if (code !== 'payload-too-large') return new ApiError(code, { cause: error })
  const limit = `${(routeOptions.bodyLimit ?? BODY_LIMIT) / 1024 / 1024} MiB`
  return new ApiError(code, { detail: `O corpo da requisição passa de ${limit}.`, cause: error })
}

function errorBody(refusal: ApiError, requestId: string) {
  return {
    error: refusal.code,
    code: refusal.code,
    detail: refusal.detail,
    scope: refusal.scope,
    errors: refusal.errors,
    request_id: requestId,
  }
}

type RawSocket = NodeJS.WritableStream & { destroyed?: boolean; destroy(): void }

/** Answers what is not even HTTP, or not for us, and so is no request. */
export function answerClientError(
  log: FastifyBaseLogger,
  error: NodeJS.ErrnoException,
  socket: RawSocket,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  log.debug({ requestId, reason: error.code }, 'request refused by the HTTP parser')
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const refusal = new ApiError(tooLarge ? 'headers-too-large' : 'invalid-request')
  const body = JSON.stringify(errorBody(refusal, requestId))
  const lines = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** Node would answer these by itself, without a body and an id. */
export function answerOddRequests(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
  app.server.on('connect', (_request, socket) => {
    answerClientError(app.log, new Error('CONNECT'), socket)
  })
}

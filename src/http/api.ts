import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Author } from '../events/outbox.ts'
import type { Idempotent } from './idempotency.ts'

/** The part of the app that lies below `/api/v1` or, for people, `/app/api`: every call has an actor. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** What a slice's routes are given. */
export interface Slice {
  db: Database
  clock: Clock
  idempotent: Idempotent
}

/** Whom the events of a request name. */
export function authorOf(request: FastifyRequest): Author {
  const { kind, id } = request.actor
  return { kind, id, requestId: request.id }
}

/** Sends an answer that is JSON already. It has to be what the route's schema says: nothing words it again. */
export function sendJson(reply: Pick<FastifyReply, 'type'>, text: string) {
  return reply.type('application/json; charset=utf-8').send(text) as never
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database, Tx, WriteTx } from '../db/database.ts'
import { violates } from '../db/sql-state.ts'
import { ApiError, invalid } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    idempotency?: Idempotency
  }
}

/** A collection's way to show a record again. It throws `not-found` where the record was deleted. */
type Find = (tx: Tx, id: string, request: FastifyRequest) => Promise<{ id: string }>

interface Idempotency {
  collection: string
  key: string
  find: (tx: Tx, id: string) => Promise<{ id: string }>
}

/** How a record is answered: `repeated` where it was there before. */
type Show = (item: object, repeated: boolean) => object

const itemAlone: Show = (item) => ({ item })

/** Who repeats a key while the first is under way waits so long for it. */
const WAIT_MS = 10_000

export const IdempotencyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      description:
        'De 1 a 255 caracteres ASCII visíveis. Repetir a chave responde 200 com o mesmo registro, sem criar outro.',
    }),
  ),
})

/** Makes POSTs safe to repeat: one key of a company and collection makes one record. */
export class Idempotent {
  readonly #db: Database
  readonly #waitMs: number
  /** Requests of this process under way, so that whoever repeats one waits without a connection. */
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(db: Database, waitMs = WAIT_MS) {
    this.#db = db
    this.#waitMs = waitMs
  }

  /** For `preParsing`: a known key is answered before the body is so much as read. */
  lookUp(collection: string, find: Find, show = itemAlone) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const key = keyOf(request)
      if (key === undefined) return
      const { tenantId } = request.actor
      const name = `${tenantId} ${collection} ${key}`
      const release = await this.#begin(name)
      // Who hung up while waiting will not be answered: the turn goes to the next.
      if (reply.raw.closed || request.raw.destroyed) release()
      else reply.raw.once('close', release)
      request.idempotency = { collection, key, find: (tx, id) => find(tx, id, request) }
      const item = await this.#known(tenantId, request.idempotency)
      if (item) return reply.code(200).send(show(item, true))
    }
  }

  /** Creates a record and binds the key to it, in one transaction. What is left to do with it comes after. */
  async create<Made extends { id: string }>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: WriteTx) => Promise<Made>,
    {
      finish = async (made) => made,
      show = itemAlone,
    }: { finish?: (made: Made) => Promise<object>; show?: Show } = {},
  ) {
    const { idempotency, actor } = request
    const make = (tx: WriteTx) => work(tx).then((made) => bindKey(tx, idempotency, made))
    for (;;) {
      let made: Made
      try {
        made = await this.#db.write(actor.tenantId, make)
      } catch (error) {
        // Another instance may have been first with this key, and its record be what stood in the way.
        const item = idempotency && (await this.#known(actor.tenantId, idempotency))
        if (item) return reply.code(200).send(show(item, true))
        // It was first, and then refused: now the key is free.
        if (violates(error, 'idempotency_keys_pkey')) continue
        throw error
      }
      return reply.code(201).send(show(await finish(made), false))
    }
  }

  /** Waits until nobody in this process is under way with the name, and takes it. */
  async #begin(name: string): Promise<() => void> {
    const deadline = performance.now() + this.#waitMs
    for (let first = this.#underWay.get(name); first; first = this.#underWay.get(name)) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(resolve, deadline - performance.now(), 'late')
      })
      const outcome = await Promise.race([first, late])
      clearTimeout(timer)
      if (outcome === 'late') {
        throw new ApiError('idempotency-in-progress', { headers: { 'retry-after': '1' } })
      }
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#underWay.set(name, promise)
    return () => {
      if (this.#underWay.get(name) === promise) this.#underWay.delete(name)
      resolve()
    }
  }

  async #known(tenantId: string, { collection, key, find }: Idempotency) {
    const tx = this.#db.reader(tenantId)
    const look = async () => {
      const [known] = await tx.query<{ record_id: string }>(
        `select record_id from idempotency_keys
         where tenant_id = $1 and colecao = $2 and chave = $3`,
        [tenantId, collection, key],
      )
      return known?.record_id
    }
    const id = await look()
    if (id === undefined) return undefined
    const item = await find(tx, id)
    // What was waited for may have been refused, which leaves the key unused.
    return (await look()) === id ? item : undefined
  }
}

function bindKey<Made extends { id: string }>(
  tx: WriteTx,
  idempotency: Idempotency | undefined,
  made: Made,
): Made {
  if (!idempotency) return made
  tx.defer(
    `insert into idempotency_keys (tenant_id, colecao, chave, record_id) values ($1, $2, $3, $4)`,
    [tx.tenantId, idempotency.collection, idempotency.key, made.id],
  )
  return made
}

/** The key is as if it had never been sent. */
export function unbindKey(tx: WriteTx, { idempotency }: FastifyRequest): void {
  if (!idempotency) return
  tx.defer(`delete from idempotency_keys where tenant_id = $1 and colecao = $2 and chave = $3`, [
    tx.tenantId,
    idempotency.collection,
    idempotency.key,
  ])
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']?.toString()
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw invalid('invalid-body', [
    { field: 'Idempotency-Key', message: 'deve ter de 1 a 255 caracteres ASCII visíveis' },
  ])
}

import type { Database } from '../db/database.ts'
import { type Actor, MODULOS } from './actor.ts'

interface KnownKey {
  actor: Actor
  /** Milliseconds since 1970, or never. */
  expiresAt: number
  revoked: boolean
}

/** A revocation must reach every instance within a second, the time of the look-up included. */
const LIFE_MS = 900
/** When a key was last used is written down a little later, for all that were, and no finer than this. */
const NOTE_USE_MS = 5_000
/** Above this many remembered keys, those that are out of date are forgotten. */
const SWEEP_AT = 5_000

/**
 * Looks keys up by their hash. What was read is remembered for a moment, from the start of the reading;
 * look-ups of the same turn of the event loop are one query.
 */
export class KeyRing {
  readonly #db: Database
  readonly #remembered = new Map<string, { key: KnownKey; until: number }>()
  readonly #used = new Map<string, string>()
  #noting: NodeJS.Timeout | undefined
  #batch: { hashes: Set<string>; found: Promise<Map<string, KnownKey>> } | undefined

  constructor(db: Database) {
    this.#db = db
  }

  async find(hash: string): Promise<KnownKey | undefined> {
    const remembered = this.#remembered.get(hash)
    if (remembered && remembered.until > performance.now()) return remembered.key
    this.#batch ??= this.#openBatch()
    this.#batch.hashes.add(hash)
    return (await this.#batch.found).get(hash)
  }

  noteUse({ id, tenantId }: Actor): void {
    this.#used.set(id, tenantId)
    this.#noting ??= setTimeout(() => this.#writeUse(), NOTE_USE_MS).unref()
  }

  #writeUse(): void {
    const used = [...this.#used].map(([id, tenant_id]) => ({ id, tenant_id }))
    this.#used.clear()
    this.#noting = undefined
    this.#db
      .system('lastro_auth')
      .query(
        `update chaves c set usada_em = clock_timestamp()
         from jsonb_to_recordset($1::jsonb) as u (tenant_id uuid, id uuid)
         where c.tenant_id = u.tenant_id and c.id = u.id
           and (c.usada_em is null or c.usada_em < clock_timestamp() - interval '1 minute')`,
        [JSON.stringify(used)],
      )
      // It is noted again at the next use.
      .catch(() => {})
  }

  #openBatch() {
    const hashes = new Set<string>()
    const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#batch = undefined
      return this.#read([...hashes])
    })
    return { hashes, found }
  }

  async #read(hashes: string[]): Promise<Map<string, KnownKey>> {
    const until = performance.now() + LIFE_MS
    const rows = await this.#db.system('lastro_auth').query<KeyRow>(
      `select c.hash, c.tenant_id, c.id, c.scopes, c.expira_em, c.revogada_em is not null as revoked,
         e.fuso_horario, e.modulo_cobrancas, e.modulo_integracoes
       from chaves c join empresas e on e.tenant_id = c.tenant_id
       where c.hash = any ($1)`,
      [hashes],
    )
    const found = new Map(rows.map((row) => [row.hash, asKnownKey(row)]))
    if (this.#remembered.size > SWEEP_AT) this.#sweep()
    for (const [hash, key] of found) this.#remembered.set(hash, { key, until })
    return found
  }

  #sweep(): void {
    const now = performance.now()
    for (const [hash, { until }] of this.#remembered) {
      if (until <= now) this.#remembered.delete(hash)
    }
  }
}

interface KeyRow {
  hash: string
  tenant_id: string
  id: string
  scopes: string[]
  expira_em: string | null
  revoked: boolean
  fuso_horario: string
  modulo_cobrancas: boolean
  modulo_integracoes: boolean
}

function asKnownKey(row: KeyRow): KnownKey {
  return {
    actor: {
      kind: 'chave',
      tenantId: row.tenant_id,
      id: row.id,
      scopes: row.scopes,
      modulos: MODULOS.filter((modulo) => row[`modulo_${modulo}`]),
      fusoHorario: row.fuso_horario,
    },
    expiresAt: row.expira_em === null ? Number.POSITIVE_INFINITY : Date.parse(row.expira_em),
    revoked: row.revoked,
  }
}

import pg from 'pg'

/** What a statement may be given. Anything else is refused before a byte is sent. */
export type Param = string | number | bigint | boolean | null | Buffer | readonly string[]

export interface Statement {
  text: string
  values: readonly Param[]
}

export interface Result {
  /** The command tag, such as `COMMIT` or `INSERT 0 1`. */
  command: string
  rows: unknown[]
}

interface Column {
  name: string
  parse: (text: string) => unknown
}

/** What one connection knows of a statement it has prepared. */
interface Prepared {
  /** Empty: it is parsed at each use. */
  name: string
  /** `unsure`: a failure came between, and the server may or may not have it. */
  state: 'new' | 'unsure' | 'ready'
  columns: Column[] | undefined
}

/** The part of pg's connection that a batch speaks to. */
interface Wire {
  stream: { cork(): void; uncork(): void }
  parse(query: { name: string; text: string }): void
  bind(config: { statement: string; values: unknown[] }): void
  describe(target: { type: 'P'; name: string }): void
  execute(config: { portal: string }): void
  close(target: { type: 'S'; name: string }): void
  sync(): void
}

const preparedOn = new WeakMap<Wire, Map<string, Prepared>>()

/**
 * Several statements in one round trip, with one Sync at the end: PostgreSQL skips whatever follows a
 * failure, so a later statement never runs where an earlier one did not. Outside BEGIN and COMMIT the
 * whole batch is one transaction. Every value is turned into its wire form before anything is sent.
 */
class Batch {
  readonly #statements: { text: string; values: unknown[] }[]
  readonly #named: boolean
  readonly #results: Result[] = []
  #prepared: Prepared[] = []
  #rows: unknown[] = []
  #fault: unknown
  /** pg calls nothing of this name itself, but wraps it where a query timeout is set. */
  callback: (error: unknown, results?: Result[]) => void = () => {}

  constructor(statements: readonly Statement[], named: boolean) {
    this.#named = named
    this.#statements = statements.map(({ text, values }) => ({ text, values: values.map(encode) }))
  }

  submit(wire: Wire): void {
    const known = preparedOn.get(wire) ?? new Map<string, Prepared>()
    preparedOn.set(wire, known)
    wire.stream.cork()
    for (const { text, values } of this.#statements) {
      let prepared = known.get(text)
      if (!prepared) {
        const name = this.#named ? `s${known.size}` : ''
        prepared = { name, state: 'new', columns: undefined }
        known.set(text, prepared)
      }
      if (prepared.state === 'unsure') wire.close({ type: 'S', name: prepared.name })
      if (prepared.state !== 'ready') wire.parse({ name: prepared.name, text })
      wire.bind({ statement: prepared.name, values })
      // A statement always answers with the same columns: they are asked for once a connection.
      if (!prepared.columns) wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '' })
      this.#prepared.push(prepared)
      // Optimistic, so that a statement used twice in a batch is parsed once; a failure takes it back.
      if (this.#named) prepared.state = 'ready'
    }
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#current.columns = message.fields.map((field) => ({
      name: field.name,
      parse: pg.types.getTypeParser(field.dataTypeID, 'text') as (text: string) => unknown,
    }))
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    try {
      const row: Record<string, unknown> = {}
      const columns = this.#current.columns!
      for (let i = 0; i < columns.length; i++) {
        const text = message.fields[i] as string | null
        row[columns[i]!.name] = text === null ? null : columns[i]!.parse(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#fault = error
    }
  }

  handleCommandComplete(message: { text: string }): void {
    this.#current.columns ??= []
    this.#results.push({ command: message.text, rows: this.#rows })
    this.#rows = []
  }

  handleReadyForQuery(): void {
    if (this.#fault) this.callback(this.#fault)
    else this.callback(null, this.#results)
  }

  handleError(error: unknown): void {
    // The server has no statement that it was to parse after the failure.
    for (const prepared of this.#prepared.slice(this.#results.length)) {
      if (this.#named) prepared.state = 'unsure'
    }
    this.callback(error)
  }

  get #current(): Prepared {
    return this.#prepared[this.#results.length]!
  }
}

/**
 * Runs a batch on a connection of its own. Named statements are parsed once a connection, which has to be the
 * same one of the server throughout.
 */
export function runBatch(client: pg.ClientBase, statements: readonly Statement[], named: boolean) {
  const batch = new Batch(statements, named)
  return new Promise<Result[]>((resolve, reject) => {
    batch.callback = (error, results) => (error ? reject(error) : resolve(results!))
    client.query(batch as unknown as pg.Submittable)
  })
}

function encode(value: Param): string | Buffer | null {
  if (value === null) return null
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
      if (Number.isFinite(value)) return String(value)
      break
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      if (Buffer.isBuffer(value)) return value
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
        return `{${value.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
      }
  }
  throw new TypeError(`A ${typeof value} cannot be a parameter of a statement`)
}

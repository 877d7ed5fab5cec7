import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isDay, isReais, isText } from '../../src/http/formats.ts'

export interface Operation {
  method: string
  /** As in the document, with `{id}`. */
  path: string
  scope: string
  modulo: string | undefined
  spec: OperationSpec
}

interface Media {
  schema: object
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface OperationSpec {
  summary?: string
  description?: string
  security: { bearer?: string[] }[]
  parameters?: {
    name: string
    in: string
    schema: object
    example?: unknown
    examples?: Record<string, { value: unknown }>
  }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { headers: Record<string, object>; content: Record<string, Media> }>
}

export interface Document {
  openapi: string
  paths: Record<string, Record<string, OperationSpec>>
  webhooks: Record<string, { post: { requestBody: { content: Record<string, Media> } } }>
  components: { schemas: Record<string, object> }
}

/** The published contract, against which every answer in the tests is held. */
export class Contract {
  readonly document: Document
  readonly #validators = new Map<string, ValidateFunction>()
  readonly #ajv = new Ajv2020({ allErrors: true, strict: false })
  readonly operations: Operation[]
  /** Each with what its addresses look like. */
  readonly #addresses: [RegExp, Operation][]

  constructor(document: Document) {
    this.document = document
    this.operations = operationsOf(document)
    this.#addresses = this.operations.map((operation) => [
      new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    ])
    this.#ajv.addFormat('date', isDay)
    this.#ajv.addFormat('text', isText)
    this.#ajv.addFormat(
      'uuid',
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    this.#ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    this.#ajv.addFormat('documento', /^(\d{11}|[0-9A-Z]{12}\d{2})$/)
    this.#ajv.addFormat('reais', { type: 'number', validate: isReais })
  }

  find(method: string, url: string): Operation | undefined {
    const path = url.split('?')[0]!.replace(/\/$/, '')
    return this.#addresses.find(
      ([address, operation]) => operation.method === method && address.test(path),
    )?.[1]
  }

  /** Fails where an answer is not what the document says of it. */
  check(method: string, url: string, response: Response, body: unknown): void {
    const operation = this.find(method === 'HEAD' ? 'GET' : method, url)
    if (!operation) return
    const name = `${method} ${operation.path} ${response.status}`
    const described = operation.spec.responses[response.status]
    assert.ok(described, `${name} is not documented`)
    for (const header of Object.keys(described.headers)) {
      // An address that failed too often is limited before its key is known.
      if (response.status === 429 && header.startsWith('RateLimit')) continue
      assert.ok(response.headers.has(header), `${name} has no ${header}`)
    }
    if (method === 'HEAD') return
    this.checkSchema(name, described.content['application/json']!.schema, body)
  }

  /** Fails where what is sent to a subscriber is not what the document says of its kind. */
  checkEvent(body: { event: string }): void {
    const described = this.document.webhooks[body.event]
    assert.ok(described, `${body.event} is not documented`)
    const { schema } = described.post.requestBody.content['application/json']!
    this.checkSchema(`webhook ${body.event}`, schema, body)
  }

  checkSchema(name: string, schema: object, value: unknown): void {
    let validate = this.#validators.get(name)
    if (!validate) {
      validate = this.#ajv.compile({ ...schema, components: this.document.components })
      this.#validators.set(name, validate)
    }
    assert.ok(validate(value), `${name}: ${this.#ajv.errorsText(validate.errors)}`)
  }
}

function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, spec]) => ({
      method: method.toUpperCase(),
      path,
      scope: spec.security[0]!.bearer![0]!,
      modulo: /Módulo: `(\w+)`/.exec(spec.description ?? '')?.[1],
      spec,
    })),
  )
}

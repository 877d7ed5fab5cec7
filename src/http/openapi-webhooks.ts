import { EVENT_KINDS, EVENTS, type EventKind, resourceOf } from '../events/catalogue.ts'

export type Schemas = Record<string, { examples?: unknown[] } | undefined>

/** The `webhooks` of the document: what a subscriber is sent for each kind of event. */
export function describeWebhooks(schemas: Schemas): Record<string, object> {
  return Object.fromEntries(EVENT_KINDS.map((kind) => [kind, { post: describe(kind, schemas) }]))
}

/** What the `data` of an event of this kind looks like. */
export function exampleData(kind: EventKind, schemas: Schemas): Record<string, unknown> {
  return { [resourceOf(kind)]: schemas[nameOf(kind)]?.examples?.[0] ?? { id: EXAMPLE_ID } }
}

function nameOf(kind: EventKind): string {
  const resource = resourceOf(kind)
  return resource.charAt(0).toUpperCase() + resource.slice(1)
}

function describe(kind: EventKind, schemas: Schemas) {
  const resource = resourceOf(kind)
  const name = nameOf(kind)
  return {
    summary: EVENTS[kind],
    description: 'Responda com um status abaixo de 400 em até 10 segundos.',
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            ...exactly({
              event: { type: 'string', const: kind },
              timestamp: { type: 'integer', description: 'Igual a X-SVC-Timestamp.' },
              data: exactly({
                [resource]: schemas[name]
                  ? { $ref: `#/components/schemas/${name}` }
                  : { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
              }),
            }),
          },
          example: { event: kind, timestamp: 1_782_136_987, data: exampleData(kind, schemas) },
        },
      },
    },
    responses: { '2XX': { description: 'Recebido.' } },
  }
}

const EXAMPLE_ID = '019ef8a1-7b3c-7c2d-9a54-3f6f0c1d2e4b'

function exactly(properties: Record<string, object>) {
  return {
    type: 'object',
    required: Object.keys(properties),
    additionalProperties: false,
    properties,
  }
}

const HEADERS = Object.entries({
  'X-SVC-Timestamp': 'Instante da tentativa, em segundos Unix.',
  'X-SVC-Signature':
    'sha256= e o HMAC-SHA256 em hexadecimal de <timestamp>.<corpo>, com o segredo inteiro como chave.',
  'X-SVC-Sequence': 'Número do evento na empresa, crescente na ordem em que foram gravados.',
  'webhook-id': 'O mesmo em todas as tentativas de uma entrega: por ele se descartam repetidas.',
  'webhook-timestamp': 'Igual a X-SVC-Timestamp.',
  'webhook-signature':
    'v1, e o HMAC-SHA256 em base64 de <id>.<timestamp>.<corpo>, com o segredo decodificado como chave.',
}).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}))

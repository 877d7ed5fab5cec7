import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifySchema, type RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { catalogue, type ErrorCode } from '../errors.ts'
import { IdempotencyHeaders } from './idempotency.ts'
import { describeWebhooks } from './openapi-webhooks.ts'
import { Exactly, Ref } from './schemas.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Refusals of this route beyond those that every route of its kind has. */
    refusals?: ErrorCode[]
  }
}

const API = '/api/v1'

const ErrorBody = Exactly(
  {
    error: Type.String({ description: 'Código estável do erro.' }),
    code: Type.String({ description: 'O mesmo código.' }),
    detail: Type.String({ description: 'Explicação para uma pessoa.' }),
    scope: Type.Optional(Type.String({ description: 'O escopo que falta à chave.' })),
    errors: Type.Optional(
      Type.Array(Exactly({ field: Type.String(), message: Type.String() }), {
        description: 'Cada campo com erro, e por quê.',
      }),
    ),
    request_id: Type.String({ description: 'Identifica a requisição nos registros.' }),
  },
  { $id: 'Erro', title: 'Erro' },
)

const HEADERS = {
  'X-Request-Id': { schema: { type: 'string' }, description: 'Identifica a requisição.' },
  'RateLimit-Limit': { schema: { type: 'integer' }, description: 'Requisições por minuto.' },
  'RateLimit-Remaining': { schema: { type: 'integer' }, description: 'Quantas ainda restam.' },
  'RateLimit-Reset': { schema: { type: 'integer' }, description: 'Segundos até o fim da janela.' },
  'Retry-After': { schema: { type: 'integer' }, description: 'Segundos até tentar de novo.' },
  'WWW-Authenticate': { schema: { type: 'string' }, description: 'Sempre Bearer.' },
} as const

/** The document at `/openapi.json` and its reader at `/docs`, made from the routes themselves. */
export async function documentApi(app: FastifyInstance, publicUrl: string): Promise<void> {
  app.addSchema(ErrorBody)
  app.addHook('onRoute', addRefusals)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Lastro', version: '1', description: INTRODUCTION },
      servers: [{ url: publicUrl }],
      security: [{ bearer: [] }, { apiKey: [] }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <chave>' },
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        },
      },
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
    transform: ({ schema, url, route }) => ({ schema: describe(schema, url, route), url }),
    transformObject: (document) =>
      complete('openapiObject' in document ? document.openapiObject : {}),
  })
  let text: string | undefined
  app.get('/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(text)
  })
  readReference(app)
}

/** The reader of the document is large and seldom asked for: it is loaded by whoever asks first. */
function readReference(app: FastifyInstance): void {
  let reader: Promise<FastifyInstance> | undefined
  for (const url of ['/docs', '/docs/*']) {
    app.get(url, async ({ raw }, reply) => {
      reader ??= openReader()
      const { statusCode, headers, rawPayload } = await (await reader).inject(raw.url!)
      const { connection, date, ...own } = headers
      return reply.code(statusCode).headers(own).send(rawPayload)
    })
  }
}

async function openReader(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const reader = Fastify()
  await reader.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Lastro: referência da API',
      // The page asks nobody but this service.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      mcp: { disabled: true },
    },
  })
  return reader
}

/** Says with each route which scope and module it needs; what is not of the API is not shown. */
function describe(schema: FastifySchema, url: string, { config }: RouteOptions): FastifySchema {
  if (!url.startsWith(`${API}/`)) return { hide: true }
  const { scope, modulo } = config ?? {}
  const needs = `Escopo: \`${scope}\`.${modulo ? ` Módulo: \`${modulo}\`.` : ''}`
  return {
    ...schema,
    description: [schema.description, needs].filter(Boolean).join('\n\n'),
    security: [{ bearer: [scope!] }, { apiKey: [scope!] }],
  }
}

/** Every route below the API refuses as its shape makes possible; what is its own it names itself. */
function addRefusals(route: RouteOptions): void {
  if (!route.url.startsWith(`${API}/`)) return
  if (!route.schema?.response || !route.config?.scope) {
    throw new Error(`${route.method} ${route.url} must declare its schema and its scope`)
  }
  const codes: ErrorCode[] = [
    'missing-api-key',
    'invalid-api-key',
    'revoked-api-key',
    'expired-api-key',
    'insufficient-scope',
    ...(route.config?.modulo ? (['module-required'] as const) : []),
    'invalid-query',
    ...(route.schema.body ? BODY_REFUSALS : []),
    ...(route.url.includes(':') ? (['not-found'] as const) : []),
    ...(route.schema.headers === IdempotencyHeaders ? REPEAT_REFUSALS : []),
    ...(route.config?.refusals ?? []),
    'rate-limited',
    'internal-error',
    'unavailable',
  ]
  const response = route.schema.response as Record<string, unknown>
  for (const [status, ofStatus] of Object.entries(Object.groupBy(codes, statusOf))) {
    response[status] = {
      ...Ref(ErrorBody),
      description: ofStatus!.map((code) => `\`${code}\`: ${catalogue[code].detail}`).join('\n\n'),
    }
  }
}

const BODY_REFUSALS: ErrorCode[] = [
  'invalid-json',
  'invalid-body',
  'payload-too-large',
  'unsupported-media-type',
]

/** A repeated Idempotency-Key may find its record deleted, or the first request still under way. */
const REPEAT_REFUSALS: ErrorCode[] = ['not-found', 'idempotency-in-progress']

function statusOf(code: ErrorCode): number {
  return catalogue[code].status
}

type Response = { headers?: Record<string, unknown> }
type Operation = { responses?: Record<string, Response> }

interface Parts {
  paths?: object
  components?: { schemas?: object }
}

/** Adds what every answer carries, and what is sent to subscribers. */
function complete<T extends Parts>(document: T): T {
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path))
  for (const operation of operations as Operation[]) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      const names: (keyof typeof HEADERS)[] = [
        'X-Request-Id',
        ...(status === '401' ? (['WWW-Authenticate'] as const) : RATE_HEADERS),
        ...(status === '429' || status === '503' ? (['Retry-After'] as const) : []),
      ]
      response.headers = Object.fromEntries(names.map((name) => [name, HEADERS[name]]))
    }
  }
  const schemas = (document.components?.schemas ?? {}) as Parameters<typeof describeWebhooks>[0]
  return { ...document, webhooks: describeWebhooks(schemas) }
}

const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

const INTRODUCTION = `API REST de gestão financeira. Toda chamada leva uma chave de API, em
\`Authorization: Bearer <chave>\` ou \`x-api-key: <chave>\`. A chave pertence a uma empresa e só vê os
dados dela.

- Valores são números em reais, com até duas casas decimais. Datas são \`AAAA-MM-DD\`; instantes,
  RFC 3339 em UTC.
- Listas respondem \`{ items, total, limit, offset }\`; um recurso, \`{ item }\`.
- Campos e parâmetros desconhecidos são recusados, nunca ignorados.
- Erros respondem \`{ error, code, detail, request_id }\`; em um 400, \`errors\` nomeia cada campo.
- Cada chave pode fazer 60 requisições por minuto; os cabeçalhos \`RateLimit-*\` dizem quantas restam.`

import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { type FieldFault, invalid } from '../errors.ts'
import { parseDocumento } from './documento.ts'
import { isDay, isInstant, isReais, isText, isTimeZone } from './formats.ts'

// Nothing is coerced, dropped or filled in; every fault is found, not only the first.
const ajv = new Ajv({ allErrors: true, strict: false, verbose: true })
ajv.addFormat('date', isDay)
ajv.addFormat('text', isText)
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
// Read-only instants are compared with what is stored, not judged.
ajv.addFormat('date-time', isInstant)
ajv.addFormat('time-zone', isTimeZone)
ajv.addFormat('documento', (text) => parseDocumento(text) !== undefined)
ajv.addFormat('reais', { type: 'number', validate: isReais })

/** Judges bodies and queries by the route's schema, and names every fault in Portuguese. */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  // A malformed id in a path is an address that does not exist: `pathId` answers 404, after the body.
  // Headers are judged by whoever reads them.
  if (httpPart === 'params' || httpPart === 'headers') return () => true
  const validate = onFirstUse(() => ajv.compile(schema))
  if (httpPart === 'body') return (body) => judge(validate(), body, 'invalid-body')
  return (query) => judge(validate(), readQuery(query, schema), 'invalid-query')
}

/** Names what a body that did not come by HTTP would be refused for. */
export function faultsBy(schema: object): (body: unknown) => FieldFault[] {
  const validate = onFirstUse(() => ajv.compile(schema))
  return (body) => (validate()(body) ? [] : describeFaults(validate().errors!))
}

const selectSerializer = SerializerSelector()

/** Writes answers by the route's schema. */
export const buildSerializer: typeof selectSerializer = (...options) => {
  const compile = selectSerializer(...options)
  return (route) => {
    const write = onFirstUse(() => compile(route))
    return (answer: unknown) => write()(answer)
  }
}

/** A service has hundreds of schemas and mostly uses a few: compiling them all made its start twice as long. */
function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

function judge(validate: ValidateFunction, value: unknown, code: 'invalid-body' | 'invalid-query') {
  if (validate(value)) return { value }
  return { error: invalid(code, describeFaults(validate.errors!)) }
}

/** Query parameters are text: those that the schema wants as numbers or booleans are read as such. */
function readQuery(query: unknown, schema: object): unknown {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> }
  const read: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    read[name] = readParameter(value, properties[name]?.type)
  }
  return read
}

function readParameter(value: unknown, type: string | undefined): unknown {
  if (typeof value !== 'string') return value
  if (type === 'integer' && /^-?\d{1,300}$/.test(value)) return Number(value)
  if (type === 'boolean' && /^(true|1)$/.test(value)) return true
  if (type === 'boolean' && /^(false|0)$/.test(value)) return false
  return value
}

function describeFaults(errors: ErrorObject[]): FieldFault[] {
  const faults = errors.map((error) => ({
    field: fieldOf(error),
    message: messageOf(error),
    error,
  }))
  // What is not of an enumeration is told what is; that it is of another type too says nothing more.
  const outside = new Set(faults.filter((f) => f.error.keyword === 'enum').map((f) => f.field))
  return faults
    .filter(({ field, error }) => error.keyword === 'enum' || !outside.has(field))
    .map(({ field, message }) => ({ field, message }))
}

/** `/itens/0/valor` is `itens[0].valor`; the whole body is `corpo`. */
function fieldOf({ keyword, instancePath, params }: ErrorObject): string {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((text, part) => {
      if (/^\d+$/.test(part)) return `${text}[${part}]`
      return text ? `${text}.${part}` : part
    }, '')
  const named: unknown = keyword === 'required' ? params.missingProperty : params.additionalProperty
  if (typeof named !== 'string') return path || 'corpo'
  return path ? `${path}.${named}` : named
}

const TYPES: Record<string, string> = {
  string: 'texto',
  number: 'número',
  integer: 'número inteiro',
  boolean: 'true ou false',
  object: 'objeto',
  array: 'lista',
  null: 'null',
}

const FORMATS: Record<string, string> = {
  date: 'deve ser uma data real no formato AAAA-MM-DD, de 1900 a 2199',
  text: 'não pode conter o caractere U+0000 nem texto que não seja Unicode válido',
  'date-time': 'deve ser um instante RFC 3339, como 2026-06-22T14:03:07Z',
  'time-zone': 'deve ser um fuso horário, como America/Sao_Paulo',
  uuid: 'deve ser um id (UUID)',
  documento: 'deve ser um CPF ou CNPJ válido',
  reais: 'deve ter no máximo duas casas decimais',
}

function messageOf({ keyword, params, parentSchema, schema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'é obrigatório'
    case 'additionalProperties': {
      const accepted = Object.keys(parentSchema?.properties ?? {})
      return accepted.length ? `não é conhecido; aceitos: ${accepted.join(', ')}` : 'não é aceito'
    }
    case 'type':
      return `deve ser ${[params.type]
        .flat()
        .map((type) => TYPES[type] ?? type)
        .join(' ou ')}`
    case 'enum':
      return `deve ser um destes: ${(schema as unknown[]).filter((v) => v !== null).join(', ')}`
    case 'format':
      return FORMATS[params.format] ?? 'tem formato inválido'
    case 'pattern':
      return 'tem formato inválido'
    case 'minLength':
    case 'maxLength':
      return `deve ter de ${parentSchema?.minLength ?? 0} a ${parentSchema?.maxLength} caracteres`
    case 'minimum':
    case 'exclusiveMinimum':
      return `deve ser no mínimo ${params.limit}`
    case 'maximum':
      return `deve ser no máximo ${params.limit}`
    case 'minItems':
      return `deve ter ao menos ${params.limit} item`
    case 'maxItems':
      return `deve ter no máximo ${params.limit} itens`
    case 'uniqueItems':
      return `repete um item (posições ${params.j} e ${params.i})`
    case 'minProperties':
      return 'deve ter ao menos um campo'
    default:
      return 'é inválido'
  }
}

import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { isUuid } from '../db/uuid.ts'
import { ApiError } from '../errors.ts'

// Plain JSON Schema for the validator, with the TypeScript type beside it. A union would be judged branch
// by branch and its faults named twice, so enumerations and nullable fields are written as one schema.

type Options = Record<string, unknown>

export function Text(minLength: number, maxLength: number, options: Options = {}) {
  return Type.String({ minLength, maxLength, format: 'text', ...options })
}

export function Enum<const T extends readonly string[]>(values: T, options: Options = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options })
}

export function Nullable<T extends TSchema>(schema: T, options: Options = {}) {
  const { type, enum: values, ...rest } = schema as unknown as Options
  const withNull = values ? { enum: [...(values as unknown[]), null] } : {}
  return Type.Unsafe<Static<T> | null>({
    ...rest,
    type: [type, 'null'].flat(),
    ...withNull,
    ...options,
  })
}

export const Day = (options: Options = {}) =>
  Type.String({ format: 'date', examples: ['2026-06-22'], ...options })

export const Instant = (options: Options = {}) =>
  Type.String({ format: 'date-time', examples: ['2026-06-22T14:03:07.123Z'], ...options })

export const Id = (options: Options = {}) => Type.String({ format: 'uuid', ...options })

const MAX_REAIS = 9_999_999_999.99

/** Money in reais: from a centavo up, or from zero where there may be none. */
export const Reais = (minimum: 0 | 0.01, options: Options = {}) =>
  Type.Number({ minimum, maximum: MAX_REAIS, format: 'reais', examples: [1234.56], ...options })

/** An object that takes just these fields. */
export function Exactly<T extends TProperties>(properties: T, options: Options = {}): TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export const PAGE = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Quantos itens no máximo.',
      default: 100,
      examples: [100],
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Quantos itens pular.',
      default: 0,
      examples: [0],
    }),
  ),
}

export interface Page {
  limit: number
  offset: number
}

/** No list is so long: beyond it every page is empty, and PostgreSQL can still count so far. */
const LAST_OFFSET = Number.MAX_SAFE_INTEGER

export function pageOf({ limit = 100, offset = 0 }: Partial<Page>): Page {
  return { limit, offset: Math.min(offset, LAST_OFFSET) }
}

export const IdParams = Exactly({ id: Id({ description: 'O id do recurso.' }) })

/** The id in a path. What is no id at all belongs to nothing: 404, as for an id of another company. */
export function pathId(params: { id: string }): string {
  if (!isUuid(params.id)) throw new ApiError('not-found')
  return params.id
}

export function ListOf<T extends TSchema>(item: T) {
  return Exactly({
    items: Type.Array(item),
    total: Type.Integer({ description: 'Quantos registros correspondem ao filtro.' }),
    limit: Type.Integer(),
    offset: Type.Integer(),
  })
}

/** Since when a list of history is complete: an operator may have what is old dropped. */
export const CompletoDesde = () =>
  Nullable(Instant(), {
    description:
      'Desde quando o histórico está completo: o que é mais antigo pode ter sido apagado. null se nada jamais foi apagado.',
  })

export function ItemOf<T extends TSchema>(item: T) {
  return Exactly({ item })
}

/** Names a schema that the slice has added to the app, so that the documentation shows it once. */
export function Ref<T extends TSchema & { $id?: string }>(schema: T) {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` })
}

/** No parameter is taken: a mistyped one must not go unnoticed. */
export const NoQuery = Exactly({})

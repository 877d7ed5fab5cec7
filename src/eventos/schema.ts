import { type Static, Type } from 'typebox'
import { EVENT_KINDS } from '../events/catalogue.ts'
import { CompletoDesde, Enum, Exactly, Instant } from '../http/schemas.ts'

export const Eventos = Exactly({
  items: Type.Array(
    Exactly({
      seq: Type.Integer({ description: 'Número do evento na empresa, em ordem e sem lacunas.' }),
      event: Enum(EVENT_KINDS),
      criado_em: Instant(),
      data: Type.Object({}, { description: 'O mesmo que a entrega leva em data.' }),
    }),
  ),
  total: Type.Integer({ description: 'Quantos eventos há depois de depois_de.' }),
  limit: Type.Integer(),
  depois_de: Type.Integer({ description: 'O que enviar em depois_de para continuar.' }),
  completo_desde: CompletoDesde(),
})

export const EventosFilter = Exactly({
  depois_de: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: 'Somente eventos com seq maior que este.',
      examples: [0],
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, examples: [100] })),
})
export type EventosFilter = Static<typeof EventosFilter>

/** What a page that is open asks for. */
export const Mudancas = Exactly({
  seq: Type.Integer({ description: 'O número do último evento da empresa.' }),
  recursos: Type.Array(Type.String(), { description: 'De que são os eventos depois de `desde`.' }),
})
export type Mudancas = Static<typeof Mudancas>

import { type Static, Type } from 'typebox'
import { EVENT_KINDS } from '../events/catalogue.ts'
import {
  CompletoDesde,
  Enum,
  Exactly,
  Id,
  Instant,
  ListOf,
  Nullable,
  PAGE,
  Ref,
} from '../http/schemas.ts'

export const STATES = ['pending', 'delivered', 'dead'] as const

const event = Enum(EVENT_KINDS, { description: 'O tipo do evento.' })

const shown = {
  id: Id({ description: 'O mesmo que webhook-id em cada tentativa.' }),
  webhook_id: Id(),
  event,
  sequence: Type.Integer({ description: 'O mesmo que X-SVC-Sequence.' }),
  status: Enum(STATES, {
    description: 'pending: ainda será tentada. dead: não será mais tentada.',
    examples: ['delivered'],
  }),
  attempts: Type.Integer({ description: 'Quantas tentativas foram feitas.' }),
  next_attempt: Nullable(Instant(), {
    description: 'Quando será a próxima tentativa; null se não há, ou se uma está em andamento.',
  }),
  reason: Nullable(Type.String(), {
    description:
      'subscription-removed: a assinatura foi removida. redirect-not-followed: o redirecionamento não foi seguido.',
  }),
  criado_em: Instant(),
  atualizado_em: Instant(),
}

export const Delivery = Exactly(shown, { $id: 'Entrega', title: 'Entrega de webhook' })
export type Delivery = Static<typeof Delivery>

export const Deliveries = Exactly({
  ...ListOf(Ref(Delivery)).properties,
  completo_desde: CompletoDesde(),
})

const ms = (description: string) => Nullable(Type.Integer(), { description })

const Headers = Type.Record(Type.String(), Type.String())

export const Attempt = Exactly(
  {
    started_at: Instant({ description: 'Quando começou.' }),
    duration_ms: Type.Integer({ description: 'Quanto durou ao todo, em milissegundos.' }),
    timings: Exactly({
      dns: ms('Resolver o nome.'),
      connect: ms('Conectar; null se a conexão já estava aberta.'),
      tls: ms('Negociar o TLS.'),
      first_byte: ms('Do envio ao começo da resposta.'),
    }),
    address: Nullable(Type.String(), { description: 'O endereço IP que foi chamado.' }),
    request: Exactly({
      url: Nullable(Type.String(), { description: 'O endereço da assinatura naquele momento.' }),
      headers: Headers,
      body: Type.String(),
    }),
    response: Nullable(
      Exactly({
        status: Type.Integer(),
        headers: Type.Array(Exactly({ name: Type.String(), value: Type.String() })),
        body: Type.String({ description: 'Os primeiros 4 KiB.' }),
      }),
      { description: 'O que foi respondido, se algo foi.' },
    ),
    error: Nullable(Type.String(), {
      description: 'timeout, dns, tls, connection ou address-refused, se não houve resposta.',
    }),
    diagnosis: Nullable(Type.String(), {
      description: 'O que aconteceu e o que fazer; null se tudo correu bem.',
    }),
  },
  { $id: 'Tentativa', title: 'Tentativa de entrega' },
)
export type Attempt = Static<typeof Attempt>

export const DeliveryDetail = Exactly({
  item: Exactly({
    ...shown,
    history: Type.Array(Type.Unsafe<Attempt>({ $ref: 'Tentativa#' }), {
      description: 'Cada tentativa, da primeira à última. Assinaturas nunca são mostradas.',
    }),
  }),
})

export const DeliveryFilter = Exactly({
  status: Type.Optional(Enum(STATES, { examples: ['dead'] })),
  event: Type.Optional(Enum(EVENT_KINDS, { examples: ['lancamento.created'] })),
  ...PAGE,
})
export type DeliveryFilter = Static<typeof DeliveryFilter>

export const DeliveryParams = Exactly({
  id: Id({ description: 'O id da assinatura.' }),
  delivery_id: Id({ description: 'O id da entrega.' }),
})

const ended = Enum(['dead', 'delivered'] as const, {
  description: 'Quais reenviar: as que morreram, ou as que foram entregues.',
  default: 'dead',
})

export const NewRedelivery = Exactly(
  {
    desde: Instant({ description: 'Entregas criadas a partir deste instante, inclusive.' }),
    ate: Type.Optional(Nullable(Instant(), { description: 'E antes deste; se omitido, agora.' })),
    status: Type.Optional(Nullable(ended)),
    events: Type.Optional(
      Nullable(Type.Array(Enum(EVENT_KINDS), { minItems: 1, uniqueItems: true }), {
        description: 'Somente destes tipos; se omitido, de todos.',
      }),
    ),
    simular: Type.Optional(
      Nullable(Type.Boolean(), {
        default: false,
        description: 'Somente conta: nada é reenviado nem criado.',
      }),
    ),
  },
  {
    examples: [
      { desde: '2026-06-22T00:00:00.000Z', status: 'dead', simular: true },
      { desde: '2026-06-22T00:00:00.000Z', ate: '2026-06-23T00:00:00.000Z' },
    ],
  },
)
export type NewRedelivery = Static<typeof NewRedelivery>

const count = Type.Integer({ description: 'Quantas entregas correspondem.' })

export const Redelivery = Exactly(
  {
    id: Id(),
    webhook_id: Id(),
    desde: Instant(),
    ate: Instant(),
    status: ended,
    events: Type.Array(Enum(EVENT_KINDS)),
    total: count,
    reenviadas: Type.Integer({ description: 'Quantas já foram postas de novo na fila.' }),
    criado_em: Instant(),
    concluido_em: Nullable(Instant(), { description: 'Quando a última foi posta na fila.' }),
  },
  { $id: 'Reenvio', title: 'Reenvio de entregas' },
)
export type Redelivery = Static<typeof Redelivery>

export const Counted = Exactly({ simular: Type.Boolean(), total: count })

export const RedeliveryParams = Exactly({
  id: Id({ description: 'O id da assinatura.' }),
  redelivery_id: Id({ description: 'O id do reenvio.' }),
})

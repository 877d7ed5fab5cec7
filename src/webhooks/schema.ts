import { type Static, Type } from 'typebox'
import { EVENT_KINDS } from '../events/catalogue.ts'
import { Enum, Exactly, Id, Instant, Nullable, PAGE, Text } from '../http/schemas.ts'

const url = Text(1, 2048, {
  // A URL is read without the spaces around it, but kept and shown as it was sent.
  pattern: '^\\S+$',
  description: 'Endereço HTTPS público que recebe as entregas.',
  examples: ['https://exemplo.com.br/webhooks/lastro'],
})
const events = Type.Array(Enum(EVENT_KINDS), {
  description: 'Os tipos de evento que a assinatura recebe.',
  minItems: 1,
  uniqueItems: true,
})
const name = Nullable(Text(1, 200), { description: 'Nome da assinatura.' })

const shown = {
  id: Id(),
  url,
  events,
  name,
  ativo: Type.Boolean({
    description: 'Se as entregas estão sendo feitas; senão esperam, e nenhuma se perde.',
  }),
  inativo_desde: Nullable(Instant(), { description: 'Desde quando não está ativa.' }),
  inativo_motivo: Nullable(Type.String(), {
    description: 'Por que não está ativa.',
    examples: [null],
  }),
  segredo_anterior_ate: Nullable(Instant(), {
    description: 'Até quando o segredo anterior também assina.',
  }),
  criado_em: Instant(),
  atualizado_em: Instant(),
}
const secret = Type.String({
  description: 'Segredo das assinaturas. Mostrado somente agora.',
  examples: ['whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE='],
})

export const Webhook = Exactly(shown, { $id: 'Webhook', title: 'Assinatura de webhook' })
export type Webhook = Static<typeof Webhook>

export const CreatedWebhook = Exactly({ item: Exactly({ ...shown, secret }), secret })

export const NewWebhook = Exactly(
  { url, events, name: Type.Optional(name) },
  {
    examples: [
      {
        url: 'https://exemplo.com.br/webhooks/lastro',
        events: ['lancamento.created', 'lancamento.paid'],
        name: 'ERP',
      },
    ],
  },
)
export type NewWebhook = Static<typeof NewWebhook>

export const WebhookFilter = Exactly(PAGE)
export type WebhookFilter = Static<typeof WebhookFilter>

export const WebhookPatch = Exactly(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    name: Type.Optional(name),
    ativo: Type.Optional(shown.ativo),
    id: Type.Optional(shown.id),
    inativo_desde: Type.Optional(shown.inativo_desde),
    inativo_motivo: Type.Optional(shown.inativo_motivo),
    segredo_anterior_ate: Type.Optional(shown.segredo_anterior_ate),
    criado_em: Type.Optional(shown.criado_em),
    atualizado_em: Type.Optional(shown.atualizado_em),
  },
  {
    minProperties: 1,
    description: 'Os campos a mudar. Os somente leitura são aceitos quando iguais aos guardados.',
    examples: [{ ativo: false }, { events: ['lancamento.paid'], name: null }],
  },
)
export type WebhookPatch = Static<typeof WebhookPatch>

export const Rotation = Exactly(
  {
    horas: Type.Optional(
      Nullable(Type.Integer({ minimum: 0, maximum: 168 }), {
        default: 24,
        description: 'Por quantas horas o segredo anterior ainda assina; 0 o encerra já.',
      }),
    ),
  },
  { examples: [{ horas: 24 }] },
)
export type Rotation = Static<typeof Rotation>

export const RotatedWebhook = Exactly({ item: Exactly(shown), secret })

export const TestOf = Exactly(
  { event: Enum(EVENT_KINDS, { description: 'O tipo de evento do exemplo.' }) },
  { examples: [{ event: 'lancamento.created' }] },
)

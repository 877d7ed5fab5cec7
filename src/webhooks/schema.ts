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
  ativo: Type.Boolean({ description: 'Se as entregas estão sendo feitas.' }),
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

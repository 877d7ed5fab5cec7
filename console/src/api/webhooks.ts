import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { EventKind } from '../../../src/events/catalogue.ts'
import type {
  Attempt,
  Counted,
  Deliveries,
  Delivery,
  DeliveryDetail,
  DeliveryFilter,
  NewRedelivery,
  Redelivery,
} from '../../../src/webhooks/delivery-schema.ts'
import type {
  CreatedWebhook,
  NewWebhook,
  RotatedWebhook,
  Webhook,
  WebhookPatch,
} from '../../../src/webhooks/schema.ts'
import { get, patch, post, remove } from './call.ts'

const base = (empresa: string, id?: string) =>
  id ? `/e/${empresa}/webhooks/${id}` : `/e/${empresa}/webhooks`

/** Everything that is known of a company's webhooks starts with this key. */
export const webhooksKey = (empresa: string) => ['e', empresa, 'webhooks']

export const webhooksQuery = (empresa: string) =>
  queryOptions({
    queryKey: [...webhooksKey(empresa), 'list'],
    queryFn: ({ signal }) => get<{ items: Webhook[] }>(base(empresa), signal),
  })

export const deliveriesQuery = (empresa: string, id: string, filter: DeliveryFilter) =>
  queryOptions({
    queryKey: [...webhooksKey(empresa), id, 'deliveries', filter],
    queryFn: ({ signal }) => {
      const given = Object.entries(filter).map(([name, value]) => [name, String(value)])
      return get<Static<typeof Deliveries>>(
        `${base(empresa, id)}/deliveries?${new URLSearchParams(given)}`,
        signal,
      )
    },
    placeholderData: keepPreviousData,
  })

export const deliveryQuery = (empresa: string, id: string, delivery: string) =>
  queryOptions({
    queryKey: [...webhooksKey(empresa), id, 'delivery', delivery],
    queryFn: ({ signal }) =>
      get<Static<typeof DeliveryDetail>>(`${base(empresa, id)}/deliveries/${delivery}`, signal),
  })

export const redeliveryQuery = (empresa: string, id: string, redelivery: string) =>
  queryOptions({
    queryKey: [...webhooksKey(empresa), id, 'redelivery', redelivery],
    queryFn: ({ signal }) =>
      get<{ item: Redelivery }>(`${base(empresa, id)}/redeliver/${redelivery}`, signal),
  })

export const createWebhook = (empresa: string, values: NewWebhook) =>
  post<Static<typeof CreatedWebhook>>(base(empresa), values)
export const changeWebhook = (empresa: string, id: string, values: WebhookPatch) =>
  patch<{ item: Webhook }>(base(empresa, id), values)
export const removeWebhook = (empresa: string, id: string) => remove(base(empresa, id))
export const rotateSecret = (empresa: string, id: string, horas: number) =>
  post<Static<typeof RotatedWebhook>>(`${base(empresa, id)}/rotate-secret`, { horas })
export const testWebhook = (empresa: string, id: string, event: EventKind) =>
  post<{ item: Attempt }>(`${base(empresa, id)}/test`, { event })
export const redeliver = (empresa: string, id: string, delivery: string) =>
  post<{ item: Delivery }>(`${base(empresa, id)}/deliveries/${delivery}/redeliver`)
export const countRange = (empresa: string, id: string, range: NewRedelivery) =>
  post<{ item: Static<typeof Counted> }>(`${base(empresa, id)}/redeliver`, {
    ...range,
    simular: true,
  })
export const redeliverRange = (empresa: string, id: string, range: NewRedelivery) =>
  post<{ item: Redelivery }>(`${base(empresa, id)}/redeliver`, range)

import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '../../../../src/webhooks/delivery-schema.ts'
import type { Webhook } from '../../../../src/webhooks/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { deliveriesQuery } from '../../api/webhooks.ts'
import { count, withMoments } from '../../lib/format.ts'
import { STATUS_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'

const LATEST = 20

/** The server words a pause that a person asked for this way; everything else stopped by itself. */
const PAUSED = 'Pausada.'

export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (webhook.ativo) return <Badge tone="good">Ativo</Badge>
  if (webhook.inativo_motivo === PAUSED) return <Badge tone="warn">Pausado</Badge>
  return <Badge tone="bad">Desativado</Badge>
}

/** Why it is not delivered to, where a person did not ask for it. */
export function Motive({ webhook }: { webhook: Webhook }) {
  const { fuso_horario } = useEmpresa()
  const { ativo, inativo_motivo } = webhook
  if (ativo || !inativo_motivo) return null
  return (
    <p className="text-sm">
      {inativo_motivo === PAUSED
        ? 'As entregas esperam, e nenhuma se perde.'
        : withMoments(inativo_motivo, fuso_horario)}
    </p>
  )
}

const FILLS: Record<Delivery['status'], string> = {
  delivered: 'h-4 bg-main',
  pending: 'h-2.5 bg-warn',
  dead: 'h-4 bg-bad',
}

/** How the latest deliveries went: a stroke for each, and the same in words. */
export function LatestOutcomes({ webhook }: { webhook: Webhook }) {
  const { id } = useEmpresa()
  const { data, error } = useQuery({
    ...deliveriesQuery(id, webhook.id, { limit: LATEST }),
    refetchInterval: 15_000,
  })
  if (error && !data) return <p className="text-sm text-soft">Entregas: {error.detail}</p>
  if (!data) return <p className="text-sm text-soft">Lendo as últimas entregas…</p>
  if (data.items.length === 0) return <p className="text-sm text-soft">Nenhuma entrega ainda.</p>
  const words = Object.entries(STATUS_WORDS)
    .map(([status, { name, many }]) => {
      const found = data.items.filter((delivery) => delivery.status === status).length
      return found > 0 && `${count(found)} ${found === 1 ? name.toLowerCase() : many}`
    })
    .filter(Boolean)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span aria-hidden="true" className="flex items-end gap-0.5">
        {data.items.toReversed().map((delivery) => (
          <span
            key={delivery.id}
            className={`w-1.5 self-center rounded-sm ${FILLS[delivery.status]}`}
          />
        ))}
      </span>
      <span>Últimas entregas: {words.join(', ')}</span>
    </div>
  )
}

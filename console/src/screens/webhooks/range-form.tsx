import { useState } from 'react'
import type { EventKind } from '../../../../src/events/catalogue.ts'
import type { NewRedelivery } from '../../../../src/webhooks/delivery-schema.ts'
import type { Webhook } from '../../../../src/webhooks/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { countRange } from '../../api/webhooks.ts'
import { useForm } from '../../lib/form.ts'
import { instantAt, wallTime } from '../../lib/format.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { EventBoxes } from './event-boxes.tsx'

export interface Found {
  range: NewRedelivery
  total: number
}

interface FormProps {
  webhook: Webhook
  hidden: boolean
  onCounted: (found: Found) => void
  onClose: () => void
}

const DAY = 24 * 60 * 60 * 1000

export function RangeForm({ webhook, hidden, onCounted, onClose }: FormProps) {
  const { id, fuso_horario } = useEmpresa()
  const [initial] = useState(() => ({
    desde: wallTime(Date.now() - DAY, fuso_horario),
    ate: '',
    status: 'dead' as string,
    events: [] as EventKind[],
  }))
  const form = useForm({
    draft: `reenvio.${id}.${webhook.id}`,
    initial,
    check: ({ desde, ate }) => ({
      ...(desde ? {} : { desde: 'Informe o começo do período.' }),
      ...(ate && ate <= desde ? { ate: 'O fim deve vir depois do começo.' } : {}),
    }),
    async send({ desde, ate, status, events }) {
      const range: NewRedelivery = {
        desde: instantAt(desde, fuso_horario),
        status: status === 'delivered' ? 'delivered' : 'dead',
        ...(ate ? { ate: instantAt(ate, fuso_horario) } : {}),
        ...(events.length > 0 ? { events } : {}),
      }
      const { item } = await countRange(id, webhook.id, range)
      return { range, total: item.total }
    },
    done: onCounted,
  })
  if (hidden) return null
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Desde" type="datetime-local" {...form.bind('desde')} />
        <TextField
          label="Até (opcional)"
          type="datetime-local"
          hint="Sem fim, até agora."
          {...form.bind('ate')}
        />
      </div>
      <SelectField label="Quais" {...form.bind('status')}>
        <option value="dead">As que não foram entregues</option>
        <option value="delivered">As que foram entregues</option>
      </SelectField>
      <EventBoxes
        legend="Tipos de evento (opcional)"
        hint="Sem nenhum marcado, todos."
        events={form.values.events}
        onChange={(events) => form.set('events', events)}
      />
      <FormActions form={form} act="Contar antes de reenviar" onClose={onClose} />
    </form>
  )
}

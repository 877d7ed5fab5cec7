import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { EVENT_KINDS, EVENTS, type EventKind } from '../../../../src/events/catalogue.ts'
import type { Webhook } from '../../../../src/webhooks/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { testWebhook } from '../../api/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure.tsx'
import { SelectField } from '../../ui/field.tsx'
import { AttemptView } from './attempt.tsx'

export function TestForm({ webhook }: { webhook: Webhook }) {
  const { id } = useEmpresa()
  const [event, setEvent] = useState<EventKind>(webhook.events[0] ?? EVENT_KINDS[0]!)
  const testing = useMutation({ mutationFn: () => testWebhook(id, webhook.id, event) })
  return (
    <div className="grid gap-4">
      <SelectField
        label="Evento do exemplo"
        value={event}
        onChange={(kind) => setEvent(kind as EventKind)}
      >
        {EVENT_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {kind}: {EVENTS[kind]}
          </option>
        ))}
      </SelectField>
      <div>
        <Button kind="main" pending={testing.isPending} onClick={() => testing.mutate()}>
          {testing.isPending ? 'Enviando…' : testing.data ? 'Enviar outra vez' : 'Enviar teste'}
        </Button>
      </div>
      <FailureNotice failure={testing.error} />
      <div role="status" className="min-w-0">
        {testing.data && !testing.isPending && (
          <AttemptView attempt={testing.data.item} title="Resultado" />
        )}
      </div>
    </div>
  )
}

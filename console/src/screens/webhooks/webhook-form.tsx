import { useQueryClient } from '@tanstack/react-query'
import type { EventKind } from '../../../../src/events/catalogue.ts'
import type { NewWebhook, Webhook } from '../../../../src/webhooks/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { changeWebhook, createWebhook, webhooksKey } from '../../api/webhooks.ts'
import { useForm } from '../../lib/form.ts'
import { TextField } from '../../ui/field.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { toast } from '../../ui/toasts.tsx'
import { EventBoxes } from './event-boxes.tsx'

interface NewProps {
  onCreated: (secret: string) => void
  onClose: () => void
}

export function NewWebhookForm({ onCreated, onClose }: NewProps) {
  const { id } = useEmpresa()
  return (
    <WebhookForm
      draft={`webhook.${id}`}
      initial={{ url: '', name: '', events: [] }}
      act="Criar webhook"
      send={(values) => createWebhook(id, values)}
      done={({ secret }) => onCreated(secret)}
      onClose={onClose}
    />
  )
}

export function EditWebhookForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id } = useEmpresa()
  const { url, name, events } = webhook
  return (
    <WebhookForm
      draft={`webhook.${id}.${webhook.id}`}
      initial={{ url, name: name ?? '', events }}
      act="Salvar"
      send={(values) => changeWebhook(id, webhook.id, values)}
      done={() => {
        toast('Webhook alterado.')
        onClose()
      }}
      onClose={onClose}
    />
  )
}

interface FormProps<R> {
  draft: string
  initial: { url: string; name: string; events: EventKind[] }
  act: string
  send: (values: NewWebhook) => Promise<R>
  done: (result: R) => void
  onClose: () => void
}

function WebhookForm<R>({ draft, initial, act, send, done, onClose }: FormProps<R>) {
  const { id } = useEmpresa()
  const queryClient = useQueryClient()
  const form = useForm({
    draft,
    initial,
    check: ({ url, events }) => ({
      ...(URL.canParse(url.trim()) ? {} : { url: 'Informe um endereço, começando por https://.' }),
      ...(events.length > 0 ? {} : { events: 'Marque ao menos um tipo de evento.' }),
    }),
    send: ({ url, name, events }) => send({ url: url.trim(), name: name.trim() || null, events }),
    done(result) {
      queryClient.invalidateQueries({ queryKey: webhooksKey(id) })
      done(result)
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <TextField
        label="URL"
        type="url"
        inputMode="url"
        maxLength={2048}
        autoComplete="off"
        placeholder="https://exemplo.com.br/webhooks/lastro"
        hint="O endereço https público do seu sistema que recebe as entregas."
        {...form.bind('url')}
      />
      <TextField
        label="Nome (opcional)"
        maxLength={200}
        autoComplete="off"
        {...form.bind('name')}
      />
      <EventBoxes
        legend="O que o sistema quer saber"
        events={form.values.events}
        fault={form.faults.events}
        onChange={(events) => form.set('events', events)}
      />
      <FormActions form={form} act={act} onClose={onClose} />
    </form>
  )
}

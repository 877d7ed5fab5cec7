import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { EventKind } from '../../../../src/events/catalogue.ts'
import type { NewRedelivery } from '../../../../src/webhooks/delivery-schema.ts'
import type { Webhook } from '../../../../src/webhooks/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { countRange, redeliverRange, redeliveryQuery, webhooksKey } from '../../api/webhooks.ts'
import { useForm } from '../../lib/form.ts'
import { counted, instantAt, wallTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/failure.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import type { Opener } from '../../ui/returned-focus.ts'
import { EventBoxes } from './event-boxes.tsx'

interface Props {
  open: boolean
  onClose: () => void
  opener: Opener
  webhook: Webhook
}

interface Found {
  range: NewRedelivery
  total: number
}

/** First how many there are, then sending them, then how far that is. */
export function RangeDialog({ open, onClose, opener, webhook }: Props) {
  const [found, setFound] = useState<Found>()
  const [redelivery, setRedelivery] = useState<string>()
  function close() {
    setFound(undefined)
    setRedelivery(undefined)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      opener={opener}
      title="Reenviar um período"
      description={
        redelivery
          ? 'O reenvio é feito em segundo plano: continua mesmo que você feche esta janela.'
          : 'Cada entrega é enviada de novo com o mesmo webhook-id.'
      }
    >
      {redelivery ? (
        <RangeProgress webhook={webhook} redelivery={redelivery} onClose={close} />
      ) : (
        <>
          <RangeForm
            hidden={found !== undefined}
            webhook={webhook}
            onCounted={setFound}
            onClose={close}
          />
          {found && (
            <RangeFound
              webhook={webhook}
              found={found}
              onBack={() => setFound(undefined)}
              onStarted={setRedelivery}
            />
          )}
        </>
      )}
    </Dialog>
  )
}

interface FormProps {
  webhook: Webhook
  hidden: boolean
  onCounted: (found: Found) => void
  onClose: () => void
}

const DAY = 24 * 60 * 60 * 1000

function RangeForm({ webhook, hidden, onCounted, onClose }: FormProps) {
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
      <FailureNotice failure={form.failure} />
      <DialogActions>
        <Button
          onClick={() => {
            form.reset()
            onClose()
          }}
        >
          Cancelar
        </Button>
        <Button type="submit" kind="main" pending={form.pending}>
          Contar antes de reenviar
        </Button>
      </DialogActions>
    </form>
  )
}

interface FoundProps {
  webhook: Webhook
  found: Found
  onBack: () => void
  onStarted: (redelivery: string) => void
}

function RangeFound({ webhook, found, onBack, onStarted }: FoundProps) {
  const { id } = useEmpresa()
  const starting = useMutation({
    mutationFn: () => redeliverRange(id, webhook.id, found.range),
    onSuccess: ({ item }) => onStarted(item.id),
  })
  const words = counted(found.total, 'entrega', 'entregas')
  return (
    <div className="grid gap-4">
      <Notice tone={found.total > 0 ? 'warn' : 'info'}>
        <p>
          {found.total > 0
            ? `${words} correspondem ao período. O seu sistema vai recebê-las de novo.`
            : 'Nenhuma entrega corresponde. Mude o período ou quais reenviar.'}
        </p>
      </Notice>
      <FailureNotice failure={starting.error} />
      <DialogActions>
        <Button onClick={onBack}>Mudar o período</Button>
        {found.total > 0 && (
          <Button kind="main" pending={starting.isPending} onClick={() => starting.mutate()}>
            Reenviar {words}
          </Button>
        )}
      </DialogActions>
    </div>
  )
}

interface ProgressProps {
  webhook: Webhook
  redelivery: string
  onClose: () => void
}

function RangeProgress({ webhook, redelivery, onClose }: ProgressProps) {
  const { id } = useEmpresa()
  const queryClient = useQueryClient()
  const query = useQuery({
    ...redeliveryQuery(id, webhook.id, redelivery),
    refetchInterval: ({ state }) => (state.data?.item.concluido_em ? false : 1000),
  })
  const done = Boolean(query.data?.item.concluido_em)
  useEffect(() => {
    if (done) queryClient.invalidateQueries({ queryKey: [...webhooksKey(id), webhook.id] })
  }, [done, id, webhook.id, queryClient])
  return (
    <div className="grid gap-4">
      <Loaded query={query} lines={1}>
        {({ item }) => (
          <>
            <Progress label="Postas de novo na fila" value={item.reenviadas} max={item.total} />
            <p role="status" className="text-sm">
              {done && 'Todas estão na fila; as entregas saem em seguida.'}
            </p>
          </>
        )}
      </Loaded>
      <DialogActions>
        <Button kind="main" onClick={onClose}>
          Fechar
        </Button>
      </DialogActions>
    </div>
  )
}

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Webhook } from '../../../../src/webhooks/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { redeliverRange } from '../../api/webhooks.ts'
import { counted } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Opener } from '../../ui/returned-focus.ts'
import { type Found, RangeForm } from './range-form.tsx'
import { RangeProgress } from './range-progress.tsx'

interface Props {
  open: boolean
  onClose: () => void
  opener: Opener
  webhook: Webhook
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
      <DialogActions failure={starting.error}>
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

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Webhook } from '../../../../src/webhooks/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { rotateSecret, webhooksKey } from '../../api/webhooks.ts'
import { useForm } from '../../lib/form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ShownOnce } from '../../ui/once.tsx'
import type { Opener } from '../../ui/returned-focus.ts'

const LONGEST = 168

interface Props {
  open: boolean
  onClose: () => void
  opener: Opener
  webhook: Webhook
}

export function RotateDialog({ open, onClose, opener, webhook }: Props) {
  const [secret, setSecret] = useState<string>()
  function close() {
    setSecret(undefined)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      opener={opener}
      locked={secret !== undefined}
      title={secret ? 'Segredo trocado' : 'Trocar o segredo'}
    >
      {secret ? (
        <ShownOnce secrets={[{ label: 'Novo segredo', value: secret }]} onKept={close}>
          <p>Guarde-o no sistema que recebe as entregas: ele já assina as próximas.</p>
        </ShownOnce>
      ) : (
        <RotateForm webhook={webhook} onRotated={setSecret} onClose={close} />
      )}
    </Dialog>
  )
}

interface FormProps {
  webhook: Webhook
  onRotated: (secret: string) => void
  onClose: () => void
}

function RotateForm({ webhook, onRotated, onClose }: FormProps) {
  const { id } = useEmpresa()
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { horas: '24' },
    check: ({ horas }) => ({
      ...(/^\d+$/.test(horas) && Number(horas) <= LONGEST
        ? {}
        : { horas: `Informe de 0 a ${LONGEST} horas.` }),
    }),
    send: ({ horas }) => rotateSecret(id, webhook.id, Number(horas)),
    done({ secret }) {
      queryClient.invalidateQueries({ queryKey: webhooksKey(id) })
      onRotated(secret)
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <TextField
        label="Por quantas horas o segredo atual ainda vale"
        type="number"
        inputMode="numeric"
        min={0}
        max={LONGEST}
        hint="Nesse tempo cada entrega leva as duas assinaturas, e o seu sistema troca de segredo sem perder nenhuma. Com 0, o atual deixa de valer já."
        {...form.bind('horas')}
      />
      <DialogActions failure={form.failure}>
        <Button onClick={onClose}>Cancelar</Button>
        <Button type="submit" kind="main" pending={form.pending}>
          Trocar o segredo
        </Button>
      </DialogActions>
    </form>
  )
}

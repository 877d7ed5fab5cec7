import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Webhook } from '../../../../src/webhooks/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { changeWebhook, removeWebhook, webhooksKey } from '../../api/webhooks.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/failure.tsx'
import { buttonLook } from '../../ui/look.ts'
import { ActionsMenu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toasts.tsx'
import { RangeDialog } from './range.tsx'
import { RotateDialog } from './rotate.tsx'
import { TestForm } from './test-form.tsx'
import { EditWebhookForm } from './webhook-form.tsx'

type Act = 'edit' | 'test' | 'rotate' | 'range' | 'remove'

/** Everything that can be done to a webhook, for those who may. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { id: empresa } = useEmpresa()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const trigger = useRef<HTMLButtonElement>(null)
  const [act, setAct] = useState<Act | null>(null)
  const close = () => setAct(null)
  const name = webhook.name ?? webhook.url
  const refresh = () => queryClient.invalidateQueries({ queryKey: webhooksKey(empresa) })

  const switching = useMutation({
    mutationFn: async (ativo: boolean) => {
      await changeWebhook(empresa, webhook.id, { ativo })
      toast(ativo ? 'Webhook ativo.' : 'Webhook pausado.')
      await refresh()
    },
  })

  async function remove() {
    await removeWebhook(empresa, webhook.id)
    if (pathname.includes(webhook.id)) {
      await navigate({ to: '/e/$empresa/integracoes/webhooks', params: { empresa } })
    }
    await refresh()
    toast('Webhook removido.')
  }

  return (
    <div className="grid gap-2">
      <ActionsMenu triggerRef={trigger} of={name} className={`${buttonLook()} justify-self-start`}>
        <MenuItem onSelect={() => setAct('test')}>Enviar um teste</MenuItem>
        <MenuItem onSelect={() => setAct('edit')}>Editar</MenuItem>
        <MenuItem onSelect={() => switching.mutate(!webhook.ativo)}>
          {webhook.ativo ? 'Pausar' : 'Ativar'}
        </MenuItem>
        <MenuItem onSelect={() => setAct('range')}>Reenviar um período</MenuItem>
        <MenuItem onSelect={() => setAct('rotate')}>Trocar o segredo</MenuItem>
        <MenuLine />
        <MenuItem dangerous onSelect={() => setAct('remove')}>
          Remover
        </MenuItem>
      </ActionsMenu>
      <FailureNotice failure={switching.error} retry={() => switching.mutate(!webhook.ativo)} />
      <Dialog open={act === 'edit'} onOpenChange={close} opener={trigger} title={`Editar ${name}`}>
        <EditWebhookForm webhook={webhook} onClose={close} />
      </Dialog>
      <Dialog
        open={act === 'test'}
        onOpenChange={close}
        opener={trigger}
        title={`Testar ${name}`}
        description="Um exemplo é enviado agora, assinado como uma entrega de verdade, e você vê o que o servidor respondeu."
      >
        <TestForm webhook={webhook} />
      </Dialog>
      <RotateDialog open={act === 'rotate'} onClose={close} opener={trigger} webhook={webhook} />
      <RangeDialog open={act === 'range'} onClose={close} opener={trigger} webhook={webhook} />
      <Confirm
        open={act === 'remove'}
        onOpenChange={close}
        opener={trigger}
        title={`Remover ${name}?`}
        act="Remover"
        onConfirm={remove}
      >
        As entregas pendentes são encerradas e nada mais é enviado a {webhook.url}. Não há como
        voltar atrás.
      </Confirm>
    </div>
  )
}

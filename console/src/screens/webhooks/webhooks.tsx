import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Webhook } from '../../../../src/webhooks/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { webhooksQuery } from '../../api/webhooks.ts'
import { counted } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ModuleGate } from '../../ui/gate.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { linkLook } from '../../ui/look.ts'
import { ShownOnce } from '../../ui/once.tsx'
import { Page } from '../../ui/page.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { WebhookActions } from './actions.tsx'
import { LatestOutcomes, Motive, WebhookState } from './health.tsx'
import { NewWebhookForm } from './webhook-form.tsx'

export function Webhooks() {
  const { id, isAdmin, modulos } = useEmpresa()
  const { data } = useQuery({ ...webhooksQuery(id), enabled: modulos.includes('integracoes') })
  const [open, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()

  function close() {
    setOpen(false)
    setSecret(undefined)
  }

  const create = isAdmin && (
    <Button kind="main" onClick={() => setOpen(true)}>
      <Icon name="plus" className="size-4" />
      Criar webhook
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      lead="O Lastro avisa os seus sistemas assim que algo acontece, com mensagens assinadas."
      actions={data && data.items.length > 0 && create}
    >
      <ModuleGate modulo="integracoes">
        <List create={create} />
        <Dialog
          open={open}
          onOpenChange={close}
          locked={secret !== undefined}
          title={secret ? 'Webhook criado' : 'Criar webhook'}
        >
          {secret ? (
            <ShownOnce
              secrets={[{ label: 'Segredo das assinaturas', value: secret }]}
              onKept={close}
            >
              <p>
                Guarde o segredo no sistema que recebe as entregas: é com ele que se confere que uma
                mensagem veio mesmo do Lastro.
              </p>
            </ShownOnce>
          ) : (
            <NewWebhookForm onCreated={setSecret} onClose={close} />
          )}
        </Dialog>
      </ModuleGate>
    </Page>
  )
}

function List({ create }: { create: ReactNode }) {
  const { id, isAdmin } = useEmpresa()
  const query = useQuery({ ...webhooksQuery(id), refetchInterval: 15_000 })
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon="bolt" title="Nenhum webhook ainda" action={create}>
            {isAdmin
              ? 'Crie um com o endereço do seu sistema e escolha o que ele quer saber: um lançamento pago, uma cobrança criada.'
              : 'Somente um administrador da empresa pode criar webhooks.'}
          </Empty>
        ) : (
          <Rows label="Webhooks">
            {items.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} />
            ))}
          </Rows>
        )
      }
    </Loaded>
  )
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id, isAdmin } = useEmpresa()
  return (
    <Row actions={isAdmin && <WebhookActions webhook={webhook} />}>
      <p className="flex flex-wrap items-center gap-2">
        <Link
          to="/e/$empresa/integracoes/webhooks/$id"
          params={{ empresa: id, id: webhook.id }}
          className={`${linkLook} font-medium`}
        >
          {webhook.name ?? webhook.url}
        </Link>
        <WebhookState webhook={webhook} />
      </p>
      <p className="text-sm text-soft">
        {webhook.name && `${webhook.url} · `}
        {counted(webhook.events.length, 'tipo de evento', 'tipos de evento')}
      </p>
      <Motive webhook={webhook} />
      <LatestOutcomes webhook={webhook} />
    </Row>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEmpresa } from '../../api/eu.ts'
import { type ContaConectada, provedorQuery } from '../../api/provedor.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ModuleGate } from '../../ui/gate.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ShownOnce } from '../../ui/once.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ConnectForm } from './connect-form.tsx'
import { Connected } from './connected.tsx'

export function Pagamentos() {
  return (
    <Page
      title="Conta de pagamento"
      lead="Por ela são emitidos os boletos, PIX e cobranças no cartão, e nela cai o dinheiro."
    >
      <ModuleGate modulo="cobrancas">
        <Account />
      </ModuleGate>
    </Page>
  )
}

function Account() {
  const { id, isAdmin } = useEmpresa()
  const query = useQuery(provedorQuery(id))
  const [open, setOpen] = useState(false)
  const [connected, setConnected] = useState<ContaConectada>()
  const once = connected?.webhook_url && connected.webhook_token ? connected : undefined

  function close() {
    setOpen(false)
    setConnected(undefined)
  }
  function done(conta: ContaConectada) {
    toast('Conta conectada.')
    if (conta.webhook_token) setConnected(conta)
    else close()
  }

  const connect = (label: string) =>
    isAdmin && (
      <Button kind="main" onClick={() => setOpen(true)}>
        {label}
      </Button>
    )
  return (
    <>
      <Loaded query={query}>
        {({ item }) =>
          item ? (
            <Connected conta={item} replace={() => setOpen(true)} />
          ) : (
            <Empty icon="card" title="Nenhuma conta conectada" action={connect('Conectar conta')}>
              {isAdmin
                ? 'Conecte a conta que a empresa tem no Asaas ou, para experimentar, o ambiente de testes, em que nenhum dinheiro se move.'
                : 'Somente um administrador da empresa pode conectar uma conta de pagamento.'}
            </Empty>
          )
        }
      </Loaded>
      <Dialog
        open={open}
        onOpenChange={close}
        locked={once !== undefined}
        title={once ? 'Falta um passo no Asaas' : 'Conectar conta de pagamento'}
      >
        {once ? (
          <ShownOnce
            onKept={close}
            secrets={[
              { label: 'URL do webhook', value: once.webhook_url ?? '' },
              { label: 'Token de autenticação', value: once.webhook_token ?? '' },
            ]}
          >
            <p>
              No painel do Asaas, em Integrações, Webhooks, crie um webhook de cobranças com esta
              URL e este token. É por ele que o Lastro fica sabendo dos pagamentos na hora.
            </p>
          </ShownOnce>
        ) : (
          <ConnectForm current={query.data?.item ?? null} onConnected={done} onClose={close} />
        )}
      </Dialog>
    </>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEmpresa } from '../api/eu.ts'
import {
  type Conta,
  type ContaConectada,
  connectProvedor,
  disconnectProvedor,
  provedorQuery,
} from '../api/provedor.ts'
import { useForm } from '../lib/form.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Facts } from '../ui/facts.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { PasswordField, SelectField } from '../ui/field.tsx'
import { ModuleGate } from '../ui/gate.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Moment } from '../ui/moment.tsx'
import { Notice } from '../ui/notice.tsx'
import { ShownOnce } from '../ui/once.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'

const PROVIDERS: Record<string, string> = { sandbox: 'Ambiente de testes', asaas: 'Asaas' }

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

function Connected({ conta, replace }: { conta: Conta; replace: () => void }) {
  const { id, isAdmin } = useEmpresa()
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const name = PROVIDERS[conta.provedor] ?? conta.provedor
  return (
    <Card title={name} actions={<Badge tone="good">Conectada</Badge>}>
      <Facts
        items={[
          ['Conectada em', <Moment key="at" at={conta.conectada_em} />],
          ['Identificador', conta.id],
          ['Endereço', conta.base_url],
        ]}
      />
      {conta.provedor === 'sandbox' && (
        <Notice>
          <p>No ambiente de testes nenhum dinheiro se move e nenhum banco conhece as cobranças.</p>
        </Notice>
      )}
      {isAdmin ? (
        <div className="flex flex-wrap gap-2">
          {conta.provedor !== 'sandbox' && <Button onClick={replace}>Trocar a chave</Button>}
          <Button kind="danger" onClick={() => setOpen(true)}>
            Desconectar
          </Button>
        </div>
      ) : (
        <p className="text-sm text-soft">Somente um administrador pode trocar ou desconectar.</p>
      )}
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title="Desconectar a conta de pagamento?"
        act="Desconectar"
        onConfirm={async () => {
          await disconnectProvedor(id)
          await queryClient.invalidateQueries({ queryKey: provedorQuery(id).queryKey })
          toast('Conta desconectada.')
        }}
      >
        A chave é esquecida e não será possível emitir cobranças até conectar outra conta. As
        cobranças que já existem continuam.
      </Confirm>
    </Card>
  )
}

interface ConnectProps {
  current: Conta | null
  onConnected: (conta: ContaConectada) => void
  onClose: () => void
}

type Ambiente = 'producao' | 'testes'

function ConnectForm({ current, onConnected, onClose }: ConnectProps) {
  const { id } = useEmpresa()
  const queryClient = useQueryClient()
  const form = useForm({
    initial: {
      provedor: current ? 'asaas' : 'sandbox',
      ambiente: (current?.base_url ? 'testes' : 'producao') as string,
      chave: '',
    },
    check: ({ provedor, chave }) => ({
      ...(provedor === 'asaas' && !chave.trim()
        ? { chave: 'Informe a chave de API do Asaas.' }
        : {}),
    }),
    send: ({ provedor, ambiente, chave }) =>
      connectProvedor(
        id,
        provedor === 'asaas'
          ? { provedor, ambiente: ambiente as Ambiente, chave: chave.trim() }
          : { provedor: 'sandbox' },
      ),
    done(conta) {
      queryClient.invalidateQueries({ queryKey: provedorQuery(id).queryKey })
      onConnected(conta)
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {!current && (
        <SelectField label="Provedor" {...form.bind('provedor')}>
          <option value="sandbox">Ambiente de testes, sem dinheiro de verdade</option>
          <option value="asaas">Asaas</option>
        </SelectField>
      )}
      {form.values.provedor === 'asaas' && (
        <>
          {!current && (
            <SelectField label="Ambiente do Asaas" {...form.bind('ambiente')}>
              <option value="producao">Produção</option>
              <option value="testes">Testes (sandbox do Asaas)</option>
            </SelectField>
          )}
          <PasswordField
            label="Chave de API do Asaas"
            autoComplete="off"
            hint="No Asaas: Integrações, Chaves de API. Ela é guardada cifrada e nunca mais é mostrada."
            {...form.bind('chave')}
          />
        </>
      )}
      <FailureNotice failure={form.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancelar</Button>
        <Button type="submit" kind="main" pending={form.pending}>
          {current ? 'Trocar a chave' : 'Conectar'}
        </Button>
      </DialogActions>
    </form>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEmpresa } from '../../api/eu.ts'
import { type Conta, disconnectProvedor, provedorQuery } from '../../api/provedor.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'

const PROVIDERS: Record<string, string> = { sandbox: 'Ambiente de testes', asaas: 'Asaas' }

export function Connected({ conta, replace }: { conta: Conta; replace: () => void }) {
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

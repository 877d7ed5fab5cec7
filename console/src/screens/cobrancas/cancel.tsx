import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Cobranca } from '../../../../src/cobrancas/schema.ts'
import { cancelCobranca, cobrancasKey } from '../../api/cobrancas.ts'
import { useEmpresa } from '../../api/eu.ts'
import { reais } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toasts.tsx'

export function CancelButton({ cobranca }: { cobranca: Cobranca }) {
  const { id: empresa } = useEmpresa()
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)

  async function cancel() {
    const refresh = () => queryClient.invalidateQueries({ queryKey: cobrancasKey(empresa) })
    // It may be refused because of what is not yet seen here: that it was paid, say.
    await cancelCobranca(empresa, cobranca.id).finally(refresh)
    toast('Cobrança cancelada.')
  }

  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        Cancelar cobrança
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={`Cancelar a cobrança de ${reais(cobranca.valor)}?`}
        act="Cancelar cobrança"
        onConfirm={cancel}
      >
        O boleto e o PIX deixam de valer, e ela não pode mais ser paga. Não há como voltar atrás.
      </Confirm>
    </>
  )
}

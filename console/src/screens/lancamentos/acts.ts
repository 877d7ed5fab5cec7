import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Acao, Lote } from '../../../../src/lancamentos/livro-schema.ts'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { lancamentosKey, sendLote } from '../../api/lancamentos.ts'
import { counted } from '../../lib/format.ts'
import { toast } from '../../ui/toasts.tsx'

/** Which entries an action is for; deleting is for all. */
const FOR: Partial<Record<Acao, Lancamento['status']>> = {
  pagar: 'em_aberto',
  reverter: 'pago',
  cancelar: 'em_aberto',
  reabrir: 'cancelado',
}

export const fit = (acao: Acao, entries: readonly Lancamento[]) =>
  entries.filter(({ status }) => FOR[acao] === undefined || status === FOR[acao])

const DONE: Record<Acao, [one: string, many: string]> = {
  pagar: ['lançamento pago', 'lançamentos pagos'],
  reverter: ['pagamento revertido', 'pagamentos revertidos'],
  cancelar: ['lançamento cancelado', 'lançamentos cancelados'],
  reabrir: ['lançamento reaberto', 'lançamentos reabertos'],
  excluir: ['lançamento excluído', 'lançamentos excluídos'],
  restaurar: ['lançamento restaurado', 'lançamentos restaurados'],
}

export const told = (acao: Acao, quantity: number) => `${counted(quantity, ...DONE[acao])}.`

/** Fetches anew what is shown of entries, once some were changed; what is gone is not asked for again. */
export function useRefresh() {
  const { id: empresa } = useEmpresa()
  const client = useQueryClient()
  return (gone: readonly string[] = []) => {
    client.invalidateQueries({ queryKey: ['e', empresa, 'painel'] })
    client.invalidateQueries({
      queryKey: lancamentosKey(empresa),
      predicate: ({ queryKey: [, , , kind, id] }) => kind !== 'one' || !gone.includes(String(id)),
    })
  }
}

/** What can be done to entries at once, all or nothing. */
export function useActs(onDone: (acao: Acao) => void) {
  const { id: empresa } = useEmpresa()
  const refresh = useRefresh()
  const sending = useMutation({
    mutationFn: (lote: Lote) => sendLote(empresa, lote),
    onSuccess(_done, { acao, ids }) {
      const offer = { act: 'Desfazer', onAct: () => restore(ids) }
      toast(told(acao, ids.length), acao === 'excluir' ? offer : undefined)
      onDone(acao)
      refresh(acao === 'excluir' ? ids : [])
    },
  })
  const restore = (ids: string[]) => sending.mutate({ acao: 'restaurar', ids })
  const deleted = sending.variables?.acao === 'excluir' && sending.isSuccess
  return {
    error: sending.error,
    pending: sending.isPending,
    dismiss: sending.reset,
    run(acao: Acao, entries: readonly Lancamento[]) {
      const ids = fit(acao, entries).map(({ id }) => id)
      if (ids.length > 0 && !sending.isPending) sending.mutate({ acao, ids })
    },
    /** Undoes the last deletion, unless something was done since. */
    undo: deleted ? () => restore(sending.variables.ids) : undefined,
  }
}

export type Acts = ReturnType<typeof useActs>

import type { WriteTx } from '../db/database.ts'
import { ApiError, type FieldFault, invalid } from '../errors.ts'
import type { Author } from '../events/outbox.ts'
import { deleteLancamento, getLancamento, updateLancamento } from './lancamentos.ts'
import type { Acao, Lote } from './livro-schema.ts'
import { restoreLancamento } from './restaurar.ts'
import type { Lancamento } from './schema.ts'

type Status = Lancamento['status']

/** The actions that change the status: from which to which. */
const CHANGES: Partial<Record<Acao, { from: Status; to: Status }>> = {
  pagar: { from: 'em_aberto', to: 'pago' },
  reverter: { from: 'pago', to: 'em_aberto' },
  cancelar: { from: 'em_aberto', to: 'cancelado' },
  reabrir: { from: 'cancelado', to: 'em_aberto' },
}

/** Does one thing to several entries, each as if alone; in one transaction, so to all of them or to none. */
export async function runLote(
  tx: WriteTx,
  by: Author,
  lote: Lote,
  today: string,
): Promise<Lancamento[]> {
  const ids = lote.ids.map((id) => id.toLowerCase())
  const faults = faultsOf(lote, ids)
  if (faults.length > 0) throw invalid('invalid-body', faults)
  const items: Lancamento[] = []
  for (const id of ids) items.push(await act(tx, by, lote, id, today))
  return items
}

async function act(tx: WriteTx, by: Author, lote: Lote, id: string, today: string) {
  const { acao, ids, ...payment } = lote
  const change = CHANGES[acao]
  if (!change) return (acao === 'excluir' ? deleteLancamento : restoreLancamento)(tx, by, id)
  const { status, descricao } = await getLancamento(tx, id)
  // Somebody else may have been first: whoever comes second is told, and overwrites nothing.
  if (status !== change.from) {
    throw new ApiError('lancamento-status', {
      detail: `“${descricao}” está ${IN_WORDS[status]}, e esta ação é para o que está ${IN_WORDS[change.from]}. Nada foi alterado.`,
    })
  }
  return updateLancamento(tx, by, id, { status: change.to, ...payment }, today)
}

const IN_WORDS: Record<Status, string> = {
  em_aberto: 'em aberto',
  pago: 'pago',
  cancelado: 'cancelado',
}

function faultsOf({ acao, data_pagamento, juros, desconto }: Lote, ids: string[]): FieldFault[] {
  const faults: FieldFault[] = []
  if (new Set(ids).size < ids.length) faults.push({ field: 'ids', message: 'repete um item' })
  for (const [field, value] of Object.entries({ data_pagamento, juros, desconto })) {
    if (value === undefined) continue
    if (acao !== 'pagar') faults.push({ field, message: 'só é aceito com a ação pagar' })
    else if (ids.length > 1 && field !== 'data_pagamento') {
      faults.push({ field, message: 'só é aceito com um único lançamento' })
    }
  }
  return faults
}

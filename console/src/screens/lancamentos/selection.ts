import { useState } from 'react'
import type { Livro } from '../../../../src/lancamentos/livro-schema.ts'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { LOTE_MAX } from '../../api/lancamentos.ts'
import { toast } from '../../ui/toasts.tsx'

/** The chosen entries, as they were last seen, in the order of their choice. */
export function useSelection() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Lancamento>>(new Map())

  function add(entries: Lancamento[]) {
    const next = new Map(chosen)
    for (const entry of entries) if (next.size < LOTE_MAX) next.set(entry.id, entry)
    const all = entries.every(({ id }) => next.has(id))
    if (!all) toast(`Selecionados os ${LOTE_MAX} primeiros: é o máximo de uma vez.`)
    setChosen(next)
  }

  return {
    chosen,
    entries: [...chosen.values()],
    add,
    toggle(entry: Lancamento) {
      if (!chosen.has(entry.id)) return add([entry])
      const next = new Map(chosen)
      next.delete(entry.id)
      setChosen(next)
    },
    clear: () => setChosen(new Map()),
    /** What is shown of them may have changed meanwhile. */
    refresh(entries: readonly (Lancamento | undefined)[]) {
      const fresh = entries.filter((entry) => {
        const before = entry && chosen.get(entry.id)
        return before && before.atualizado_em !== entry.atualizado_em
      })
      if (fresh.length === 0) return
      const next = new Map(chosen)
      for (const entry of fresh) next.set(entry!.id, entry!)
      setChosen(next)
    },
  }
}

export type Selection = ReturnType<typeof useSelection>

const centavos = (reais: number) => Math.round(reais * 100)

/** As the server sums: what was paid counts as paid, and neither what is cancelled nor transfers count. */
export function sumsOf(entries: readonly Lancamento[]): Livro['somas'] {
  const sum = (tipo: Lancamento['tipo']) =>
    entries
      .filter((entry) => entry.tipo === tipo && entry.status !== 'cancelado')
      .reduce((total, { valor, valor_pago }) => total + centavos(valor_pago ?? valor), 0)
  const receitas = sum('receita')
  const despesas = sum('despesa')
  return {
    receitas: receitas / 100,
    despesas: despesas / 100,
    saldo: (receitas - despesas) / 100,
  }
}

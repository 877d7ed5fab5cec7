import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import type { LivroView } from './use-livro.ts'
import type { RowsInSight } from './use-rows-in-sight.ts'

interface Marked {
  index: number
  id?: string
}

/** The row that the keys are about. It is an entry, not a place: where entries come or go, it stays with its own. */
export function useActive(
  livro: LivroView,
  sight: RowsInSight,
  rows: readonly (Lancamento | undefined)[],
) {
  const [marked, setMarked] = useState<Marked>({ index: 0 })
  const index = Math.max(0, Math.min(marked.index, sight.count - 1))
  const entry = livro.rows(index, index + 1)[0]
  if (entry && entry.id !== marked.id) {
    const moved = marked.id ? rows.findIndex((row) => row?.id === marked.id) : -1
    setMarked(moved < 0 ? { index, id: entry.id } : { ...marked, index: sight.first + moved })
  }
  const set = useCallback((next: number) => setMarked({ index: next }), [])
  return {
    index,
    entry,
    set,
    move(next: number) {
      const within = Math.max(0, Math.min(next, sight.count - 1))
      setMarked({ index: within })
      sight.scrollTo(within)
    },
  }
}

/** What is read stays in its place where entries come or go above it. */
export function useAnchor(
  sight: RowsInSight,
  rows: readonly (Lancamento | undefined)[],
  rowHeight: number,
): void {
  const anchor = useRef<Marked>({ index: 0 })
  useLayoutEffect(() => {
    const { id, index } = anchor.current
    const there = rows[index - sight.first]
    const moved = id && there?.id !== id ? rows.findIndex((row) => row?.id === id) : -1
    const box = sight.box.current!
    if (there && moved >= 0 && box.scrollTop > 0) {
      box.scrollTop += (sight.first + moved - index) * rowHeight
    }
    const topmost = rows[sight.top - sight.first]
    anchor.current = { index: sight.top, ...(topmost && { id: topmost.id }) }
  })
}

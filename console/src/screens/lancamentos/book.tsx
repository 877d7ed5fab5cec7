import {
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { Failure } from '../../api/call.ts'
import { useEmpresa } from '../../api/eu.ts'
import { LOTE_MAX } from '../../api/lancamentos.ts'
import { today } from '../../lib/format.ts'
import { FailureNotice } from '../../ui/failure.tsx'
import type { Acts } from './acts.ts'
import { fit } from './acts.ts'
import { Grid, type Hit } from './grid.tsx'
import { useCategoriaNomes } from './names.tsx'
import type { Selection } from './selection.ts'
import { useActive, useAnchor } from './use-active.ts'
import { useKeys } from './use-keys.ts'
import { type LivroView, usePagesInSight } from './use-livro.ts'
import { useRowsInSight } from './use-rows-in-sight.ts'

/** As `sm` of the styles: below it a row is a card of two lines. */
const WIDE = matchMedia('(min-width: 40rem)')
const HEAD_PX = 36
/** Until it is known how many rows there are. */
const ROWS_MEANWHILE = 12

function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      WIDE.addEventListener('change', listener)
      return () => WIDE.removeEventListener('change', listener)
    },
    () => WIDE.matches,
  )
}

interface Props {
  livro: LivroView
  selection: Selection
  acts: Acts
  grid: RefObject<HTMLTableElement | null>
  onOpen: (entry: Lancamento) => void
  onPay: (entries: readonly Lancamento[]) => void
  onDuplicate: (entry: Lancamento) => void
  /** What is said where there are none. */
  children: ReactNode
}

/** The entries, one below the other, and the keys that move among them. */
export function Book(props: Props) {
  const { livro, selection, acts, grid, onOpen, onPay, onDuplicate } = props
  const { fuso_horario, papel } = useEmpresa()
  const categorias = useCategoriaNomes()
  const rowHeight = useWide() ? 56 : 72
  const sight = useRowsInSight(livro.isPending ? ROWS_MEANWHILE : livro.total, rowHeight, HEAD_PX)
  const rows = livro.rows(sight.first, sight.end)
  const active = useActive(livro, sight, rows)
  usePagesInSight(livro, sight)
  useAnchor(sight, rows, rowHeight)
  useEffect(() => selection.refresh(rows))
  /** Why a range could not be selected. */
  const [unread, setUnread] = useState<Failure | null>(null)
  /** From where a range reaches. */
  const from = useRef(0)

  const { shown } = livro
  const { box } = sight
  const { set: restart } = active
  const first = useRef(shown)
  useEffect(() => {
    if (first.current === shown) return
    first.current = shown
    // Another filter is read from its beginning.
    box.current!.scrollTop = 0
    from.current = 0
    restart(0)
  }, [shown, box, restart])

  async function selectRange(start: number, end: number) {
    const low = Math.min(start, end)
    const high = Math.min(Math.max(start, end), low + LOTE_MAX)
    try {
      selection.add(await livro.fetch(low, high + 1))
      setUnread(null)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      setUnread(error)
    }
  }

  function hit({ entry, index, selects, extends: reaches }: Hit) {
    active.set(index)
    if (reaches) return void selectRange(from.current, index)
    from.current = index
    if (selects) selection.toggle(entry)
    else onOpen(entry)
  }

  function all(wanted: boolean) {
    if (!wanted) selection.clear()
    else if (livro.total > 0) selectRange(0, livro.total - 1)
  }

  function extend(step: number) {
    const { entry, index } = active
    if (entry && !selection.chosen.has(entry.id)) from.current = index
    const next = Math.max(0, Math.min(index + step, sight.count - 1))
    active.move(next)
    selectRange(from.current, next)
  }

  const { entry, index } = active
  const meant = selection.entries.length > 0 ? selection.entries : entry ? [entry] : []
  const page = Math.max(1, sight.atOnce - 1)
  useKeys(
    {
      ArrowDown: () => active.move(index + 1),
      ArrowUp: () => active.move(index - 1),
      PageDown: () => active.move(index + page),
      PageUp: () => active.move(index - page),
      Home: () => active.move(0),
      End: () => active.move(sight.count - 1),
      'Shift+ArrowDown': () => extend(1),
      'Shift+ArrowUp': () => extend(-1),
      ' ': () => {
        from.current = index
        if (entry) selection.toggle(entry)
      },
      'Ctrl+a': () => all(true),
      Escape: selection.clear,
      Enter: () => entry && onOpen(entry),
      ...(papel !== 'leitura' && {
        p: () => onPay(fit('pagar', meant)),
        d: () => entry && onDuplicate(entry),
        Delete: () => acts.run('excluir', meant),
      }),
    },
    grid,
  )

  return (
    <>
      <FailureNotice failure={unread} title="Nada foi selecionado" />
      <Grid
        ref={grid}
        sight={sight}
        rows={rows}
        total={livro.total}
        rowHeight={rowHeight}
        headHeight={HEAD_PX}
        active={index}
        chosen={selection.chosen}
        today={today(fuso_horario)}
        categorias={categorias}
        busy={livro.isPending || livro.isChanging}
        onHit={hit}
        onAll={all}
      >
        {props.children}
      </Grid>
    </>
  )
}

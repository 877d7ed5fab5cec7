import { type MouseEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { columnsLook, GridRow, rowId } from './grid-row.tsx'
import type { RowsInSight } from './use-rows-in-sight.ts'

/** Where on a row somebody has clicked. */
export interface Hit {
  entry: Lancamento
  index: number
  /** On the box, or with the key that stands for it. */
  selects: boolean
  /** From the last one selected up to here. */
  extends: boolean
}

interface Props {
  ref: RefObject<HTMLTableElement | null>
  sight: RowsInSight
  rows: readonly (Lancamento | undefined)[]
  total: number
  rowHeight: number
  headHeight: number
  active: number
  chosen: ReadonlyMap<string, Lancamento>
  today: string
  categorias: ReadonlyMap<string, string>
  busy: boolean
  onHit: (hit: Hit) => void
  onAll: (all: boolean) => void
  children: ReactNode
}

/**
 * The focus stays on the grid itself, which tells the active row: rows come and go as they are scrolled by,
 * and none of them could keep it.
 */
export function Grid(props: Props) {
  const { sight, rows, total, rowHeight, headHeight, active, chosen, categorias } = props
  const { box, first, end, count } = sight

  function hit(event: MouseEvent) {
    const target = event.target as HTMLElement
    const row = target.closest<HTMLElement>('[data-index]')
    const index = Number(row?.dataset.index)
    const entry = row && rows[index - first]
    if (!entry) return
    props.onHit({
      entry,
      index,
      selects: Boolean(target.closest('[data-select]')) || event.ctrlKey || event.metaKey,
      extends: event.shiftKey,
    })
  }

  return (
    <div
      ref={box}
      onScroll={sight.look}
      className="min-h-0 grow overflow-y-auto overscroll-contain rounded-xl border border-line bg-paper has-[table:focus-visible]:outline-2 has-[table:focus-visible]:outline-main"
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the whole screen. */}
      <table
        ref={props.ref}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: one moves and selects within it.
        role="grid"
        tabIndex={0}
        aria-label="Lançamentos"
        aria-rowcount={total + 1}
        aria-multiselectable="true"
        aria-activedescendant={active >= first && active < end ? rowId(active) : undefined}
        aria-busy={props.busy}
        onMouseDown={(event) => {
          if (!(event.target as HTMLElement).closest('[data-index]')) return
          // Neither the box nor a marked text takes the focus.
          event.preventDefault()
          event.currentTarget.focus({ preventScroll: true })
        }}
        onClick={hit}
        className="group/grid block outline-none"
      >
        <Head height={headHeight} total={total} chosen={chosen.size} onAll={props.onAll} />
        <tbody className="relative block" style={{ height: count * rowHeight }}>
          {rows.map((entry, nth) => {
            const index = first + nth
            return (
              <GridRow
                key={index}
                entry={entry}
                index={index}
                top={index * rowHeight}
                height={rowHeight}
                active={index === active}
                selected={entry !== undefined && chosen.has(entry.id)}
                today={props.today}
                categoria={entry?.categoria_id ? categorias.get(entry.categoria_id) : undefined}
              />
            )
          })}
        </tbody>
      </table>
      {props.children}
      {count < total && (
        <p className="p-4 text-sm text-soft">
          São muitos para uma lista só: use os filtros para ver os mais antigos.
        </p>
      )}
    </div>
  )
}

const HEADS = [
  { name: 'Data', look: 'sr-only sm:not-sr-only' },
  { name: 'Descrição', look: 'sr-only sm:not-sr-only' },
  { name: 'Categoria e centro', look: 'hidden xl:block' },
  { name: 'Vencimento', look: 'hidden sm:block' },
  { name: 'Situação', look: 'sr-only sm:not-sr-only' },
  { name: 'Valor', look: 'sr-only sm:not-sr-only sm:text-right' },
]

interface HeadProps {
  height: number
  total: number
  chosen: number
  onAll: (all: boolean) => void
}

function Head({ height, total, chosen, onAll }: HeadProps) {
  const box = useRef<HTMLInputElement>(null)
  const all = total > 0 && chosen === total
  useEffect(() => {
    box.current!.indeterminate = chosen > 0 && !all
  }, [chosen, all])
  return (
    <thead className="sticky top-0 z-10 block">
      <tr
        aria-rowindex={1}
        style={{ height }}
        className={`${columnsLook} items-center border-b border-line bg-sunken text-left text-xs text-soft`}
      >
        <th scope="col" className="flex items-center justify-center">
          <input
            ref={box}
            type="checkbox"
            checked={all}
            onChange={() => onAll(chosen === 0)}
            aria-label="Selecionar todos"
            className="size-4.5 accent-main"
          />
        </th>
        {HEADS.map(({ name, look }) => (
          <th key={name} scope="col" className={`font-semibold ${look}`}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

import { memo } from 'react'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { day, reais } from '../../lib/format.ts'
import { SITUACAO_WORDS, situacaoOf } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'

/** The columns of the head and of every row; on a telephone a row is a card of two lines. */
export const columnsLook =
  'grid grid-cols-[2.75rem_minmax(0,1fr)_auto] gap-x-3 px-1 pr-3 sm:grid-cols-[2.75rem_6rem_minmax(0,1fr)_6.5rem_6.5rem_9rem] xl:grid-cols-[2.75rem_6rem_minmax(0,3fr)_minmax(0,2fr)_6.5rem_6.5rem_9rem]'

interface Props {
  entry: Lancamento | undefined
  index: number
  top: number
  height: number
  active: boolean
  selected: boolean
  today: string
  categoria: string | undefined
}

const ACTIVE =
  'group-focus/grid:outline-2 group-focus/grid:-outline-offset-2 group-focus/grid:outline-main'

export const rowId = (index: number) => `linha-${index}`

/** What is not there yet keeps its place. */
export const GridRow = memo(function GridRow({ entry, index, top, height, ...shown }: Props) {
  const place = {
    id: rowId(index),
    'aria-rowindex': index + 2,
    'data-index': index,
    style: { top, height },
  }
  const { active, selected } = shown
  const look = `${columnsLook} absolute inset-x-0 content-center border-b border-line ${active ? ACTIVE : ''}`
  if (!entry) {
    return (
      <tr {...place} className={look}>
        <td className="col-span-full px-3">
          <span className="sr-only">Carregando…</span>
          <span className="block h-4 w-2/3 motion-safe:animate-pulse rounded bg-sunken" />
        </td>
      </tr>
    )
  }
  return (
    <tr
      {...place}
      aria-selected={selected}
      className={`${look} cursor-pointer text-sm select-none ${selected ? 'bg-main-tint' : 'hover:bg-sunken'}`}
    >
      <Cells entry={entry} {...shown} />
    </tr>
  )
})

type CellsProps = Pick<Props, 'selected' | 'today' | 'categoria'> & { entry: Lancamento }

function Cells({ entry, selected, today, categoria }: CellsProps) {
  const { name, tone } = SITUACAO_WORDS[situacaoOf(entry, today)]
  const { descricao, contraparte, centro_custo, data_pagamento } = entry
  return (
    <>
      <td
        data-select
        className="row-span-2 flex items-center justify-center self-stretch sm:row-span-1"
      >
        <input
          type="checkbox"
          checked={selected}
          readOnly
          tabIndex={-1}
          aria-label={`Selecionar ${descricao}`}
          className="size-4.5 accent-main"
        />
      </td>
      <td className="order-3 flex min-w-0 gap-1 self-center text-soft tabular-nums sm:order-none sm:text-ink">
        {day(entry.data)}
        {contraparte && <span className="min-w-0 truncate sm:hidden"> · {contraparte}</span>}
      </td>
      <td className="order-1 min-w-0 self-center sm:order-none">
        <span title={descricao} className="block truncate font-medium">
          {descricao}
        </span>
        {contraparte && <span className="hidden truncate text-soft sm:block">{contraparte}</span>}
      </td>
      <td className="hidden min-w-0 self-center text-soft xl:block">
        {categoria && (
          <span title={categoria} className="block truncate">
            {categoria}
          </span>
        )}
        {centro_custo && (
          <span title={centro_custo} className="block truncate">
            {centro_custo}
          </span>
        )}
      </td>
      <td className="hidden self-center tabular-nums sm:block">
        {day(entry.vencimento)}
        {data_pagamento && (
          <span className="block text-xs text-soft">pago {day(data_pagamento)}</span>
        )}
      </td>
      <td className="order-4 self-center justify-self-end sm:order-none sm:justify-self-start">
        <Badge tone={tone}>{name}</Badge>
      </td>
      <td className="order-2 self-center text-right sm:order-none">
        <Amount entry={entry} />
      </td>
    </>
  )
}

const SIGNS = {
  receita: { sign: '+', ink: 'text-main' },
  despesa: { sign: '−', ink: 'text-bad' },
  transferencia: { sign: '', ink: 'text-ink' },
}

/** What was paid, or is to be paid; where both differ, the entry's own amount below. */
function Amount({ entry: { tipo, status, valor, valor_pago } }: { entry: Lancamento }) {
  const { sign, ink } = SIGNS[tipo]
  const dead = status === 'cancelado'
  return (
    <span className="block whitespace-nowrap tabular-nums">
      <span className={`font-medium ${dead ? 'text-soft line-through' : ink}`}>
        {sign} {reais(valor_pago ?? valor)}
      </span>
      {valor_pago !== null && valor_pago !== valor && (
        <span className="hidden text-xs text-soft sm:block">valor {reais(valor)}</span>
      )}
    </span>
  )
}

import { count } from '../lib/format.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface Props {
  offset: number
  limit: number
  total: number
  onMove: (page: number) => void
}

export function Pager({ offset, limit, total, onMove }: Props) {
  const page = Math.floor(offset / limit) + 1
  const last = Math.max(1, Math.ceil(total / limit))
  if (last === 1 && page === 1) return null
  const from = Math.min(offset + 1, total)
  return (
    <nav aria-label="Páginas" className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <p className="text-soft tabular-nums">
        {count(from)}–{count(Math.min(offset + limit, total))} de {count(total)}
      </p>
      <div className="flex gap-2">
        <Button disabled={page <= 1} onClick={() => onMove(Math.min(page - 1, last))}>
          <Icon name="left" className="size-4" />
          Anterior
        </Button>
        <Button disabled={page >= last} onClick={() => onMove(page + 1)}>
          Próxima
          <Icon name="right" className="size-4" />
        </Button>
      </div>
    </nav>
  )
}

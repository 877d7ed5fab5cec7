import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { LivroFilter } from '../../../../src/lancamentos/livro-schema.ts'
import { useDebounced } from '../../lib/debounced.ts'
import { day } from '../../lib/format.ts'
import { SITUACAO_WORDS, TIPO_WORDS } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { inputLook } from '../../ui/look.ts'
import type { Opener } from '../../ui/returned-focus.ts'
import { FilterForm } from './filter-form.tsx'
import { CategoriaNome, ParceiroNome } from './names.tsx'

export type Filtering = (changes: { [Name in keyof LivroFilter]: string }) => void

interface Props {
  filter: LivroFilter
  searchRef: RefObject<HTMLInputElement | null>
  grid: Opener
  onFilter: Filtering
  /** Gives the focus to what was found. */
  onFound: () => void
}

export function Filters({ filter, searchRef, grid, onFilter, onFound }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <div className="flex gap-2">
        <SearchBox
          ref={searchRef}
          busca={filter.busca ?? ''}
          onSearch={(busca) => onFilter({ busca })}
          onFound={onFound}
        />
        <Button onClick={() => setOpen(true)}>
          <Icon name="filter" className="size-4" />
          Filtros
        </Button>
      </div>
      <Chips filter={filter} onFilter={onFilter} />
      <Dialog open={open} onOpenChange={setOpen} opener={grid} title="Filtros">
        <FilterForm filter={filter} onFilter={onFilter} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

interface SearchProps {
  ref: RefObject<HTMLInputElement | null>
  busca: string
  onSearch: (busca: string) => void
  onFound: () => void
}

/** What is typed becomes part of the address once the hands rest, and follows it back and forward. */
function SearchBox({ ref, busca, onSearch, onFound }: SearchProps) {
  const [text, setText] = useState(busca)
  const told = useRef(busca)
  const rested = useDebounced(text.trim())
  useEffect(() => {
    if (busca === told.current) return
    told.current = busca
    setText(busca)
  }, [busca])
  useEffect(() => {
    if (rested === told.current || rested !== text.trim()) return
    told.current = rested
    onSearch(rested)
  }, [rested])
  return (
    <div className="relative min-w-0 grow">
      <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-soft">
        <Icon name="search" className="size-4" />
      </span>
      <input
        ref={ref}
        type="search"
        aria-label="Buscar na descrição e na contraparte"
        placeholder="Buscar na descrição e na contraparte"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter' || key === 'ArrowDown') onFound()
        }}
        className={`${inputLook} pl-9 text-ellipsis`}
      />
    </div>
  )
}

const CHIPS: { [Name in keyof LivroFilter]-?: (value: string) => ReactNode } = {
  busca: (text) => `“${text}”`,
  tipo: (tipo) => TIPO_WORDS[tipo as keyof typeof TIPO_WORDS],
  status: (status) => SITUACAO_WORDS[status as keyof typeof SITUACAO_WORDS].name,
  data_de: (from) => `Data desde ${day(from)}`,
  data_ate: (to) => `Data até ${day(to)}`,
  vencimento_de: (from) => `Vencimento desde ${day(from)}`,
  vencimento_ate: (to) => `Vencimento até ${day(to)}`,
  centro_custo: (centro) => `Centro ${centro}`,
  parceiro_id: (id) => <ParceiroNome id={id} />,
  categoria_id: (id) => <CategoriaNome id={id} />,
}
const NAMES = Object.keys(CHIPS) as (keyof LivroFilter)[]

function Chips({ filter, onFilter }: Pick<Props, 'filter' | 'onFilter'>) {
  const given = NAMES.filter((name) => filter[name] !== undefined)
  if (given.length === 0) return null
  return (
    <ul aria-label="Filtros em uso" className="flex shrink-0 gap-2 overflow-x-auto p-0.5">
      {given.map((name) => (
        <li key={name}>
          <button
            type="button"
            onClick={() => onFilter({ [name]: '' })}
            className="flex min-h-8 items-center gap-1.5 rounded-full bg-main-tint px-3 text-sm whitespace-nowrap text-main hover:text-main-strong"
          >
            <span className="sr-only">Remover o filtro </span>
            <span className="max-w-60 truncate">{CHIPS[name](filter[name]!)}</span>
            <Icon name="close" className="size-3.5" />
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          onClick={() => onFilter(Object.fromEntries(NAMES.map((name) => [name, ''])))}
          className="min-h-8 rounded-full px-3 text-sm whitespace-nowrap text-main underline underline-offset-2"
        >
          Limpar filtros
        </button>
      </li>
    </ul>
  )
}

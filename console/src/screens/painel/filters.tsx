import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useEmpresa } from '../../api/eu.ts'
import { centrosCustoQuery } from '../../api/painel.ts'
import { count, today } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { DayField, SelectField } from '../../ui/field.tsx'
import { NAMELESS } from './charts.ts'
import { isReversed, type PainelSearch, type Period, presets } from './search.ts'

interface Props {
  search: PainelSearch
  onChange: (search: PainelSearch) => void
}

/** Which figures are shown. All of it lives in the address, so that it can be kept and shared. */
export function Filters({ search, onChange }: Props) {
  const { centro_custo, ...period } = search
  const centro = centro_custo === undefined ? {} : { centro_custo }
  return (
    <div className="grid grid-cols-1 gap-3">
      <Presets centro={centro} />
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,15rem)] sm:items-start">
        <FreePeriod period={period} onChange={(next) => onChange({ ...centro, ...next })} />
        <CentroField
          chosen={centro_custo}
          onChange={(next) =>
            onChange(next === undefined ? period : { ...period, centro_custo: next })
          }
        />
      </div>
    </div>
  )
}

function Presets({ centro }: { centro: Pick<PainelSearch, 'centro_custo'> }) {
  const { id, fuso_horario } = useEmpresa()
  return (
    <nav aria-label="Período" className="flex flex-wrap gap-2">
      {Object.entries(presets(today(fuso_horario))).map(([name, period]) => (
        <Link
          key={name}
          to="/e/$empresa"
          params={{ empresa: id }}
          search={{ ...centro, ...period }}
          activeOptions={{ exact: true }}
          className="inline-flex min-h-9 items-center rounded-full border border-edge bg-paper px-3.5 text-sm font-medium hover:bg-sunken aria-[current=page]:border-main aria-[current=page]:bg-main-tint aria-[current=page]:text-main"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}

/** Taken up when it is whole: a day that is still being typed is none. */
function FreePeriod({ period, onChange }: { period: Period; onChange: (next: Period) => void }) {
  const shown = { de: period.data_de ?? '', ate: period.data_ate ?? '' }
  const [seen, setSeen] = useState(shown)
  const [typed, setTyped] = useState(shown)
  const [fault, setFault] = useState<string>()
  // Another period was chosen elsewhere: it is what the fields show.
  if (seen.de !== shown.de || seen.ate !== shown.ate) {
    setSeen(shown)
    setTyped(shown)
    setFault(undefined)
  }

  function apply(event: FormEvent) {
    event.preventDefault()
    const { de, ate } = typed
    const next = { ...(de ? { data_de: de } : {}), ...(ate ? { data_ate: ate } : {}) }
    const reversed = isReversed(next)
    setFault(reversed ? 'O fim do período vem antes do começo.' : undefined)
    if (!reversed) onChange(next)
  }

  return (
    <form
      onSubmit={apply}
      className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[minmax(0,10rem)_minmax(0,10rem)_auto] sm:justify-start"
    >
      <DayField label="De" value={typed.de} onChange={(de) => setTyped({ ...typed, de })} />
      <DayField
        label="Até"
        value={typed.ate}
        fault={fault}
        onChange={(ate) => setTyped({ ...typed, ate })}
      />
      <div className="col-span-2 sm:col-span-1 sm:pt-[1.625rem]">
        <Button type="submit">Aplicar</Button>
      </div>
    </form>
  )
}

interface CentroProps {
  chosen: string | undefined
  onChange: (centro: string | undefined) => void
}

/** Every cost centre may be chosen, an empty one too: so each stands behind a mark, and none is "all". */
function CentroField({ chosen, onChange }: CentroProps) {
  const { id } = useEmpresa()
  const { data } = useQuery(centrosCustoQuery(id))
  const known = data?.items ?? []
  const names = chosen === undefined || known.includes(chosen) ? known : [chosen, ...known]
  return (
    <SelectField
      label="Centro de custo"
      value={chosen === undefined ? '' : `=${chosen}`}
      onChange={(value) => onChange(value === '' ? undefined : value.slice(1))}
    >
      <option value="">Todos</option>
      {names.map((name) => (
        <option key={name} value={`=${name}`}>
          {name || NAMELESS}
        </option>
      ))}
      {data && data.items.length >= data.limit && (
        <option disabled>Aqui só cabem {count(data.limit)}</option>
      )}
    </SelectField>
  )
}

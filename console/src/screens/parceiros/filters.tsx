import { getRouteApi } from '@tanstack/react-router'
import type { Parceiro } from '../../../../src/parceiros/schema.ts'
import { PARCEIRO_WORDS } from '../../lib/words.ts'
import { SelectField } from '../../ui/field.tsx'
import { Options } from '../../ui/options.tsx'
import { SearchField } from '../../ui/search-field.tsx'

const route = getRouteApi('/e/$empresa/parceiros')

/** They live in the address, so that what was found can be shared. */
export function ParceiroFilters() {
  const { tipo, ativo, busca = '' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <search className="grid grid-cols-2 gap-3 sm:grid-cols-[minmax(0,2fr)_1fr_1fr]">
      <div className="col-span-2 sm:col-span-1">
        <SearchField
          label="Buscar"
          placeholder="Nome, CPF ou CNPJ"
          value={busca}
          onSearch={(text) =>
            navigate({
              search: ({ busca: _, pagina: _first, ...rest }) =>
                text ? { ...rest, busca: text } : rest,
              replace: true,
            })
          }
        />
      </div>
      <SelectField
        label="Tipo"
        value={tipo ?? ''}
        onChange={(value) =>
          navigate({
            search: ({ tipo: _, pagina: _first, ...rest }) =>
              value ? { ...rest, tipo: value as Parceiro['tipo'] } : rest,
          })
        }
      >
        <option value="">Todos</option>
        <Options words={PARCEIRO_WORDS} />
      </SelectField>
      <SelectField
        label="Situação"
        value={String(ativo ?? '')}
        onChange={(value) =>
          navigate({
            search: ({ ativo: _, pagina: _first, ...rest }) =>
              value ? { ...rest, ativo: value === 'true' } : rest,
          })
        }
      >
        <option value="">Todas</option>
        <option value="true">Ativos</option>
        <option value="false">Inativos</option>
      </SelectField>
    </search>
  )
}

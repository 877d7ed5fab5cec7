import { useQuery } from '@tanstack/react-query'
import { areasQuery } from '../api/categorias.ts'
import { useEmpresa } from '../api/eu.ts'
import { SelectField } from './field.tsx'

interface Props {
  label?: string
  name?: string
  /** What is offered for none. */
  none?: string
  /** The id of an area or a subcategory; empty for none. */
  value: string
  fault?: string | undefined
  onChange: (value: string) => void
}

/** A choice among areas and, below each, its subcategories. */
export function CategoriaField({
  label = 'Categoria',
  none = 'Sem categoria',
  value,
  ...field
}: Props) {
  const { id } = useEmpresa()
  const { data = [], isPending } = useQuery(areasQuery(id))
  const known = data.some(
    (area) => area.id === value || area.subcategorias.some((sub) => sub.id === value),
  )
  return (
    <SelectField label={label} value={value} {...field}>
      <option value="">{none}</option>
      {value && !known && (
        <option value={value}>{isPending ? 'Carregando…' : 'Categoria excluída'}</option>
      )}
      {data.map((area) => (
        <optgroup key={area.id} label={area.nome}>
          <option value={area.id}>{area.nome}</option>
          {area.subcategorias.map((sub) => (
            <option key={sub.id} value={sub.id}>
              {area.nome} › {sub.nome}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}

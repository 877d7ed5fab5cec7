import { useQueryClient } from '@tanstack/react-query'
import type { Categoria } from '../../../../src/categorias/schema.ts'
import { Failure } from '../../api/call.ts'
import {
  type Area,
  areasQuery,
  categoriasKey,
  changeCategoria,
  createArea,
  createSubcategoria,
} from '../../api/categorias.ts'
import { useEmpresa } from '../../api/eu.ts'
import { useEdit } from '../../lib/edit.ts'
import { useForm } from '../../lib/form.ts'
import { Conflict } from '../../ui/conflict.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { toast } from '../../ui/toasts.tsx'

const check = ({ nome }: { nome: string }) =>
  nome.trim() ? {} : { nome: 'Dê um nome à categoria.' }

interface NewProps {
  /** Where a subcategory is made; without it an area is. */
  area?: string
  onClose: () => void
}

export function NewCategoriaForm({ area, onClose }: NewProps) {
  const { id } = useEmpresa()
  const queryClient = useQueryClient()
  const form = useForm({
    draft: `categoria.${id}.${area ?? ''}`,
    initial: { nome: '' },
    check,
    send: ({ nome }) =>
      area ? createSubcategoria(id, area, nome.trim()) : createArea(id, nome.trim()),
    done() {
      queryClient.invalidateQueries({ queryKey: categoriasKey(id) })
      toast(area ? 'Subcategoria criada.' : 'Área criada.')
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <NomeField {...form.bind('nome')} />
      <FormActions form={form} act={area ? 'Criar subcategoria' : 'Criar área'} onClose={onClose} />
    </form>
  )
}

interface EditProps {
  categoria: Categoria
  areas: Area[]
  onClose: () => void
}

const valuesOf = ({ nome, area_id, atualizado_em }: Categoria) => ({
  nome,
  area_id: area_id ?? '',
  atualizado_em,
})

export function EditCategoriaForm({ categoria, areas, onClose }: EditProps) {
  const { id: empresa } = useEmpresa()
  const queryClient = useQueryClient()
  const { id } = categoria
  const holds = areas.some((area) => area.id === id && area.subcategorias.length > 0)
  const nameOf = (area: string) => areas.find((one) => one.id === area)?.nome

  async function read() {
    const now = await queryClient.fetchQuery({ ...areasQuery(empresa), staleTime: 0 })
    const found = now.flatMap((area) => [area, ...area.subcategorias]).find((one) => one.id === id)
    if (found) return valuesOf(found)
    throw new Failure({ code: 'not-found', detail: 'A categoria não existe mais.' })
  }

  const { form, conflict } = useEdit({
    draft: `categoria.${empresa}.${id}.nome`,
    initial: valuesOf(categoria),
    check,
    read,
    close: onClose,
    send: ({ nome, area_id, atualizado_em }) =>
      changeCategoria(empresa, id, {
        nome: nome.trim(),
        area_id: area_id || null,
        atualizado_em,
      }),
    done() {
      queryClient.invalidateQueries({ queryKey: categoriasKey(empresa) })
      toast('Categoria alterada.')
      onClose()
    },
  })
  if (conflict) {
    return (
      <Conflict
        {...conflict}
        fields={[
          { name: 'nome', label: 'Nome', show: ({ nome }) => nome },
          { name: 'area_id', label: 'Área', show: ({ area_id }) => nameOf(area_id) ?? 'Nenhuma' },
        ]}
      />
    )
  }
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <NomeField {...form.bind('nome')} />
      <SelectField
        label="Área"
        disabled={holds}
        hint={holds ? 'Tem subcategorias: para pô-la em outra área, mova-as antes.' : undefined}
        {...form.bind('area_id')}
      >
        <option value="">Nenhuma: é uma área</option>
        {areas
          .filter((area) => area.id !== id)
          .map((area) => (
            <option key={area.id} value={area.id}>
              {area.nome}
            </option>
          ))}
      </SelectField>
      <FormActions form={form} act="Salvar" onClose={onClose} />
    </form>
  )
}

interface NomeProps {
  name: string
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

const NomeField = (field: NomeProps) => (
  <TextField label="Nome" maxLength={200} autoComplete="off" {...field} />
)

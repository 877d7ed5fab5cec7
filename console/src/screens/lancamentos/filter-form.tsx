import type { LivroFilter } from '../../../../src/lancamentos/livro-schema.ts'
import { useForm } from '../../lib/form.ts'
import { SITUACAO_WORDS, TIPO_WORDS } from '../../lib/words.ts'
import { CategoriaField } from '../../ui/categoria-field.tsx'
import { DayField, SelectField } from '../../ui/field.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { Options } from '../../ui/options.tsx'
import { ParceiroField } from '../../ui/parceiro-field.tsx'
import { CentroField } from './entry-fields.tsx'
import type { Filtering } from './filters.tsx'

interface Props {
  filter: LivroFilter
  onFilter: Filtering
  onClose: () => void
}

const NONE = {
  tipo: '',
  status: '',
  data_de: '',
  data_ate: '',
  vencimento_de: '',
  vencimento_ate: '',
  parceiro_id: '',
  categoria_id: '',
  centro_custo: '',
}

const reversed = (from: string, to: string) => from !== '' && to !== '' && from > to
const LATE = 'Vem depois do fim do período.'

export function FilterForm({ filter: { busca: _, ...filter }, onFilter, onClose }: Props) {
  const form = useForm({
    initial: { ...NONE, ...filter } as typeof NONE,
    check: ({ data_de, data_ate, vencimento_de, vencimento_ate }) => ({
      ...(reversed(data_de, data_ate) ? { data_de: LATE } : {}),
      ...(reversed(vencimento_de, vencimento_ate) ? { vencimento_de: LATE } : {}),
    }),
    send: async (values) => onFilter(values),
    done: onClose,
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <div className="grid grid-cols-2 gap-4">
        <SelectField label="Tipo" {...form.bind('tipo')}>
          <option value="">Todos</option>
          <Options words={TIPO_WORDS} />
        </SelectField>
        <SelectField label="Situação" {...form.bind('status')}>
          <option value="">Todas</option>
          <Options words={SITUACAO_WORDS} />
        </SelectField>
        <DayField label="Data desde" {...form.bind('data_de')} />
        <DayField label="Data até" {...form.bind('data_ate')} />
        <DayField label="Vencimento desde" {...form.bind('vencimento_de')} />
        <DayField label="Vencimento até" {...form.bind('vencimento_ate')} />
        <div className="col-span-2 grid gap-4 sm:grid-cols-3">
          <ParceiroField {...form.bind('parceiro_id')} />
          <CategoriaField none="Todas" {...form.bind('categoria_id')} />
          <CentroField {...form.bind('centro_custo')} />
        </div>
      </div>
      <FormActions form={form} act="Filtrar" onClose={onClose} />
    </form>
  )
}

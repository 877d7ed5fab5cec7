import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Parceiro } from '../../../../src/parceiros/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { changeParceiro, createParceiro, parceiroQuery, parceirosKey } from '../../api/parceiros.ts'
import { useEdit } from '../../lib/edit.ts'
import { useForm } from '../../lib/form.ts'
import { documento } from '../../lib/format.ts'
import { newKey } from '../../lib/key.ts'
import { PARCEIRO_WORDS } from '../../lib/words.ts'
import { Conflict } from '../../ui/conflict.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ParceiroFields, type ParceiroValues } from './parceiro-fields.tsx'

const check = ({ nome }: ParceiroValues) => (nome.trim() ? {} : { nome: 'Informe o nome.' })

/** What is left empty is none. */
const sent = (values: ParceiroValues) => ({
  nome: values.nome.trim(),
  tipo: values.tipo as Parceiro['tipo'],
  documento: values.documento.trim() || null,
  email: values.email.trim() || null,
  telefone: values.telefone.trim() || null,
  observacoes: values.observacoes || null,
})

export function NewParceiroForm({ onClose }: { onClose: () => void }) {
  const { id: empresa } = useEmpresa()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    draft: `parceiro.${empresa}`,
    initial: {
      ...{ nome: '', tipo: 'cliente', documento: '', email: '', telefone: '', observacoes: '' },
      chave: newKey(),
    },
    check,
    send: (values) => createParceiro(empresa, sent(values), values.chave),
    done({ item }) {
      queryClient.invalidateQueries({ queryKey: parceirosKey(empresa) })
      toast('Parceiro criado.')
      navigate({ to: '/e/$empresa/parceiros/$id', params: { empresa, id: item.id } })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <ParceiroFields bind={form.bind} />
      <FormActions form={form} act="Criar parceiro" onClose={onClose} />
    </form>
  )
}

const valuesOf = (parceiro: Parceiro) => ({
  nome: parceiro.nome,
  tipo: parceiro.tipo as string,
  documento: parceiro.documento ? documento(parceiro.documento) : '',
  email: parceiro.email ?? '',
  telefone: parceiro.telefone ?? '',
  observacoes: parceiro.observacoes ?? '',
  atualizado_em: parceiro.atualizado_em,
})

export function EditParceiroForm({
  parceiro,
  onClose,
}: {
  parceiro: Parceiro
  onClose: () => void
}) {
  const { id: empresa } = useEmpresa()
  const queryClient = useQueryClient()
  const { id } = parceiro
  const { form, conflict } = useEdit({
    draft: `parceiro.${empresa}.${id}`,
    initial: valuesOf(parceiro),
    check,
    read: async () => {
      const query = { ...parceiroQuery(empresa, id), staleTime: 0 }
      return valuesOf((await queryClient.fetchQuery(query)).item)
    },
    close: onClose,
    send: (values) =>
      changeParceiro(empresa, id, { ...sent(values), atualizado_em: values.atualizado_em }),
    done() {
      queryClient.invalidateQueries({ queryKey: parceirosKey(empresa) })
      toast('Parceiro alterado.')
      onClose()
    },
  })
  if (conflict) {
    return (
      <Conflict
        {...conflict}
        fields={[
          { name: 'nome', label: 'Nome', show: ({ nome }) => nome },
          {
            name: 'tipo',
            label: 'Tipo',
            show: ({ tipo }) => PARCEIRO_WORDS[tipo as Parceiro['tipo']],
          },
          { name: 'documento', label: 'CPF ou CNPJ', show: ({ documento }) => documento },
          { name: 'email', label: 'E-mail', show: ({ email }) => email },
          { name: 'telefone', label: 'Telefone', show: ({ telefone }) => telefone },
          { name: 'observacoes', label: 'Observações', show: ({ observacoes }) => observacoes },
        ]}
      />
    )
  }
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <ParceiroFields bind={form.bind} />
      <FormActions form={form} act="Salvar" onClose={onClose} />
    </form>
  )
}

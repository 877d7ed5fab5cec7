import { useQueryClient } from '@tanstack/react-query'
import type { Scope } from '../../../../src/auth/scopes.ts'
import { chavesQuery, createChave } from '../../api/chaves.ts'
import { useEmpresa } from '../../api/eu.ts'
import { useForm } from '../../lib/form.ts'
import { wallTime } from '../../lib/format.ts'
import { TextField } from '../../ui/field.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { ScopeBoxes } from './scope-boxes.tsx'

interface Props {
  onCreated: (key: string) => void
  onClose: () => void
}

export function NewChave({ onCreated, onClose }: Props) {
  const { id, fuso_horario } = useEmpresa()
  const queryClient = useQueryClient()
  const today = wallTime(Date.now(), fuso_horario).slice(0, 10)
  const form = useForm({
    draft: `chave.${id}`,
    initial: { nome: '', scopes: [] as Scope[], validade: '' },
    check: ({ nome, scopes, validade }) => ({
      ...(nome.trim() ? {} : { nome: 'Dê um nome à chave.' }),
      ...(scopes.length > 0 ? {} : { scopes: 'Marque ao menos uma permissão.' }),
      ...(validade && validade < today ? { validade: 'Escolha hoje ou um dia que virá.' } : {}),
    }),
    send: ({ nome, scopes, validade }) =>
      createChave(id, { nome: nome.trim(), scopes, ...(validade ? { validade } : {}) }),
    done({ key }) {
      queryClient.invalidateQueries({ queryKey: chavesQuery(id).queryKey })
      onCreated(key)
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Nome"
          hint="O programa que vai usá-la: ERP, loja, planilha."
          maxLength={200}
          autoComplete="off"
          {...form.bind('nome')}
        />
        <TextField
          label="Validade (opcional)"
          type="date"
          min={today}
          hint="Vale até o fim deste dia. Sem data, vale até ser revogada."
          {...form.bind('validade')}
        />
      </div>
      <ScopeBoxes
        scopes={form.values.scopes}
        fault={form.faults.scopes}
        onChange={(scopes) => form.set('scopes', scopes)}
      />
      <FormActions form={form} act="Criar chave" onClose={onClose} />
    </form>
  )
}

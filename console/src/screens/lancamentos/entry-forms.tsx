import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { changeLancamento, createLancamento, lancamentoQuery } from '../../api/lancamentos.ts'
import { useEdit } from '../../lib/edit.ts'
import { useForm } from '../../lib/form.ts'
import { newKey } from '../../lib/key.ts'
import { Conflict } from '../../ui/conflict.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useRefresh } from './acts.ts'
import { EntryFields } from './entry-fields.tsx'
import {
  asKept,
  bodyOf,
  ENTRY_FIELDS,
  type EntryValues,
  faultsOf,
  valuesOf,
} from './entry-values.tsx'

interface NewProps {
  initial: EntryValues
  /** What is typed outlives a reload; not of a copy, which starts from what it copies. */
  draft?: string | undefined
  onClose: () => void
}

export function NewEntryForm({ initial, draft, onClose }: NewProps) {
  const { id: empresa } = useEmpresa()
  const refresh = useRefresh()
  const [first] = useState({ ...initial, chave: newKey() })
  const form = useForm({
    initial: first,
    ...(draft ? { draft } : {}),
    check: faultsOf,
    send: ({ chave, ...values }) => createLancamento(empresa, bodyOf(values), chave),
    done() {
      toast('Lançamento criado.')
      refresh()
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <EntryFields form={form} creating />
      <FormActions form={form} act="Criar lançamento" onClose={onClose} />
    </form>
  )
}

interface EditProps {
  entry: Lancamento
  /** What else can be done with the entry, while nothing of the form is unsaved. */
  actions: ReactNode
  onClose: () => void
}

const versionOf = (entry: Lancamento) => ({
  ...valuesOf(entry),
  atualizado_em: entry.atualizado_em,
})

export function EditEntryForm({ entry, actions, onClose }: EditProps) {
  const { id: empresa } = useEmpresa()
  const client = useQueryClient()
  const refresh = useRefresh()
  const { id } = entry
  /** The version that the form started from. */
  const [base, setBase] = useState(() => versionOf(entry))
  const { form, conflict } = useEdit({
    initial: base,
    check: faultsOf,
    read: async () => {
      const query = { ...lancamentoQuery(empresa, id), staleTime: 0 }
      return versionOf((await client.fetchQuery(query)).item)
    },
    close: onClose,
    send: ({ atualizado_em, ...values }) =>
      changeLancamento(empresa, id, { ...bodyOf(values), atualizado_em }),
    done() {
      toast('Lançamento alterado.')
      refresh()
      onClose()
    },
  })

  const untouched = !form.changed && !form.pending && !conflict
  const { reset } = form
  useEffect(() => {
    // It was changed elsewhere, and nothing is typed that could be lost.
    if (!untouched || entry.atualizado_em === base.atualizado_em) return
    setBase(versionOf(entry))
    reset(versionOf(entry))
  }, [untouched, entry, base, reset])

  if (conflict) {
    return <Conflict {...conflict} mine={asKept(conflict.mine)} fields={ENTRY_FIELDS} />
  }
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <div inert={form.changed} className={form.changed ? 'opacity-50' : ''}>
        {actions}
      </div>
      <EntryFields form={form} creating={false} />
      <FormActions form={form} act="Salvar" onClose={onClose} />
    </form>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { changeLancamento, createLancamento, lancamentoQuery } from '../../api/lancamentos.ts'
import { useForm } from '../../lib/form.ts'
import { Conflict, isStale } from '../../ui/conflict.tsx'
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
  // However often it is sent, one entry is made.
  const [key] = useState(() => crypto.randomUUID())
  const form = useForm({
    initial,
    ...(draft ? { draft } : {}),
    check: faultsOf,
    send: (values) => createLancamento(empresa, bodyOf(values), key),
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

export function EditEntryForm({ entry, actions, onClose }: EditProps) {
  const { id: empresa } = useEmpresa()
  const client = useQueryClient()
  const refresh = useRefresh()
  /** The version that the form started from. */
  const [base, setBase] = useState(entry)
  const [theirs, setTheirs] = useState<Lancamento>()
  const form = useForm({
    initial: valuesOf(base),
    check: faultsOf,
    send: (values) => save(values, base),
    done(saved) {
      if (!saved) return
      toast('Lançamento alterado.')
      refresh()
      onClose()
    },
  })

  /** Nothing is saved over what somebody else has saved meanwhile. */
  async function save(values: EntryValues, { id, atualizado_em }: Lancamento) {
    try {
      await changeLancamento(empresa, id, { ...bodyOf(values), atualizado_em })
      return true
    } catch (error) {
      if (!isStale(error)) throw error
      const { item } = await client.fetchQuery({ ...lancamentoQuery(empresa, id), staleTime: 0 })
      setTheirs(item)
      return false
    }
  }

  const untouched = !form.changed && !form.pending && !theirs
  const { reset } = form
  useEffect(() => {
    if (!untouched || entry.atualizado_em === base.atualizado_em) return
    setBase(entry)
    reset(valuesOf(entry))
  }, [untouched, entry, base, reset])

  if (theirs) {
    return (
      <Choice
        mine={form.values}
        theirs={theirs}
        save={save}
        onSaved={() => {
          toast('Lançamento alterado.')
          refresh()
          onClose()
        }}
        onTaken={() => {
          setBase(theirs)
          form.reset(valuesOf(theirs))
          setTheirs(undefined)
        }}
      />
    )
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

interface ChoiceProps {
  mine: EntryValues
  theirs: Lancamento
  save: (values: EntryValues, over: Lancamento) => Promise<boolean>
  onSaved: () => void
  onTaken: () => void
}

function Choice({ mine, theirs, save, onSaved, onTaken }: ChoiceProps) {
  const saving = useMutation({
    mutationFn: () => save(mine, theirs),
    onSuccess: (saved) => saved && onSaved(),
  })
  return (
    <Conflict
      mine={asKept(mine)}
      theirs={valuesOf(theirs)}
      fields={ENTRY_FIELDS}
      pending={saving.isPending}
      failure={saving.error}
      onKeepMine={() => saving.mutate()}
      onTakeTheirs={onTaken}
    />
  )
}

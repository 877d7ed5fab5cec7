import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isStale } from '../ui/conflict.tsx'
import { type FormOptions, useForm } from './form.ts'

interface EditOptions<T, R> extends FormOptions<T, R> {
  /** The record as it now is, as the form would show it. */
  read: () => Promise<T>
  /** Leaves the record as it is. */
  close: () => void
}

/**
 * A form that changes a record, which its values name by the moment of its last change. Where somebody else
 * was faster nothing is overwritten: `conflict` holds both versions until the person has chosen.
 */
export function useEdit<T extends { atualizado_em: string }, R>({
  read,
  send,
  close,
  ...options
}: EditOptions<T, R>) {
  const [theirs, setTheirs] = useState<T>()
  async function attempt(values: T): Promise<R> {
    try {
      return await send(values)
    } catch (error) {
      if (isStale(error)) setTheirs(await read())
      throw error
    }
  }
  const form = useForm({ ...options, send: attempt })
  const keeping = useMutation({
    mutationFn: (atualizado_em: string) => attempt({ ...form.values, atualizado_em }),
    onSuccess(result) {
      form.reset()
      options.done?.(result)
    },
  })
  const conflict = theirs && {
    mine: form.values,
    theirs,
    pending: keeping.isPending,
    failure: isStale(keeping.error) ? null : keeping.error,
    onKeepMine: () => keeping.mutate(theirs.atualizado_em),
    onTakeTheirs() {
      form.reset()
      close()
    },
  }
  return { form, conflict }
}

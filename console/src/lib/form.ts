import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Failure } from '../api/call.ts'
import { sentence } from './format.ts'

type Faults<T> = Partial<Record<keyof T, string>>

export interface FormOptions<T, R> {
  initial: T
  /** Under which name the values outlive a reload, in this tab. Never for a form that holds a secret. */
  draft?: string
  check?: (values: T) => Faults<T>
  send: (values: T) => Promise<R>
  done?: (result: R) => void
}

/** What is typed stays until the server has it: a failure only says what went wrong. */
export function useForm<T extends object, R>({
  initial,
  draft,
  check,
  send,
  done,
}: FormOptions<T, R>) {
  const [values, setValues] = useState<T>(() => ({ ...initial, ...(draft ? kept(draft) : {}) }))
  const [faults, setFaults] = useState<Faults<T>>({})
  // A second click may come before the first has been drawn.
  const busy = useRef(false)
  const sending = useMutation({
    mutationFn: send,
    onSuccess: (result) => {
      if (draft) forget(draft)
      done?.(result)
    },
    onError: (failure) => setFaults(faultsOf(failure, values)),
    onSettled: () => {
      busy.current = false
    },
  })

  function set<K extends keyof T>(name: K, value: T[K]) {
    const next = { ...values, [name]: value }
    setValues(next)
    setFaults(({ [name]: _mended, ...rest }) => rest as Faults<T>)
    if (draft) keep(draft, next)
  }

  return {
    values,
    faults,
    set,
    pending: sending.isPending,
    /** What is left to say once each field says its own fault. */
    failure: sending.error && !isAboutFields(sending.error, values) ? sending.error : null,
    changed: JSON.stringify(values) !== JSON.stringify(initial),
    reset(to: T = initial) {
      if (draft) forget(draft)
      setValues(to)
      setFaults({})
      sending.reset()
    },
    submit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      if (busy.current) return
      const form = event.currentTarget
      const found = check?.(values) ?? {}
      flushSync(() => setFaults(found))
      if (Object.keys(found).length === 0) {
        busy.current = true
        sending.mutate(values, { onError: () => setTimeout(() => focusFault(form)) })
      } else focusFault(form)
    },
    bind<K extends keyof T & string>(name: K) {
      return {
        name,
        value: values[name],
        fault: faults[name],
        onChange: (value: T[K]) => set(name, value),
      }
    },
  }
}

function focusFault(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

function fieldOf(path: string): string {
  return path.split(/[./[]/)[0] ?? path
}

function faultsOf<T extends object>(failure: Failure, values: T): Faults<T> {
  const own = failure.errors.filter(({ field }) => fieldOf(field) in values)
  return Object.fromEntries(
    own.map(({ field, message }) => [fieldOf(field), sentence(message)]),
  ) as Faults<T>
}

function isAboutFields(failure: Failure, values: object): boolean {
  return failure.errors.length > 0 && failure.errors.every(({ field }) => fieldOf(field) in values)
}

const nameOf = (draft: string) => `lastro.rascunho.${draft}`

function kept(draft: string): object {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(draft)) ?? '{}')
  } catch {
    return {}
  }
}

function keep(draft: string, values: object): void {
  try {
    sessionStorage.setItem(nameOf(draft), JSON.stringify(values))
  } catch {
    // Without storage the values live as long as the page.
  }
}

function forget(draft: string): void {
  try {
    sessionStorage.removeItem(nameOf(draft))
  } catch {
    // As above.
  }
}

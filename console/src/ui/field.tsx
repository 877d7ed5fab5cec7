import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { inputLook } from './look.ts'

interface Common {
  label: string
  hint?: ReactNode
  fault?: string | undefined
}

interface Linked {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

export function Field({
  label,
  hint,
  fault,
  children,
}: Common & { children: (linked: Linked) => ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': fault ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} className="text-sm font-medium text-bad">
          {fault}
        </p>
      )}
    </div>
  )
}

type Own<Tag extends 'input' | 'select' | 'textarea'> = Omit<
  ComponentProps<Tag>,
  keyof Common | 'value' | 'onChange' | 'id' | 'className'
>

interface Valued {
  value: string
  onChange: (value: string) => void
}

export function TextField({
  label,
  hint,
  fault,
  onChange,
  ...input
}: Common & Valued & Own<'input'>) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(linked) => (
        <input
          {...input}
          {...linked}
          onChange={(event) => onChange(event.target.value)}
          className={inputLook}
        />
      )}
    </Field>
  )
}

export function TextAreaField({
  label,
  hint,
  fault,
  onChange,
  ...area
}: Common & Valued & Own<'textarea'>) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(linked) => (
        <textarea
          {...area}
          {...linked}
          onChange={(event) => onChange(event.target.value)}
          className={inputLook}
        />
      )}
    </Field>
  )
}

/** A day of the calendar, as the contract knows them. */
export const DayField = (field: Common & Valued & Own<'input'>) => (
  <TextField {...field} type="date" min="1900-01-01" max="2199-12-31" />
)

/** An amount in reais, as text until it is sent: see `parseReais`. */
export const MoneyField = (field: Common & Valued & Own<'input'>) => (
  <TextField {...field} inputMode="decimal" placeholder="0,00" autoComplete="off" />
)

export function PasswordField({
  label,
  hint,
  fault,
  onChange,
  ...input
}: Common & Valued & Own<'input'>) {
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(linked) => (
        <div className="flex gap-2">
          <input
            {...input}
            {...linked}
            type={shown ? 'text' : 'password'}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => onChange(event.target.value)}
            className={inputLook}
          />
          <button
            type="button"
            onClick={() => setShown(!shown)}
            className="min-h-10 rounded-lg px-2 text-sm font-medium text-main hover:bg-sunken"
          >
            {shown ? 'Ocultar' : 'Mostrar'}
            <span className="sr-only"> {label}</span>
          </button>
        </div>
      )}
    </Field>
  )
}

/** The browser's own, which every keyboard, telephone and screen reader knows. */
export function SelectField({
  label,
  hint,
  fault,
  onChange,
  children,
  ...select
}: Common & Valued & Own<'select'>) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(linked) => (
        <select
          {...select}
          {...linked}
          onChange={(event) => onChange(event.target.value)}
          className={inputLook}
        >
          {children}
        </select>
      )}
    </Field>
  )
}

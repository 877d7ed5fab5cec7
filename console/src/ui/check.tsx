import { type ReactNode, useId } from 'react'

interface CheckProps {
  label: ReactNode
  hint?: string | undefined
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  invalid?: boolean
}

export function Check({ label, hint, checked, onChange, disabled, invalid }: CheckProps) {
  const id = useId()
  return (
    <label className="flex min-h-8 items-start gap-3 text-sm">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-invalid={invalid || undefined}
        aria-describedby={hint ? id : undefined}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4.5 shrink-0 accent-main"
      />
      <span className="grid min-w-0 wrap-anywhere">
        {label}
        {hint && (
          <span id={id} className="text-soft">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}

interface GroupProps {
  legend: string
  hint?: string | undefined
  fault?: string | undefined
  /** One of several groups within another. */
  inner?: boolean
  children: ReactNode
}

/** Things to tick that belong together. */
export function CheckGroup({ legend, hint, fault, inner = false, children }: GroupProps) {
  return (
    <fieldset className="grid min-w-0 content-start gap-2">
      <legend className={`mb-1.5 text-sm ${inner ? 'font-semibold text-soft' : 'font-medium'}`}>
        {legend}
      </legend>
      {hint && <p className="text-sm text-soft">{hint}</p>}
      {fault && (
        <p role="alert" className="text-sm font-medium text-bad">
          {fault}
        </p>
      )}
      {children}
    </fieldset>
  )
}

import type { ComponentProps } from 'react'
import { type ButtonKind, buttonLook } from './look.ts'
import { Spinner } from './spinner.tsx'

interface Props extends ComponentProps<'button'> {
  kind?: ButtonKind
  pending?: boolean
}

/** While something is pending it keeps the focus, and a second press does nothing. */
export function Button({
  kind = 'plain',
  pending = false,
  type = 'button',
  className = '',
  onClick,
  children,
  ...props
}: Props) {
  return (
    <button
      {...props}
      type={type}
      className={`${buttonLook(kind)} ${className}`}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={(event) => {
        if (pending) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {pending && <Spinner />}
      {children}
    </button>
  )
}

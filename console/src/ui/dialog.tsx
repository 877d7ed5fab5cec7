import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import type { Failure } from '../api/call.ts'
import { FailureNotice } from './failure.tsx'
import { Icon } from './icon.tsx'
import { dialogLook, veilLook } from './overlay.ts'
import { type Opener, useReturnedFocus } from './returned-focus.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** It holds what is shown only once: a stray key or click does not close it. */
  locked?: boolean
  opener?: Opener
  children: ReactNode
}

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  locked = false,
  opener,
  children,
}: Props) {
  const focus = useReturnedFocus(opener)
  const stay = (event: Event) => {
    if (locked) event.preventDefault()
  }
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={veilLook} />
        <Radix.Content
          {...focus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={`${dialogLook} max-w-2xl`}
          onEscapeKeyDown={stay}
          // What is half filled in is not thrown away by a click beside it.
          onInteractOutside={(event) => event.preventDefault()}
        >
          <Radix.Title className="pr-10 text-lg font-semibold wrap-anywhere">{title}</Radix.Title>
          {description && (
            <Radix.Description asChild>
              <div className="text-sm text-soft wrap-anywhere">{description}</div>
            </Radix.Description>
          )}
          {children}
          {/* Last, so that the focus starts at the first field. */}
          {!locked && (
            <Radix.Close
              aria-label="Fechar"
              className="absolute top-3 right-3 rounded-lg p-2 text-soft hover:bg-sunken hover:text-ink"
            >
              <Icon name="close" />
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface ActionsProps {
  /** Why what one of them does was not done. */
  failure?: Failure | null
  children: ReactNode
}

/** The buttons at the end of a dialog, always in sight: on a telephone one above the other. */
export function DialogActions({ failure = null, children }: ActionsProps) {
  return (
    <div className="sticky -bottom-4 z-10 -mx-4 -mb-4 grid gap-3 rounded-b-xl border-t border-line bg-paper px-4 py-3 sm:-bottom-5 sm:-mx-5 sm:-mb-5 sm:px-5">
      <FailureNotice failure={failure} />
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>
    </div>
  )
}

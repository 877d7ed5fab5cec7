import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
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
          <div className="flex items-start justify-between gap-4">
            <Radix.Title className="text-lg font-semibold wrap-anywhere">{title}</Radix.Title>
            {!locked && (
              <Radix.Close
                aria-label="Fechar"
                className="-m-1.5 rounded-lg p-1.5 text-soft hover:bg-sunken hover:text-ink"
              >
                <Icon name="close" />
              </Radix.Close>
            )}
          </div>
          {description && (
            <Radix.Description asChild>
              <div className="text-sm text-soft wrap-anywhere">{description}</div>
            </Radix.Description>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The buttons at the end of a dialog: on a telephone one above the other. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>
}

import { useMutation } from '@tanstack/react-query'
import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { DialogActions } from './dialog.tsx'
import { dialogLook, veilLook } from './overlay.ts'
import { type Opener, useReturnedFocus } from './returned-focus.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  act: string
  dangerous?: boolean
  opener?: Opener
  onConfirm: () => Promise<unknown>
}

export function Confirm({
  open,
  onOpenChange,
  title,
  children,
  act,
  dangerous = true,
  opener,
  onConfirm,
}: Props) {
  const focus = useReturnedFocus(opener)
  const acting = useMutation({ mutationFn: onConfirm, onSuccess: () => change(false) })
  function change(next: boolean) {
    if (!next) acting.reset()
    onOpenChange(next)
  }
  return (
    <AlertDialog.Root open={open} onOpenChange={change}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={veilLook} />
        <AlertDialog.Content {...focus} className={`${dialogLook} max-w-md`}>
          <AlertDialog.Title className="text-lg font-semibold wrap-anywhere">
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="text-sm text-soft wrap-anywhere">{children}</div>
          </AlertDialog.Description>
          <DialogActions failure={acting.error}>
            <AlertDialog.Cancel asChild>
              <Button>Voltar</Button>
            </AlertDialog.Cancel>
            <Button
              kind={dangerous ? 'danger' : 'main'}
              pending={acting.isPending}
              onClick={() => acting.mutate()}
            >
              {act}
            </Button>
          </DialogActions>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

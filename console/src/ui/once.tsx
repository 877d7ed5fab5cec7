import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Copyable } from './copyable.tsx'
import { DialogActions } from './dialog.tsx'
import { Notice } from './notice.tsx'

interface Props {
  secrets: { label: string; value: string }[]
  children: ReactNode
  onKept: () => void
}

/** A secret that the server tells only now. */
export function ShownOnce({ secrets, children, onKept }: Props) {
  return (
    <div className="grid gap-4">
      <Notice tone="warn" title="Mostrado somente agora">
        {children}
      </Notice>
      {secrets.map(({ label, value }) => (
        <Copyable key={label} label={label} value={value} />
      ))}
      <DialogActions>
        <Button kind="main" onClick={onKept}>
          Já guardei
        </Button>
      </DialogActions>
    </div>
  )
}

import type { ReactNode } from 'react'

/** A list, one thing below the other. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul
      aria-label={label}
      className="min-w-0 divide-y divide-line overflow-hidden rounded-xl border border-line bg-paper"
    >
      {children}
    </ul>
  )
}

export function Row({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3.5 sm:px-5">
      <div className="grid min-w-0 grow basis-40 gap-1 wrap-anywhere">{children}</div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </li>
  )
}

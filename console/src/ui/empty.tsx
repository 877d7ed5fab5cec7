import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface Props {
  icon: IconName
  title: string
  children: ReactNode
  action?: ReactNode
}

/** Nothing is here yet: why that is, and what to do next. */
export function Empty({ icon, title, children, action }: Props) {
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-dashed border-edge bg-paper px-4 py-10 text-center">
      <span className="rounded-full bg-main-tint p-3 text-main">
        <Icon name={icon} className="size-6" />
      </span>
      <p className="text-lg font-semibold">{title}</p>
      <div className="max-w-prose text-sm text-soft">{children}</div>
      {action}
    </div>
  )
}

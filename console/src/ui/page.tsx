import { type ReactNode, useEffect } from 'react'

interface Props {
  title: string
  /** What the title is about, where it is not enough by itself. */
  lead?: ReactNode
  back?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, lead, back, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Lastro`
  }, [title])
  return (
    <div className="mx-auto grid w-full max-w-5xl grid-cols-1 gap-5 p-4 sm:p-6 lg:p-8">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 gap-1">
          {back && <p className="text-sm">{back}</p>}
          <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {lead && <div className="max-w-prose text-soft wrap-anywhere">{lead}</div>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

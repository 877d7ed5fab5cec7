import { type ReactNode, useEffect } from 'react'

interface Props {
  title: string
  /** What the title is about, where it is not enough by itself. */
  lead?: ReactNode
  back?: ReactNode
  actions?: ReactNode
  /** As large as the window, for what scrolls by itself within. */
  fill?: boolean
  children: ReactNode
}

const FLOW = 'mx-auto grid max-w-5xl grid-cols-1 gap-5 p-4 sm:p-6 lg:p-8'
const FILL =
  'flex h-[calc(100dvh-3.625rem)] min-h-[34rem] flex-col gap-3 p-3 sm:p-4 lg:h-dvh lg:px-6'

export function Page({ title, lead, back, actions, fill = false, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Lastro`
  }, [title])
  return (
    <div className={`w-full ${fill ? FILL : FLOW}`}>
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

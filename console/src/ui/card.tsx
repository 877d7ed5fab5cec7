import { type ReactNode, useId } from 'react'

interface Props {
  title?: string
  lead?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

export function Card({ title, lead, actions, children }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className="grid min-w-0 grid-cols-1 content-start gap-4 rounded-xl border border-line bg-paper p-4 sm:p-5"
    >
      {(title || actions) && (
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="grid min-w-0 grow basis-40 gap-1">
            {title && (
              <h2 id={id} className="text-lg font-semibold wrap-anywhere">
                {title}
              </h2>
            )}
            {lead && <p className="max-w-prose text-sm text-soft">{lead}</p>}
          </div>
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}

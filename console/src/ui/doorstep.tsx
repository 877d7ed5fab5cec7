import { type ReactNode, useEffect } from 'react'
import { Logo } from './logo.tsx'

/** A screen for who is not in yet: a single card in the middle. */
export function Doorstep({
  title,
  lead,
  children,
}: {
  title: string
  lead?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Lastro`
  }, [title])
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-6 p-4">
      <div className="justify-self-center">
        <Logo />
      </div>
      <div className="grid grid-cols-1 gap-5 rounded-xl border border-line bg-paper p-5 sm:p-7">
        <div className="grid gap-1">
          <h1 className="text-xl font-semibold wrap-anywhere">{title}</h1>
          {lead && <p className="text-soft wrap-anywhere">{lead}</p>}
        </div>
        {children}
      </div>
    </main>
  )
}

import type { ReactNode } from 'react'

/** Names and what stands for each; what is not known is left out. */
export function Facts({ items }: { items: [name: string, value: ReactNode][] }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2 lg:grid-cols-3">
      {items
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name} className="grid min-w-0 content-start gap-0.5">
            <dt className="text-soft">{name}</dt>
            <dd className="font-medium wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

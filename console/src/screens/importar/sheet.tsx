import type { ReactNode } from 'react'

interface Props {
  label: string
  heads: { name: string; number?: boolean }[]
  children: ReactNode
}

/** A table that scrolls within itself, by keyboard too. */
export function Sheet({ label, heads, children }: Props) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-lg border border-line"
    >
      <table className="w-full border-collapse text-sm">
        <thead className="sticky top-0 bg-sunken text-left">
          <tr>
            {heads.map(({ name, number }) => (
              <th
                key={name}
                scope="col"
                className={`px-3 py-2 font-medium whitespace-nowrap ${number ? 'text-right' : ''}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </section>
  )
}

interface CellProps {
  /** Figures stand below each other. */
  number?: boolean
  /** Free text, which may take several lines. */
  wide?: boolean
  children: ReactNode
}

export function Cell({ number = false, wide = false, children }: CellProps) {
  const look = wide ? 'min-w-40 max-w-80 wrap-anywhere' : 'whitespace-nowrap'
  return (
    <td className={`px-3 py-2 align-top ${look} ${number ? 'text-right tabular-nums' : ''}`}>
      {children}
    </td>
  )
}

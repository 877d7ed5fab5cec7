import { reais } from '../../lib/format.ts'
import { type Amount, balanceOf, type ChartProps } from './chart.ts'
import { EntriesLink } from './entries.tsx'

const cell = 'px-2 py-1.5 text-right tabular-nums whitespace-nowrap'

/** The same as its chart draws: for whoever cannot see that, and for whoever goes by keyboard. */
export function ChartTable({ caption, data, of, balance }: ChartProps & { caption: string }) {
  const { series, groups } = data
  return (
    <div className="mt-2 overflow-x-auto">
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-b border-edge text-soft">
          <tr>
            <th scope="col" className="py-1.5 pr-2 text-left font-medium">
              {of}
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className={`${cell} font-medium`}>
                {name}
              </th>
            ))}
            {balance && (
              <th scope="col" className={`${cell} font-medium`}>
                Saldo
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {groups.map((group) => (
            <tr key={group.name}>
              <th
                scope="row"
                aria-current={group.current ? 'date' : undefined}
                className="min-w-28 py-1.5 pr-2 text-left font-medium wrap-anywhere aria-[current]:text-main"
              >
                {group.name}
              </th>
              {series.map(({ name }, i) => (
                <td key={name} className={cell}>
                  <Figure {...group.amounts[i]!} />
                </td>
              ))}
              {balance && <td className={cell}>{reais(balanceOf(group, series))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Figure({ value, entries }: Amount) {
  // Behind nothing there is nothing to see.
  if (value === 0) return <span className="text-soft">{reais(0)}</span>
  return <EntriesLink entries={entries}>{reais(value)}</EntriesLink>
}

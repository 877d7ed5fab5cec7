import { lazy, Suspense } from 'react'
import { Card } from '../../ui/card.tsx'
import type { ChartProps } from './chart.ts'
import { ChartTable } from './chart-table.tsx'
import { Swatch } from './hatch.tsx'

/** Without the program that draws there are still the numbers. */
const Bars = lazy(() =>
  import('./bars.tsx').catch(() => ({ default: () => <p>O gráfico não pôde ser carregado.</p> })),
)

interface Props extends ChartProps {
  title: string
  lead: string
  /** Said where there is nothing to draw. */
  none: string
}

export function ChartCard({ title, lead, none, ...chart }: Props) {
  const { series, groups } = chart.data
  if (!groups.some(({ amounts }) => amounts.some(({ value }) => value !== 0))) {
    return (
      <Card title={title} lead={lead}>
        <p className="rounded-lg bg-sunken p-4 text-sm">{none}</p>
      </Card>
    )
  }
  return (
    <Card title={title} lead={lead}>
      <ul aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {series.map((each) => (
          <li key={each.name} className="flex items-center gap-1.5">
            <Swatch {...each} />
            {each.name}
          </li>
        ))}
        {chart.balance && (
          <li className="flex items-center gap-1.5">
            <span className="h-0.5 w-4 bg-ink" />
            Saldo
          </li>
        )}
      </ul>
      {/* Read, and reached by keyboard, in the table below. */}
      <div
        aria-hidden="true"
        className="min-w-0 text-xs"
        style={{ height: chart.sideways ? 40 + 38 * groups.length : 280 }}
      >
        <Suspense>
          <Bars {...chart} />
        </Suspense>
      </div>
      <details className="text-sm">
        <summary className="w-fit rounded-sm font-medium text-main">
          Ver como tabela<span className="sr-only">: {title}</span>
        </summary>
        <ChartTable caption={title} {...chart} />
      </details>
    </Card>
  )
}

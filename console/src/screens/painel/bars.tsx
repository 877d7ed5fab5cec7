import { useId } from 'react'
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceLine,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { compactReais, reais } from '../../lib/format.ts'
import { balanceOf, type ChartProps, type Group, type Series } from './chart.ts'
import { useEntries } from './entries.tsx'
import { fillOf, Hatch, Swatch } from './hatch.tsx'

const tick = { fill: 'var(--color-soft)', fontSize: 12 }
const amounts = {
  type: 'number',
  tick,
  tickLine: false,
  axisLine: false,
  tickFormatter: (value: number) => compactReais(Math.abs(value)),
} as const
const groups = {
  type: 'category',
  dataKey: 'label',
  tick,
  tickLine: false,
  axisLine: false,
} as const

const line = { dataKey: 'balance', activeDot: false, isAnimationActive: false }
const dot = { r: 2, fill: 'var(--color-ink)' }

/** Drawn at once: nothing moves that was not asked to. */
export default function Bars({ data, sideways = false, balance = false }: ChartProps) {
  const open = useEntries()
  const hatch = useId()
  const { series } = data
  const today = data.groups.find(({ current }) => current)
  const rows = data.groups.map((group) => ({
    ...group,
    values: group.amounts.map(({ value }, i) => (series[i]!.way === 'in' ? value : -value)),
    balance: balanceOf(group, series),
  }))
  return (
    <ComposedChart
      responsive
      accessibilityLayer={false}
      data={rows}
      layout={sideways ? 'vertical' : 'horizontal'}
      stackOffset="sign"
      margin={{ top: 16, right: 8, bottom: 0, left: 0 }}
      style={{ width: '100%', height: '100%' }}
    >
      <Hatch id={`${hatch}-in`} way="in" />
      <Hatch id={`${hatch}-out`} way="out" />
      <CartesianGrid stroke="var(--color-line)" vertical={sideways} horizontal={!sideways} />
      {sideways ? (
        <>
          <XAxis {...amounts} />
          <YAxis {...groups} width={104} tickFormatter={shortened} interval={0} />
        </>
      ) : (
        <>
          <XAxis {...groups} minTickGap={12} />
          <YAxis {...amounts} width={64} />
        </>
      )}
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: 'var(--color-edge)' }}
        content={({ active, payload }) =>
          active && payload?.[0] ? (
            <Told group={payload[0].payload as Group} series={series} balance={balance} />
          ) : null
        }
      />
      {series.map((each, i) => (
        <Bar
          key={each.name}
          dataKey={({ values }: (typeof rows)[number]) => values[i]!}
          name={each.name}
          stackId="all"
          maxBarSize={28}
          isAnimationActive={false}
          {...fillOf(each, `${hatch}-${each.way}`)}
          className="cursor-pointer"
          onClick={(_bar, index) => open(rows[index]!.amounts[i]!.entries)}
        />
      ))}
      <ReferenceLine {...(sideways ? { x: 0 } : { y: 0 })} stroke="var(--color-edge)" />
      {today && (
        <ReferenceLine
          x={today.label}
          stroke="var(--color-edge)"
          strokeDasharray="3 3"
          label={{ value: 'hoje', position: 'top', ...tick }}
        />
      )}
      {/* Apart from the bars that it crosses. */}
      {balance && <Line {...line} stroke="var(--color-paper)" strokeWidth={5} dot={false} />}
      {balance && <Line {...line} stroke="var(--color-ink)" strokeWidth={2} dot={dot} />}
    </ComposedChart>
  )
}

/** On one line: names are read in full below, and in the table. */
const shortened = (name: string) =>
  (name.length > 14 ? `${name.slice(0, 13).trimEnd()}…` : name).replaceAll(' ', '\u00a0')

interface ToldProps {
  group: Group
  series: Series[]
  balance: boolean
}

function Told({ group, series, balance }: ToldProps) {
  return (
    <div className="grid max-w-64 gap-1 rounded-lg border border-edge bg-paper p-2.5 text-xs text-ink shadow-lg">
      <p className="font-semibold wrap-anywhere">{group.name}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5">
        {series.map((each, i) => (
          <div key={each.name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="flex items-center gap-1.5">
              <Swatch {...each} />
              {each.name}
            </dt>
            <dd className="text-right tabular-nums">{reais(group.amounts[i]!.value)}</dd>
          </div>
        ))}
        {balance && (
          <div className="col-span-2 grid grid-cols-subgrid font-semibold">
            <dt>Saldo</dt>
            <dd className="text-right tabular-nums">{reais(balanceOf(group, series))}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}

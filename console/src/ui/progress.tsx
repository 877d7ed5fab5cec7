import { count } from '../lib/format.ts'

interface Props {
  label: string
  value: number
  max: number
}

export function Progress({ label, value, max }: Props) {
  const share = max === 0 ? 1 : value / max
  return (
    <div className="grid gap-1.5">
      <p className="flex justify-between gap-3 text-sm">
        <span>{label}</span>
        <span className="tabular-nums">
          {count(value)} de {count(max)}
        </span>
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={max}
        className="h-2.5 overflow-hidden rounded-full border border-edge bg-sunken"
      >
        <div
          className="h-full bg-main motion-safe:transition-[width]"
          style={{ width: `${Math.min(100, share * 100)}%` }}
        />
      </div>
    </div>
  )
}

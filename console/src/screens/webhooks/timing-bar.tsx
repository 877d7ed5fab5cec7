import type { Attempt } from '../../../../src/webhooks/delivery-schema.ts'
import { milliseconds } from '../../lib/format.ts'

const PARTS = [
  { key: 'dns', name: 'DNS', look: 'bg-info' },
  { key: 'connect', name: 'Conexão', look: 'bg-warn' },
  { key: 'tls', name: 'TLS', look: 'bg-soft' },
  { key: 'first_byte', name: 'Espera da resposta', look: 'bg-main' },
] as const

/** Where the time went. What none of the parts explains is the rest. */
export function TimingBar({ attempt }: { attempt: Attempt }) {
  const { timings, duration_ms } = attempt
  const known = PARTS.flatMap(({ key, ...part }) => {
    const spent = timings[key]
    return spent === null ? [] : [{ ...part, spent }]
  })
  const rest = duration_ms - known.reduce((sum, { spent }) => sum + spent, 0)
  const parts = rest > 0 ? [...known, { name: 'Restante', look: 'bg-line', spent: rest }] : known
  const whole = Math.max(
    1,
    parts.reduce((sum, { spent }) => sum + spent, 0),
  )
  return (
    <div className="grid gap-2">
      <div
        aria-hidden="true"
        className="flex h-3 gap-px overflow-hidden rounded-full border border-edge bg-sunken"
      >
        {parts.map(({ name, look, spent }) => (
          <div key={name} className={look} style={{ width: `${(spent / whole) * 100}%` }} />
        ))}
      </div>
      <ul aria-label="Tempos" className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {parts.map(({ name, look, spent }) => (
          <li key={name} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2.5 rounded-sm border border-edge ${look}`} />
            {name}: {milliseconds(spent)}
          </li>
        ))}
      </ul>
    </div>
  )
}

import type { ReactNode } from 'react'

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'plain'

const TONES: Record<Tone, string> = {
  good: 'bg-main-tint text-main',
  bad: 'bg-bad-tint text-bad',
  warn: 'bg-warn-tint text-warn',
  info: 'bg-info-tint text-info',
  plain: 'bg-sunken text-soft',
}

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  )
}

import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

type NoticeTone = 'good' | 'bad' | 'warn' | 'info'

const TONES: Record<NoticeTone, string> = {
  good: 'border-main/40 bg-main-tint',
  bad: 'border-bad/40 bg-bad-tint',
  warn: 'border-warn/40 bg-warn-tint',
  info: 'border-info/40 bg-info-tint',
}
const INKS: Record<NoticeTone, string> = {
  good: 'text-main',
  bad: 'text-bad',
  warn: 'text-warn',
  info: 'text-info',
}

interface Props {
  tone?: NoticeTone
  title?: string
  children?: ReactNode
}

/** What went wrong is read out at once; the rest waits for its turn. */
export function Notice({ tone = 'info', title, children }: Props) {
  const icon = tone === 'good' ? 'check' : tone === 'info' ? 'info' : 'warning'
  return (
    <div
      role={tone === 'bad' ? 'alert' : undefined}
      className={`flex gap-3 rounded-lg border p-3 text-sm ${TONES[tone]}`}
    >
      <span className={INKS[tone]}>
        <Icon name={icon} />
      </span>
      <div className="grid min-w-0 grow content-center gap-2 wrap-anywhere">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  )
}

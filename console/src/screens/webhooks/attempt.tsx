import type { ReactNode } from 'react'
import type { Attempt } from '../../../../src/webhooks/delivery-schema.ts'
import { milliseconds } from '../../lib/format.ts'
import { ERROR_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TimingBar } from './timing-bar.tsx'

/** One attempt: what was sent, what came back, how long each part took, and what to do about it. */
export function AttemptView({ attempt, title }: { attempt: Attempt; title: string }) {
  const { request, response, diagnosis, error } = attempt
  const well = response !== null && response.status < 300
  return (
    <article className="grid min-w-0 grid-cols-1 gap-4 rounded-xl border border-line bg-paper p-4 sm:p-5">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-semibold">{title}</h3>
        <Badge tone={well ? 'good' : 'bad'}>
          {response ? `Respondeu ${response.status}` : (ERROR_WORDS[error ?? ''] ?? 'Sem resposta')}
        </Badge>
        <p className="text-sm text-soft">
          <Moment at={attempt.started_at} precision="second" />
          {', '}
          {milliseconds(attempt.duration_ms)}
          {attempt.address && `, ${attempt.address}`}
        </p>
      </header>
      {diagnosis && (
        <Notice tone="warn" title="Diagnóstico">
          <p>{diagnosis}</p>
        </Notice>
      )}
      <TimingBar attempt={attempt} />
      <Part title="O que foi enviado">
        <Code label="Cabeçalhos enviados">
          {[
            `POST ${request.url ?? ''}`,
            ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
          ].join('\n')}
        </Code>
        <Code label="Corpo enviado">{pretty(request.body)}</Code>
      </Part>
      {response ? (
        <Part title="O que foi respondido" open={!well}>
          <Code label="Cabeçalhos da resposta">
            {[
              `HTTP ${response.status}`,
              ...response.headers.map(({ name, value }) => `${name}: ${value}`),
            ].join('\n')}
          </Code>
          {response.body ? (
            <Code label="Corpo da resposta">{pretty(response.body)}</Code>
          ) : (
            <p className="text-sm text-soft">A resposta veio sem corpo.</p>
          )}
        </Part>
      ) : (
        <p className="text-sm text-soft">Nada foi respondido.</p>
      )}
    </article>
  )
}

interface PartProps {
  title: string
  open?: boolean
  children: ReactNode
}

function Part({ title, open = false, children }: PartProps) {
  return (
    <details open={open} className="min-w-0">
      <summary className="w-fit rounded-sm py-1 text-sm font-medium">{title}</summary>
      <div className="mt-2 grid grid-cols-1 gap-2">{children}</div>
    </details>
  )
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

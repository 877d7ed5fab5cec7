import { EVENT_KINDS, EVENTS, type EventKind } from '../../../../src/events/catalogue.ts'
import { EVENT_GROUPS, groupOf } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Check, CheckGroup } from '../../ui/check.tsx'

interface Props {
  legend: string
  hint?: string
  events: readonly EventKind[]
  fault?: string | undefined
  onChange: (events: EventKind[]) => void
}

const GROUPS = Object.groupBy(EVENT_KINDS, groupOf) as Record<string, EventKind[]>

export function EventBoxes({ legend, hint, events, fault, onChange }: Props) {
  return (
    <CheckGroup legend={legend} hint={hint} fault={fault}>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onChange([...EVENT_KINDS])}>Marcar todos</Button>
        <Button kind="quiet" onClick={() => onChange([])}>
          Limpar
        </Button>
      </div>
      <div className="mt-2 gap-6 sm:columns-2">
        {Object.entries(GROUPS).map(([group, kinds]) => (
          <div key={group} className="mb-5 break-inside-avoid">
            <CheckGroup inner legend={EVENT_GROUPS[group] ?? group}>
              {kinds.map((kind) => (
                <Check
                  key={kind}
                  label={EVENTS[kind]}
                  hint={kind}
                  checked={events.includes(kind)}
                  invalid={fault !== undefined}
                  onChange={(on) =>
                    onChange(
                      EVENT_KINDS.filter((one) => (one === kind ? on : events.includes(one))),
                    )
                  }
                />
              ))}
            </CheckGroup>
          </div>
        ))}
      </div>
    </CheckGroup>
  )
}

import { allows, PRESETS, SCOPES, type Scope } from '../../../../src/auth/scopes.ts'
import { PRESET_WORDS, RESOURCE_WORDS, SCOPE_WORDS } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Check, CheckGroup } from '../../ui/check.tsx'

interface Props {
  scopes: Scope[]
  fault: string | undefined
  onChange: (scopes: Scope[]) => void
}

const resourceOf = (scope: Scope) => scope.slice(0, scope.indexOf(':'))
const GROUPS = Object.groupBy(SCOPES, resourceOf) as Record<string, Scope[]>

/** A scope includes those before it: ticking one ticks them, and only the highest is kept. */
export function ScopeBoxes({ scopes, fault, onChange }: Props) {
  function toggle(scope: Scope) {
    const resource = resourceOf(scope)
    const order = GROUPS[resource]!
    const at = order.indexOf(scope)
    const highest = allows(scopes, scope) ? order[at - 1] : scope
    const others = scopes.filter((one) => resourceOf(one) !== resource)
    onChange(SCOPES.filter((one) => one === highest || others.includes(one)))
  }
  return (
    <CheckGroup
      legend="O que a chave pode fazer"
      hint="Os atalhos cobrem lançamentos, parceiros e categorias. Cobranças e webhooks marcam-se à parte."
      fault={fault}
    >
      <div className="flex flex-wrap gap-2">
        {Object.entries(PRESETS).map(([name, preset]) => (
          <Button key={name} onClick={() => onChange(preset)}>
            {PRESET_WORDS[name] ?? name}
          </Button>
        ))}
        <Button kind="quiet" onClick={() => onChange([])}>
          Limpar
        </Button>
      </div>
      <div className="mt-2 gap-6 sm:columns-2">
        {Object.entries(GROUPS).map(([resource, group]) => (
          <div key={resource} className="mb-5 break-inside-avoid">
            <CheckGroup inner legend={RESOURCE_WORDS[resource] ?? resource}>
              {group.map((scope) => (
                <Check
                  key={scope}
                  label={SCOPE_WORDS[scope]}
                  hint={scope}
                  checked={allows(scopes, scope)}
                  invalid={fault !== undefined}
                  onChange={() => toggle(scope)}
                />
              ))}
            </CheckGroup>
          </div>
        ))}
      </div>
    </CheckGroup>
  )
}

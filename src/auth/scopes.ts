/** What can be done to each resource, each action including those before it. */
const ACTIONS = {
  lancamentos: ['read', 'write', 'delete'],
  parceiros: ['read', 'write', 'delete'],
  categorias: ['read', 'write'],
  cobrancas: ['read', 'write'],
  webhooks: ['read', 'write', 'delete'],
} as const

type Resource = keyof typeof ACTIONS
export type Scope = { [R in Resource]: `${R}:${(typeof ACTIONS)[R][number]}` }[Resource]

export const SCOPES = Object.entries(ACTIONS).flatMap(([resource, actions]) =>
  actions.map((action) => `${resource}:${action}` as Scope),
)

/** The highest scope of each resource: together they open everything. */
export const FULL_SCOPES = Object.entries(ACTIONS).map(
  ([resource, actions]) => `${resource}:${actions.at(-1)}` as Scope,
)

/** Words of keys from before there were scopes. Charges and webhooks came later: out of their reach. */
export const LEGACY_SCOPES = ['read', 'write'] as const
const LEGACY_REACH: readonly string[] = ['lancamentos', 'parceiros', 'categorias']

export const PRESETS: Record<string, Scope[]> = {
  leitura: ['lancamentos:read', 'parceiros:read', 'categorias:read'],
  'leitura-escrita': ['lancamentos:write', 'parceiros:write', 'categorias:write'],
  total: ['lancamentos:delete', 'parceiros:delete', 'categorias:write'],
}

/** Whether a key with these scopes may do what needs this one. */
export function allows(granted: readonly string[], needed: Scope): boolean {
  const [resource, action] = needed.split(':') as [Resource, string]
  const order = ACTIONS[resource] as readonly string[]
  return granted.some((scope) => {
    if (scope === 'write') return LEGACY_REACH.includes(resource)
    if (scope === 'read') return LEGACY_REACH.includes(resource) && action === 'read'
    const [ofResource, upTo] = scope.split(':')
    return ofResource === resource && order.indexOf(action) <= order.indexOf(upTo!)
  })
}

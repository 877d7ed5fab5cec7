/** The SQLSTATE of an error that PostgreSQL itself reported. */
export function sqlState(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined
}

/** Whether an error says that this constraint was violated. */
export function violates(error: unknown, constraint: string): boolean {
  const state = sqlState(error)
  const named = (error as { constraint?: string } | undefined)?.constraint
  return state?.startsWith('23') === true && named === constraint
}

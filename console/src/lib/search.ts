// What an address holds may have been typed: what does not fit is left out.

export const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)

/** The page of a list; the first is not named. */
export function pageIn({ pagina }: Record<string, unknown>): { pagina?: number } {
  return Number.isSafeInteger(pagina) && Number(pagina) > 1 ? { pagina: Number(pagina) } : {}
}

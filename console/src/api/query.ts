/** A query of an address out of what is given; what is left out is left out. */
export function queryOf(given: object): string {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  return String(new URLSearchParams(entries.map(([name, value]) => [name, String(value)])))
}

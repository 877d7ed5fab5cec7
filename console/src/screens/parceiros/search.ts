import type { ParceiroFilter } from '../../../../src/parceiros/schema.ts'
import { pageIn } from '../../lib/search.ts'
import { PARCEIRO_WORDS } from '../../lib/words.ts'

/** What the address says: which partners are listed. */
interface ParceiroSearch extends Pick<ParceiroFilter, 'tipo' | 'ativo'> {
  busca?: string
  pagina?: number
}

export function readParceiroSearch(given: Record<string, unknown>): ParceiroSearch {
  const { tipo, ativo, busca } = given
  // A document that is all digits is read as a number.
  const text = typeof busca === 'string' || typeof busca === 'number' ? String(busca) : ''
  return {
    ...(isTipo(tipo) ? { tipo } : {}),
    ...(typeof ativo === 'boolean' ? { ativo } : {}),
    ...(text.trim() ? { busca: text.slice(0, 200) } : {}),
    ...pageIn(given),
  }
}

const isTipo = (value: unknown): value is NonNullable<ParceiroFilter['tipo']> =>
  typeof value === 'string' && Object.hasOwn(PARCEIRO_WORDS, value)

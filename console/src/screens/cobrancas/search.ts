import type { CobrancaFilter } from '../../../../src/cobrancas/schema.ts'
import { isId, pageIn } from '../../lib/search.ts'
import { COBRANCA_WORDS } from '../../lib/words.ts'

/** What the address says: which charges are listed, or of which entry one is to be issued. */
interface CobrancaSearch extends Pick<CobrancaFilter, 'status' | 'parceiro_id'> {
  pagina?: number
  lancamento?: string
}

export function readCobrancaSearch(given: Record<string, unknown>): CobrancaSearch {
  const { status, parceiro_id, lancamento } = given
  return {
    ...(isStatus(status) ? { status } : {}),
    ...(isId(parceiro_id) ? { parceiro_id } : {}),
    ...(isId(lancamento) ? { lancamento } : {}),
    ...pageIn(given),
  }
}

const isStatus = (value: unknown): value is NonNullable<CobrancaFilter['status']> =>
  typeof value === 'string' && Object.hasOwn(COBRANCA_WORDS, value)

import type { LivroFilter } from '../../../../src/lancamentos/livro-schema.ts'
import { isDay } from '../../lib/days.ts'
import { isId } from '../../lib/search.ts'
import { SITUACAO_WORDS, TIPO_WORDS } from '../../lib/words.ts'

/** What the address says: which entries are listed, and which one of them is open. */
export interface LivroSearch extends LivroFilter {
  lancamento?: string
}

const isText = (text: string) => text.length > 0 && text.length <= 200

const FITS: Record<keyof LivroSearch, (text: string) => boolean> = {
  busca: isText,
  tipo: (text) => Object.hasOwn(TIPO_WORDS, text),
  status: (text) => Object.hasOwn(SITUACAO_WORDS, text),
  data_de: isDay,
  data_ate: isDay,
  vencimento_de: isDay,
  vencimento_ate: isDay,
  centro_custo: isText,
  parceiro_id: isId,
  categoria_id: isId,
  lancamento: isId,
}

/** What does not fit is left out: an address may have been typed. */
export function readSearch(given: Record<string, unknown>): LivroSearch {
  const fitting = Object.entries(FITS).flatMap(([name, fits]) => {
    const value = given[name]
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    return fits(text) ? [[name, text]] : []
  })
  return Object.fromEntries(fitting)
}

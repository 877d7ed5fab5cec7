import { SCOPES } from '../auth/scopes.ts'
import { createChave } from '../chaves/chaves.ts'
import { type Clock, todayIn } from '../clock.ts'
import type { Database } from '../db/database.ts'
import { createEmpresa, listEmpresas } from '../empresas/empresas.ts'
import { createLancamento } from '../lancamentos/lancamentos.ts'
import { entriesOfAYear } from './entries.ts'

const NOME = 'Empresa Demonstração'

/** What the first start has made, or whom a later one found. */
export interface Demo {
  empresa: string
  /** Only of the start that made it: it cannot be shown again. */
  key?: string
}

/** Where there is no company yet, makes one that shows what the product does. */
export async function ensureDemo(db: Database, clock: Clock): Promise<Demo | undefined> {
  const empresas = await listEmpresas(db)
  if (empresas.length > 0) {
    const demo = empresas.find(({ nome }) => nome === NOME)
    return demo && { empresa: demo.id }
  }
  const empresa = await createEmpresa(db, { nome: NOME })
  const by = { kind: 'sistema', id: null, requestId: null } as const
  await db.write(empresa, async (tx) => {
    const today = Temporal.PlainDate.from(todayIn('America/Sao_Paulo', clock))
    for (const entry of entriesOfAYear(today)) await createLancamento(tx, by, entry)
  })
  const { key } = await createChave(db, { empresa, scopes: SCOPES, nome: 'Demonstração' })
  return { empresa, key }
}

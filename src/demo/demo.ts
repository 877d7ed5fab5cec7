import { SCOPES } from '../auth/scopes.ts'
import { createCategoria } from '../categorias/categorias.ts'
import { createChave } from '../chaves/chaves.ts'
import { type Clock, todayIn } from '../clock.ts'
import type { Database, WriteTx } from '../db/database.ts'
import { createEmpresa, listEmpresas } from '../empresas/empresas.ts'
import { SYSTEM } from '../events/outbox.ts'
import { createLancamento } from '../lancamentos/lancamentos.ts'
import { createParceiro } from '../parceiros/parceiros.ts'
import type { Payments } from '../payments.ts'
import { invite } from '../usuarios/usuarios.ts'
import { CATEGORIAS, PARCEIROS } from './books.ts'
import { issueCharges } from './charges.ts'
import { entriesOfAYear } from './entries.ts'

const NOME = 'Empresa Demonstração'

/** What the first start has made, or whom a later one found. */
export interface Demo {
  empresa: string
  /** Only of the start that made it: it cannot be shown again. */
  key?: string
  /** For a link by which its first administrator comes in; only of that start too. */
  convite?: string
}

/** Where there is no company yet, makes one that shows what the product does. */
export async function ensureDemo(
  db: Database,
  payments: Payments,
  clock: Clock,
): Promise<Demo | undefined> {
  const empresas = await listEmpresas(db)
  if (empresas.length > 0) {
    const demo = empresas.find(({ nome }) => nome === NOME)
    return demo && { empresa: demo.id }
  }
  const empresa = await createEmpresa(db, { nome: NOME })
  const today = Temporal.PlainDate.from(todayIn('America/Sao_Paulo', clock))
  await db.write(empresa, (tx) => fillBooks(tx, today))
  await issueCharges(db, payments, empresa, today)
  const { key } = await createChave(db, { empresa, scopes: SCOPES, nome: 'Demonstração' })
  const convite = await db.write(empresa, (tx) => invite(tx, null, 'admin'))
  return { empresa, key, convite }
}

async function fillBooks(tx: WriteTx, today: Temporal.PlainDate): Promise<void> {
  const parceiros = new Map<string, string>()
  for (const parceiro of PARCEIROS) {
    parceiros.set(parceiro.nome, (await createParceiro(tx, SYSTEM, parceiro)).id)
  }
  const categorias = new Map<string, string>()
  for (const [area, names] of Object.entries(CATEGORIAS)) {
    const { id } = await createCategoria(tx, SYSTEM, area)
    for (const name of names) categorias.set(name, (await createCategoria(tx, SYSTEM, name, id)).id)
  }
  for (const { categoria = '', ...entry } of entriesOfAYear(today)) {
    await createLancamento(tx, SYSTEM, {
      ...entry,
      parceiro_id: parceiros.get(entry.contraparte ?? '') ?? null,
      categoria_id: categorias.get(categoria) ?? null,
    })
  }
}

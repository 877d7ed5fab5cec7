import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Database } from '../db/database.ts'
import { findEmpresa } from '../empresas/empresas.ts'
import { OperatorError } from '../errors.ts'
import { SYSTEM } from '../events/outbox.ts'
import { progressBar } from '../terminal.ts'
import { chooseMapeamento, discard, getImportacao, prepare, readyToImport } from './importacao.ts'
import type { Importacao, Preparada } from './schema.ts'

export interface FileOptions {
  empresa: string
  status?: 'pago' | 'em_aberto'
}

/** Every line of a file that is not there yet, or none. */
export async function importFile(
  db: Database,
  file: string,
  options: FileOptions,
): Promise<Importacao> {
  const { id: tenantId } = await findEmpresa(db, options.empresa)
  const bytes = await readFile(file).catch((error: Error) => {
    throw new OperatorError(`${file} cannot be read: ${error.message}`)
  })
  const id = await prepare(db, tenantId, SYSTEM, { nome: basename(file), bytes })
  try {
    const faults = await faultsOf(db, tenantId, id, options)
    if (faults) throw new OperatorError(faults)
    const bar = progressBar()
    const carryOut = await readyToImport(db, tenantId, id)
    return await carryOut(SYSTEM, ({ feitas, total }) => bar.show(feitas, total)).finally(bar.clear)
  } catch (error) {
    await db.write(tenantId, (tx) => discard(tx, id)).catch(() => {})
    throw error
  }
}

/** Why nothing can be imported, if it cannot: each line on one of its own. */
async function faultsOf(
  db: Database,
  tenantId: string,
  id: string,
  { status }: FileOptions,
): Promise<string | undefined> {
  const reader = db.reader(tenantId)
  let staged = (await getImportacao(reader, id)) as Preparada
  if (status && staged.mapeamento) {
    const mapeamento = { ...staged.mapeamento, status }
    await db.write(tenantId, (tx) => chooseMapeamento(tx, id, mapeamento))
    staged = (await getImportacao(reader, id)) as Preparada
  }
  const { conferencia, faltam, colunas } = staged
  if (!conferencia) {
    return `Não se sabe qual coluna é ${faltam.join(', ')}; há ${colunas.join(', ')}. Escolha as colunas uma vez na aplicação: para arquivos como este elas ficam lembradas. Nada foi importado.`
  }
  const { faltas, outras_faltas } = conferencia
  if (faltas.length === 0) return undefined
  return [
    ...faltas.map(({ linha, campo, mensagem }) => `linha ${linha}: ${campo}: ${mensagem}`),
    ...(outras_faltas > 0 ? [`… e mais ${outras_faltas}.`] : []),
    'Nada foi importado.',
  ].join('\n')
}

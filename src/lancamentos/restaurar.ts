import { categoriaExists } from '../categorias/categorias.ts'
import type { WriteTx } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import { type Author, recordEvent } from '../events/outbox.ts'
import { toCentavos } from '../http/money.ts'
import { nomeOfParceiro } from '../parceiros/parceiros.ts'
import { notFound, present } from './lancamentos.ts'
import { findDeleted } from './livro-queries.ts'
import { findLancamento, reinsertLancamento } from './queries.ts'
import type { Lancamento } from './schema.ts'

/**
 * Puts an entry back as it was when it was last deleted, with its id and the moment it was made. What it
 * pointed to may have gone meanwhile: then it points to nothing.
 */
export async function restoreLancamento(tx: WriteTx, by: Author, id: string): Promise<Lancamento> {
  if (await findLancamento(tx, id)) throw new ApiError('lancamento-not-deleted')
  const deleted = await findDeleted(tx, id)
  if (deleted === undefined) throw notFound()
  const { lancamento: was } = JSON.parse(deleted) as { lancamento: Lancamento }
  const { parceiro_id, categoria_id } = was
  const parceiro = parceiro_id === null ? undefined : await nomeOfParceiro(tx, parceiro_id)
  const categoria = categoria_id !== null && (await categoriaExists(tx, categoria_id))
  const row = {
    ...was,
    valor: toCentavos(was.valor),
    juros: toCentavos(was.juros),
    desconto: toCentavos(was.desconto),
    parceiro_id: parceiro === undefined ? null : parceiro_id,
    categoria_id: categoria ? categoria_id : null,
  }
  const item = present(await reinsertLancamento(tx, row))
  recordEvent(tx, by, 'lancamento.created', item)
  return item
}

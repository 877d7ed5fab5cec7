import type { Tx } from '../db/database.ts'
import { toCentavos, toReais } from '../http/money.ts'
import type { Draft, Reading } from './entries.ts'
import { listExisting, listKnown, listLinesOfFile } from './queries.ts'
import type { Conferencia, Prevista } from './schema.ts'

const FAULTS_SHOWN = 200
const ENTRIES_SHOWN = 100

/** The lines that are not there yet, and how many are. */
export async function newOnes(tx: Tx, drafts: Draft[], sha256: Buffer) {
  const known = await listKnown(
    tx,
    drafts.map(({ chave }) => chave),
  )
  const ofFile = await listLinesOfFile(tx, sha256)
  const exported = await listExisting(
    tx,
    drafts.flatMap(({ id }) => (id === null ? [] : [id])),
  )
  const novas = drafts.filter(({ chave, linha, id }) => {
    if (known.has(chave) || ofFile.has(linha) || exported.has(id)) return false
    // A statement may hold a transaction twice.
    known.add(chave)
    return true
  })
  return { novas, repetidas: drafts.length - novas.length }
}

/** What would come of the lines if they were imported now. */
export async function judge(tx: Tx, reading: Reading, sha256: Buffer): Promise<Conferencia> {
  const { drafts, faltas, avisos } = reading
  const { novas, repetidas } = await newOnes(tx, drafts, sha256)
  const isNew = new Set(novas)
  const receitas = sum(novas, 'receita')
  const despesas = sum(novas, 'despesa')
  return {
    novas: novas.length,
    repetidas,
    com_falta: new Set(faltas.map(({ linha }) => linha)).size,
    faltas: faltas.slice(0, FAULTS_SHOWN),
    outras_faltas: Math.max(0, faltas.length - FAULTS_SHOWN),
    avisos: avisos.slice(0, FAULTS_SHOWN),
    previa: drafts.slice(0, ENTRIES_SHOWN).map((draft) => preview(draft, !isNew.has(draft))),
    somas: {
      receitas: toReais(receitas),
      despesas: toReais(despesas),
      saldo: toReais(receitas - despesas),
    },
  }
}

/** As everywhere: what was cancelled counts for nothing, and what was paid by what was paid. */
function sum(drafts: Draft[], tipo: 'receita' | 'despesa'): bigint {
  let centavos = 0n
  for (const { body } of drafts) {
    if (body.tipo !== tipo || body.status === 'cancelado') continue
    centavos += toCentavos(body.valor)
    if (body.status === 'pago') {
      centavos += toCentavos(body.juros ?? 0) - toCentavos(body.desconto ?? 0)
    }
  }
  return centavos
}

function preview({ linha, body, categoria }: Draft, repetida: boolean): Prevista {
  return {
    linha,
    repetida,
    data: body.data,
    vencimento: body.vencimento ?? body.data,
    descricao: body.descricao,
    tipo: body.tipo,
    valor: body.valor,
    status: body.status ?? 'em_aberto',
    contraparte: body.contraparte ?? null,
    centro_custo: body.centro_custo ?? null,
    categoria,
  }
}

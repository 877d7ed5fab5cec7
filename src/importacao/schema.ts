import { type Static, Type } from 'typebox'
import { Enum, Exactly, Text } from '../http/schemas.ts'
import { CAMPOS, type Campo, MAX_COLUNAS } from './limits.ts'

const coluna = Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_COLUNAS - 1 }))
const colunas = Object.fromEntries(CAMPOS.map((campo) => [campo, coluna])) as Record<
  Campo,
  typeof coluna
>

/** Which column is what, from 0, and what no column says. */
export const Mapeamento = Exactly({
  colunas: Exactly(colunas),
  ordem_data: Enum(['dia-mes', 'mes-dia']),
  /** Of lines that do not say theirs. */
  status: Enum(['pago', 'em_aberto']),
})
export type Mapeamento = Static<typeof Mapeamento>
export type Colunas = Mapeamento['colunas']

export const NovaImportacao = Exactly({
  nome: Text(1, 300),
  /** The file's bytes, in base64. */
  conteudo: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
})

export const MapeamentoPatch = Exactly({ mapeamento: Mapeamento })

/** What is known of every import. */
export interface Importacao {
  id: string
  nome: string
  formato: 'csv' | 'ofx'
  estado: 'preparada' | 'importada'
  linhas: number
  importadas: number | null
  repetidas: number | null
  /** Who brought the file; null: an operator, from the shell. */
  por: string | null
  criado_em: string
  importada_em: string | null
}

/** Why a line cannot be imported. */
export interface Falta {
  linha: number
  campo: string
  mensagem: string
}

/** A line that is left out, and why. */
export interface Aviso {
  linha: number
  mensagem: string
}

/** An entry as it would be created. */
export interface Prevista {
  linha: number
  /** It was imported before, and is left out. */
  repetida: boolean
  data: string
  vencimento: string
  descricao: string
  tipo: 'receita' | 'despesa' | 'transferencia'
  valor: number
  status: 'em_aberto' | 'pago' | 'cancelado'
  contraparte: string | null
  centro_custo: string | null
  categoria: string | null
}

/** What would happen if it were confirmed now. */
export interface Conferencia {
  novas: number
  repetidas: number
  com_falta: number
  /** The first of them, and how many more there are. */
  faltas: Falta[]
  outras_faltas: number
  avisos: Aviso[]
  previa: Prevista[]
  /** Of the new ones. */
  somas: { receitas: number; despesas: number; saldo: number }
}

/** A prepared file with what is to be decided; of one that was imported nothing is left of this. */
export interface Preparada extends Importacao {
  /** Of OFX there are none. */
  colunas: string[]
  amostra: string[][]
  mapeamento: Mapeamento | null
  /** What has to be mapped before anything can be told. */
  faltam: string[]
  conferencia: Conferencia | null
  /** When the very same file was imported before. */
  ja_importada_em: string | null
}

/** A line of the answer while it is carried out; the last one is an item or an error. */
export type Progresso =
  | { feitas: number; total: number }
  | { item: Importacao }
  | { error: string; detail: string }

import { type Static, Type } from 'typebox'
import { Enum, Exactly, Id, Instant, Nullable, PAGE, Text } from '../http/schemas.ts'

const TIPOS = ['cliente', 'fornecedor', 'ambos'] as const

const nome = Text(1, 200, {
  description: 'Nome ou razão social.',
  examples: ['Padaria Bom Dia Ltda'],
})
const tipo = Enum(TIPOS, { description: 'Cliente, fornecedor ou ambos.' })
const documento = Nullable(Type.String({ format: 'documento' }), {
  description:
    'CPF ou CNPJ, também alfanumérico, com ou sem pontuação; guardado sem ela. Único na empresa.',
  examples: ['11222333000181'],
})
const email = Nullable(Text(3, 254, { pattern: '^[^\\s@]+@[^\\s@]+$' }), {
  description: 'Endereço de e-mail.',
  examples: ['contato@exemplo.com.br'],
})
const telefone = Nullable(Text(1, 50), {
  description: 'Telefone.',
  examples: ['+55 11 91234-5678'],
})
const ativo = Type.Boolean({ description: 'Se o parceiro está em uso.' })
const observacoes = Nullable(Text(0, 5000), { description: 'Observações.' })

const readOnly = { id: Id(), criado_em: Instant(), atualizado_em: Instant() }

export const Parceiro = Exactly(
  {
    id: readOnly.id,
    nome,
    tipo,
    documento,
    email,
    telefone,
    ativo,
    observacoes,
    criado_em: readOnly.criado_em,
    atualizado_em: readOnly.atualizado_em,
  },
  {
    $id: 'Parceiro',
    title: 'Parceiro',
    examples: [
      {
        id: '019ef8a1-7b3c-7c2d-9a54-3f6f0c1d2e4b',
        nome: 'Padaria Bom Dia Ltda',
        tipo: 'cliente',
        documento: '11222333000181',
        email: 'contato@exemplo.com.br',
        telefone: null,
        ativo: true,
        observacoes: null,
        criado_em: '2026-06-22T14:03:07.123Z',
        atualizado_em: '2026-06-22T14:03:07.123Z',
      },
    ],
  },
)
export type Parceiro = Static<typeof Parceiro>

export const NewParceiro = Exactly(
  {
    nome,
    tipo: Type.Optional(Nullable(tipo, { default: 'cliente' })),
    documento: Type.Optional(documento),
    email: Type.Optional(email),
    telefone: Type.Optional(telefone),
    ativo: Type.Optional(Nullable(ativo, { default: true })),
    observacoes: Type.Optional(observacoes),
  },
  {
    examples: [
      { nome: 'Padaria Bom Dia Ltda', documento: '11.222.333/0001-81', tipo: 'cliente' },
      { nome: 'Maria Souza', documento: '529.982.247-25', email: 'maria@exemplo.com.br' },
    ],
  },
)
export type NewParceiro = Static<typeof NewParceiro>

export const ParceiroPatch = Exactly(
  {
    nome: Type.Optional(nome),
    tipo: Type.Optional(tipo),
    documento: Type.Optional(documento),
    email: Type.Optional(email),
    telefone: Type.Optional(telefone),
    ativo: Type.Optional(ativo),
    observacoes: Type.Optional(observacoes),
    id: Type.Optional(readOnly.id),
    criado_em: Type.Optional(readOnly.criado_em),
    atualizado_em: Type.Optional(readOnly.atualizado_em),
  },
  { minProperties: 1, examples: [{ ativo: false }, { telefone: null, tipo: 'ambos' }] },
)
export type ParceiroPatch = Static<typeof ParceiroPatch>

export const ParceiroFilter = Exactly({
  tipo: Type.Optional(Enum(TIPOS, { examples: ['cliente'] })),
  ativo: Type.Optional(Type.Boolean({ description: 'true, false, 1 ou 0.', examples: [true] })),
  ...PAGE,
})
export type ParceiroFilter = Static<typeof ParceiroFilter>

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'

export const ParceiroBusca = Exactly({
  ...ParceiroFilter.properties,
  busca: Type.Optional(Text(1, 200)),
  /** Just these, with commas in between: who shows records that name partners asks for all at once. */
  ids: Type.Optional(Type.String({ pattern: `^${UUID}(,${UUID}){0,99}$` })),
})
export type ParceiroBusca = Static<typeof ParceiroBusca>

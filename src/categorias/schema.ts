import { type Static, Type } from 'typebox'
import { Exactly, Id, Instant, Nullable, PAGE, Text } from '../http/schemas.ts'

const nome = Text(1, 200, {
  description: 'Nome, único no seu nível sem distinção de maiúsculas.',
  examples: ['Marketing'],
})

const areaId = Nullable(Id(), { description: 'A área de uma subcategoria; null em uma área.' })
const readOnly = { id: Id(), criado_em: Instant(), atualizado_em: Instant() }

export const Categoria = Exactly(
  {
    id: readOnly.id,
    nome,
    area_id: areaId,
    criado_em: readOnly.criado_em,
    atualizado_em: readOnly.atualizado_em,
  },
  {
    $id: 'Categoria',
    title: 'Categoria',
    examples: [
      {
        id: '019ef8a1-7b3c-7c2d-9a54-3f6f0c1d2e4b',
        nome: 'Marketing',
        area_id: null,
        criado_em: '2026-06-22T14:03:07.123Z',
        atualizado_em: '2026-06-22T14:03:07.123Z',
      },
    ],
  },
)
export type Categoria = Static<typeof Categoria>

export const NewCategoria = Exactly(
  {
    nome,
    area_id: Type.Optional(
      Type.Null({ description: 'Sempre null: subcategorias são criadas no aplicativo.' }),
    ),
  },
  { examples: [{ nome: 'Marketing' }] },
)

export const NewSubcategoria = Exactly({ nome })

export const CategoriaPatch = Exactly(
  {
    nome: Type.Optional(nome),
    area_id: Type.Optional(areaId),
    id: Type.Optional(readOnly.id),
    criado_em: Type.Optional(readOnly.criado_em),
    atualizado_em: Type.Optional(readOnly.atualizado_em),
  },
  { minProperties: 1 },
)
export type CategoriaPatch = Static<typeof CategoriaPatch>

export const CategoriaFilter = Exactly(PAGE)
export type CategoriaFilter = Static<typeof CategoriaFilter>

import { type Static, Type } from 'typebox'
import { Exactly, Id, Instant, Nullable, PAGE, Text } from '../http/schemas.ts'

const nome = Text(1, 200, {
  description: 'Nome, único no seu nível sem distinção de maiúsculas.',
  examples: ['Marketing'],
})

export const Categoria = Exactly(
  {
    id: Id(),
    nome,
    area_id: Nullable(Id(), { description: 'A área de uma subcategoria; null em uma área.' }),
    criado_em: Instant(),
    atualizado_em: Instant(),
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

export const CategoriaFilter = Exactly(PAGE)
export type CategoriaFilter = Static<typeof CategoriaFilter>

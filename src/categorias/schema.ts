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
  { $id: 'Categoria', title: 'Categoria' },
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

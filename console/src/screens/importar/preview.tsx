import type { Prevista } from '../../../../src/importacao/schema.ts'
import { count, day, reais } from '../../lib/format.ts'
import { SITUACAO_WORDS, TIPO_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Cell, Sheet } from './sheet.tsx'

/** What few files have is shown where the file has it. */
const MORE = [
  ['contraparte', 'Contraparte'],
  ['categoria', 'Categoria'],
  ['centro_custo', 'Centro de custo'],
] as const

/** The first entries, as they would be. */
export function Preview({ previa, total }: { previa: Prevista[]; total: number }) {
  const more = MORE.filter(([campo]) => previa.some((entry) => entry[campo] !== null))
  const heads = [
    { name: 'Linha', number: true },
    ...['Data', 'Descrição', 'Tipo'].map((name) => ({ name })),
    { name: 'Valor', number: true },
    ...['Situação', 'Vencimento', ...more.map(([, name]) => name)].map((name) => ({ name })),
  ]
  const lead =
    previa.length < total
      ? `As primeiras ${count(previa.length)} de ${count(total)} linhas, como ficarão.`
      : 'Como as linhas ficarão.'
  return (
    <Card title="Prévia" lead={lead}>
      <Sheet label="Prévia dos lançamentos" heads={heads}>
        {previa.map((entry) => (
          <tr key={entry.linha} className={entry.repetida ? 'text-soft' : ''}>
            <Cell number>{entry.linha}</Cell>
            <Cell>{day(entry.data)}</Cell>
            <Cell wide>
              {entry.descricao} {entry.repetida && <Badge>Já importada</Badge>}
            </Cell>
            <Cell>{TIPO_WORDS[entry.tipo]}</Cell>
            <Cell number>{reais(entry.valor)}</Cell>
            <Cell>{SITUACAO_WORDS[entry.status].name}</Cell>
            <Cell>{day(entry.vencimento)}</Cell>
            {more.map(([campo]) => (
              <Cell key={campo} wide>
                {entry[campo]}
              </Cell>
            ))}
          </tr>
        ))}
      </Sheet>
    </Card>
  )
}

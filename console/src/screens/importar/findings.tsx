import type { ReactNode } from 'react'
import type { Conferencia, Prevista } from '../../../../src/importacao/schema.ts'
import { count, counted, day, reais } from '../../lib/format.ts'
import { SITUACAO_WORDS, TIPO_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Cell, Sheet } from './sheet.tsx'
import { campoName } from './words.ts'

/** What would come of the file: figures, faults by line, and the entries themselves. */
export function Findings({ conferencia }: { conferencia: Conferencia }) {
  const { novas, repetidas, com_falta, avisos, previa, somas } = conferencia
  const nothing = novas === 0 && com_falta === 0
  return (
    <>
      <Card title="O que será importado">
        <p role="status" className="sr-only">
          {count(novas)} a importar, {count(repetidas)} já importadas, {count(com_falta)} com falta.
        </p>
        <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          <Figure name="A importar">{count(novas)}</Figure>
          <Figure name="Já importadas">{count(repetidas)}</Figure>
          <Figure name="Com falta">
            <span className={com_falta > 0 ? 'text-bad' : ''}>{count(com_falta)}</span>
          </Figure>
          <Figure name="Receitas">{reais(somas.receitas)}</Figure>
          <Figure name="Despesas">{reais(somas.despesas)}</Figure>
          <Figure name="Saldo">{reais(somas.saldo)}</Figure>
        </dl>
        {nothing && (
          <Notice>
            <p>
              {repetidas > 0
                ? 'Tudo o que está neste arquivo já foi importado.'
                : 'Nenhuma linha deste arquivo tem o que importar.'}
            </p>
          </Notice>
        )}
        {avisos.length > 0 && (
          <Notice>
            <p>
              {counted(avisos.length, 'linha fica', 'linhas ficam')} de fora porque o valor é zero:{' '}
              {avisos.map(({ linha }) => linha).join(', ')}.
            </p>
          </Notice>
        )}
      </Card>
      {com_falta > 0 && <Faults conferencia={conferencia} />}
      {previa.length > 0 && <Preview previa={previa} total={novas + repetidas} />}
    </>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-0.5 rounded-lg bg-sunken px-3 py-2">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="text-lg font-semibold tabular-nums wrap-anywhere">{children}</dd>
    </div>
  )
}

function Faults({
  conferencia: { faltas, outras_faltas, com_falta },
}: {
  conferencia: Conferencia
}) {
  return (
    <Card title="O que precisa ser corrigido">
      <Notice tone="bad" title={`${counted(com_falta, 'linha tem', 'linhas têm')} falta`}>
        <p>
          Nada é importado enquanto houver faltas. Corrija o arquivo e envie-o de novo; se a coluna
          não é o que parece, mude-a acima.
        </p>
      </Notice>
      <Sheet label="Faltas por linha" heads={['Linha', 'Campo', 'O que há']}>
        {faltas.map(({ linha, campo, mensagem }) => (
          <tr key={`${linha} ${campo} ${mensagem}`}>
            <Cell number>{linha}</Cell>
            <Cell>{campoName(campo)}</Cell>
            <Cell wide>{mensagem}</Cell>
          </tr>
        ))}
      </Sheet>
      {outras_faltas > 0 && <p className="text-sm">E mais {count(outras_faltas)}.</p>}
    </Card>
  )
}

const HEADS = [
  'Linha',
  'Data',
  'Descrição',
  'Tipo',
  'Valor',
  'Situação',
  'Vencimento',
  'Contraparte',
]
const MORE = ['Categoria', 'Centro de custo']

function Preview({ previa, total }: { previa: Prevista[]; total: number }) {
  const lead =
    previa.length < total
      ? `As primeiras ${count(previa.length)} de ${count(total)} linhas, como ficarão.`
      : 'Como ficarão.'
  return (
    <Card title="Prévia" lead={lead}>
      <Sheet label="Prévia dos lançamentos" heads={[...HEADS, ...MORE]}>
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
            <Cell wide>{entry.contraparte}</Cell>
            <Cell wide>{entry.categoria}</Cell>
            <Cell wide>{entry.centro_custo}</Cell>
          </tr>
        ))}
      </Sheet>
    </Card>
  )
}

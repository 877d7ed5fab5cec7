import type { ReactNode } from 'react'
import type { Conferencia } from '../../../../src/importacao/schema.ts'
import { count, counted, reais, sentence } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Preview } from './preview.tsx'
import { Cell, Sheet } from './sheet.tsx'
import { campoName } from './words.ts'

/** What would come of the file: figures, faults by line, and the entries themselves. */
export function Findings({ conferencia }: { conferencia: Conferencia }) {
  const { novas, repetidas, com_falta, avisos, previa, somas } = conferencia
  const told = avisos.slice(0, 20).map(({ linha }) => linha)
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
          <Figure name="Com erro">
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
              {told.join(', ')}
              {told.length < avisos.length ? '…' : '.'}
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
      <Notice tone="bad" title={counted(com_falta, 'linha com erro', 'linhas com erros')}>
        <p>
          Nada é importado enquanto houver erros. Corrija o arquivo e envie-o de novo; se a coluna
          não é o que parece, mude-a acima.
        </p>
      </Notice>
      <Sheet label="Erros por linha" heads={FAULT_HEADS}>
        {faltas.map(({ linha, campo, mensagem }) => (
          <tr key={`${linha} ${campo} ${mensagem}`}>
            <Cell number>{linha}</Cell>
            <Cell>{campoName(campo)}</Cell>
            <Cell wide>{sentence(mensagem)}</Cell>
          </tr>
        ))}
      </Sheet>
      {outras_faltas > 0 && <p className="text-sm">E mais {count(outras_faltas)}.</p>}
    </Card>
  )
}

const FAULT_HEADS = [
  { name: 'Linha', number: true },
  { name: 'Campo' },
  { name: 'O que há de errado' },
]

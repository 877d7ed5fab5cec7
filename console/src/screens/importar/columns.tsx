import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CAMPOS, type Campo } from '../../../../src/importacao/limits.ts'
import type { Colunas, Mapeamento, Preparada } from '../../../../src/importacao/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { chooseColumns, importacaoQuery } from '../../api/importacoes.ts'
import { Card } from '../../ui/card.tsx'
import { FailureNotice } from '../../ui/failure.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CAMPO_WORDS, campoName } from './words.ts'

/** What each column of the file is. Each choice is judged at once, and remembered for such files. */
export function Columns({ item, mapeamento }: { item: Preparada; mapeamento: Mapeamento }) {
  const { id } = useEmpresa()
  const client = useQueryClient()
  const [chosen, setChosen] = useState(mapeamento)
  const saving = useMutation({
    mutationFn: (next: Mapeamento) => chooseColumns(id, item.id, next),
    // One after the other, so that the last choice is the last to arrive.
    scope: { id: `importacao-${item.id}` },
    onSuccess: (answer) => client.setQueryData(importacaoQuery(id, item.id).queryKey, answer),
  })

  function choose(next: Mapeamento) {
    setChosen(next)
    saving.mutate(next)
  }

  function assign(column: number, campo: string) {
    const kept = Object.entries(chosen.colunas).filter(
      ([name, i]) => i !== column && name !== campo,
    )
    const colunas: Colunas = Object.fromEntries(kept)
    if (campo !== '') colunas[campo as Campo] = column
    choose({ ...chosen, colunas })
  }

  return (
    <Card
      title="O que é cada coluna"
      lead="Sua escolha fica lembrada para os próximos arquivos com estas colunas."
    >
      <ul className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
        {item.colunas.map((coluna, column) => (
          <li key={column} className="min-w-0">
            <SelectField
              label={coluna}
              value={campoOf(chosen.colunas, column)}
              onChange={(campo) => assign(column, campo)}
              hint={<Sample cells={item.amostra.map((row) => row[column] ?? '')} />}
            >
              <option value="">Não importar</option>
              {CAMPOS.map((campo) => (
                <option key={campo} value={campo}>
                  {CAMPO_WORDS[campo]}
                </option>
              ))}
            </SelectField>
          </li>
        ))}
      </ul>
      <div className="grid gap-x-6 gap-y-4 border-t border-line pt-4 sm:grid-cols-2 lg:grid-cols-3">
        <SelectField
          label="Ordem das datas"
          value={chosen.ordem_data}
          onChange={(ordem) => choose({ ...chosen, ordem_data: ordem as Mapeamento['ordem_data'] })}
        >
          <option value="dia-mes">Dia antes do mês (22/06/2026)</option>
          <option value="mes-dia">Mês antes do dia (06/22/2026)</option>
        </SelectField>
        <SelectField
          label="Linhas sem situação entram como"
          value={chosen.status}
          onChange={(status) => choose({ ...chosen, status: status as Mapeamento['status'] })}
        >
          <option value="pago">Pagas</option>
          <option value="em_aberto">Em aberto</option>
        </SelectField>
      </div>
      <FailureNotice failure={saving.error} retry={() => saving.mutate(chosen)} />
      {item.faltam.length > 0 && (
        <Notice tone="warn">
          <p>Falta dizer que coluna tem: {item.faltam.map(campoName).join(', ')}.</p>
        </Notice>
      )}
    </Card>
  )
}

function campoOf(colunas: Colunas, column: number): string {
  return CAMPOS.find((campo) => colunas[campo] === column) ?? ''
}

function Sample({ cells }: { cells: string[] }) {
  const shown = [...new Set(cells)].filter((cell) => cell !== '').slice(0, 3)
  return (
    <span className="line-clamp-2 wrap-anywhere">
      {shown.length > 0 ? `Por exemplo: ${shown.join(' · ')}` : 'Vazia nas primeiras linhas'}
    </span>
  )
}

import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Importacao } from '../../../../src/importacao/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { counted } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { buttonLook } from '../../ui/look.ts'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'

interface Props {
  item: Importacao
  /** It was imported just now: whoever waited is led here. */
  focused: boolean
}

export function Result({ item, focused }: Props) {
  const { id } = useEmpresa()
  const told = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focused) told.current?.focus()
  }, [focused])
  const repetidas = item.repetidas ?? 0
  return (
    <Card title={item.nome}>
      <div ref={told} tabIndex={-1}>
        <Notice
          tone="good"
          title={`${counted(item.importadas ?? 0, 'lançamento importado', 'lançamentos importados')}.`}
        >
          {repetidas > 0 && (
            <p>{counted(repetidas, 'linha já estava lá', 'linhas já estavam lá')}.</p>
          )}
          {item.importada_em && (
            <p>
              Em <Moment at={item.importada_em} />
              {item.por && `, por ${item.por}`}.
            </p>
          )}
        </Notice>
      </div>
      <div className="flex flex-wrap gap-3">
        <Link to="/e/$empresa/lancamentos" params={{ empresa: id }} className={buttonLook('main')}>
          Ver os lançamentos
        </Link>
        <Link
          to="/e/$empresa/lancamentos/importar"
          params={{ empresa: id }}
          className={buttonLook()}
        >
          Importar outro arquivo
        </Link>
      </div>
    </Card>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Chave, chavesQuery, revokeChave } from '../../api/chaves.ts'
import { useEmpresa } from '../../api/eu.ts'
import { lastDay } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Row } from '../../ui/rows.tsx'
import { toast } from '../../ui/toasts.tsx'

export function ChaveRow({ chave }: { chave: Chave }) {
  const { id, fuso_horario } = useEmpresa()
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const expired = chave.expira_em !== null && Date.parse(chave.expira_em) <= Date.now()
  const name = chave.nome ?? 'Sem nome'
  return (
    <Row
      actions={
        !chave.revogada_em && (
          <Button kind="danger" onClick={() => setOpen(true)} aria-label={`Revogar ${name}`}>
            Revogar
          </Button>
        )
      }
    >
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {name}
        {chave.revogada_em ? (
          <Badge tone="bad">Revogada</Badge>
        ) : expired ? (
          <Badge tone="warn">Expirada</Badge>
        ) : (
          <Badge tone="good">Ativa</Badge>
        )}
      </p>
      <p className="text-sm text-soft">
        Termina em <code className="font-mono">{chave.final}</code>, criada em{' '}
        <Moment at={chave.criado_em} />
        {chave.expira_em && <>, vale até o fim de {lastDay(chave.expira_em, fuso_horario)}</>}
        {chave.revogada_em && (
          <>
            , revogada em <Moment at={chave.revogada_em} />
          </>
        )}
      </p>
      <p className="text-sm">
        {chave.usada_em ? (
          <>
            Último uso: <Moment at={chave.usada_em} />
          </>
        ) : (
          'Nunca usada'
        )}
      </p>
      <ul aria-label="Escopos" className="flex flex-wrap gap-1.5">
        {chave.scopes.map((scope) => (
          <li key={scope}>
            <Badge>{scope}</Badge>
          </li>
        ))}
      </ul>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={`Revogar a chave ${name}?`}
        act="Revogar"
        onConfirm={async () => {
          await revokeChave(id, chave.id)
          await queryClient.invalidateQueries({ queryKey: chavesQuery(id).queryKey })
          toast('Chave revogada.')
        }}
      >
        Os programas que usam a chave que termina em {chave.final} deixam de ser atendidos em até um
        segundo. Não há como voltar atrás.
      </Confirm>
    </Row>
  )
}

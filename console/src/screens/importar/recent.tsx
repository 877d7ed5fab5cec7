import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Importacao } from '../../../../src/importacao/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { discardFile, importacoesQuery } from '../../api/importacoes.ts'
import { counted } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { buttonLook, linkLook } from '../../ui/look.ts'
import { Moment } from '../../ui/moment.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { toast } from '../../ui/toasts.tsx'

/** What was imported lately, and what still waits. */
export function Recent() {
  const { id } = useEmpresa()
  const query = useQuery(importacoesQuery(id))
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length > 0 && (
          <section className="grid gap-3">
            <h2 className="text-lg font-semibold">Últimos arquivos</h2>
            <Rows label="Últimos arquivos">
              {items.map((item) => (
                <RecentRow key={item.id} item={item} />
              ))}
            </Rows>
          </section>
        )
      }
    </Loaded>
  )
}

function RecentRow({ item }: { item: Importacao }) {
  const { id } = useEmpresa()
  const client = useQueryClient()
  const discarding = useMutation({
    mutationFn: () => discardFile(id, item.id),
    onSuccess: () => {
      toast('O arquivo foi descartado.')
      return client.invalidateQueries(importacoesQuery(id))
    },
  })
  const waits = item.estado === 'preparada'
  const open = {
    to: '/e/$empresa/lancamentos/importar',
    params: { empresa: id },
    search: { importacao: item.id },
  } as const
  return (
    <Row
      actions={
        waits && (
          <>
            <Link {...open} className={buttonLook()}>
              Continuar<span className="sr-only"> com {item.nome}</span>
            </Link>
            <Button kind="quiet" pending={discarding.isPending} onClick={() => discarding.mutate()}>
              Descartar<span className="sr-only"> {item.nome}</span>
            </Button>
          </>
        )
      }
    >
      <p className="flex flex-wrap items-center gap-2">
        <Link {...open} className={`font-medium ${linkLook}`}>
          {item.nome}
        </Link>
        <Badge tone={waits ? 'warn' : 'good'}>{waits ? 'À espera' : 'Importado'}</Badge>
      </p>
      <p className="text-sm text-soft">
        {waits
          ? counted(item.linhas, 'linha', 'linhas')
          : `${counted(item.importadas ?? 0, 'lançamento', 'lançamentos')}, ${counted(item.repetidas ?? 0, 'já estava lá', 'já estavam lá')}`}
        , <Moment at={item.importada_em ?? item.criado_em} />
        {item.por && `, por ${item.por}`}
      </p>
      <FailureNotice failure={discarding.error} />
    </Row>
  )
}

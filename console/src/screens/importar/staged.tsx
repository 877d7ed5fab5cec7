import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Importacao, Preparada } from '../../../../src/importacao/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import {
  confirmFile,
  type Done,
  discardFile,
  importacaoQuery,
  importacoesKey,
} from '../../api/importacoes.ts'
import { counted } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FailureNotice } from '../../ui/failure.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { linkLook } from '../../ui/look.ts'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Columns } from './columns.tsx'
import { Findings } from './findings.tsx'
import { Result } from './result.tsx'

const route = getRouteApi('/e/$empresa/lancamentos/importar')

/** A file that was brought: what is in it, and then what came of it. */
export function Staged({ importacao }: { importacao: string }) {
  const { id } = useEmpresa()
  const [justDone, setJustDone] = useState(false)
  const query = useQuery(importacaoQuery(id, importacao))
  return (
    <>
      <Loaded query={query} lines={6}>
        {({ item }) =>
          'colunas' in item ? (
            <Prepared item={item} onDone={() => setJustDone(true)} />
          ) : (
            <Result item={item} focused={justDone} />
          )
        }
      </Loaded>
      {query.error?.status === 404 && (
        <p className="text-sm">
          Um arquivo à espera é esquecido depois de um dia.{' '}
          <route.Link to="." search={{}} className={linkLook}>
            Escolher um arquivo
          </route.Link>
        </p>
      )}
    </>
  )
}

function Prepared({ item, onDone }: { item: Preparada; onDone: () => void }) {
  const { id } = useEmpresa()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const [done, setDone] = useState<Done>()
  const { queryKey } = importacaoQuery(id, item.id)
  const importing = useMutation({
    mutationFn: () => confirmFile(id, item.id, setDone),
    onSuccess: (imported: Importacao) => {
      onDone()
      client.setQueryData(queryKey, { item: imported })
      for (const shown of ['importacoes', 'lancamentos', 'painel']) {
        client.invalidateQueries({ queryKey: ['e', id, shown] })
      }
    },
    // Whether it was done after all, the server knows.
    onError: () => client.invalidateQueries({ queryKey }),
    onSettled: () => setDone(undefined),
  })
  const discarding = useMutation({
    mutationFn: () => discardFile(id, item.id),
    onSuccess: () => {
      client.removeQueries({ queryKey })
      client.invalidateQueries({ queryKey: importacoesKey(id) })
      return navigate({ search: {} })
    },
  })
  const { conferencia } = item
  const ready = conferencia && conferencia.com_falta === 0 && conferencia.novas > 0
  return (
    <>
      <Card
        title={item.nome}
        lead={`${item.formato.toUpperCase()}, ${counted(item.linhas, 'linha', 'linhas')}`}
        actions={
          <Button pending={discarding.isPending} onClick={() => discarding.mutate()}>
            Trocar de arquivo
          </Button>
        }
      >
        <FailureNotice failure={discarding.error} />
        {item.ja_importada_em && (
          <Notice>
            <p>
              Este mesmo arquivo já foi importado em <Moment at={item.ja_importada_em} />. Só entra
              o que ainda não está nos lançamentos.
            </p>
          </Notice>
        )}
      </Card>
      {item.mapeamento && <Columns item={item} mapeamento={item.mapeamento} />}
      {conferencia && <Findings conferencia={conferencia} />}
      <FailureNotice failure={importing.error} title="Não foi importado" />
      {importing.isPending ? (
        <Card>
          <Progress
            label="Importando"
            value={done?.feitas ?? 0}
            max={done?.total ?? conferencia?.novas ?? 0}
          />
        </Card>
      ) : (
        ready && (
          <div className="flex flex-wrap items-center gap-3">
            <Button kind="main" onClick={() => importing.mutate()}>
              Importar {counted(conferencia.novas, 'lançamento', 'lançamentos')}
            </Button>
            <p className="text-sm text-soft">Entram todos de uma vez, ou nenhum.</p>
          </div>
        )
      )}
    </>
  )
}

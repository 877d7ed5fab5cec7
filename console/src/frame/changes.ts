import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Mudancas } from '../../../src/eventos/schema.ts'
import { get } from '../api/call.ts'
import { useEmpresa } from '../api/eu.ts'

const EVERY_MS = 3_000

/** What is shown of each resource, by the third part of its query keys. */
const SHOWN: Record<string, string[]> = {
  lancamento: ['lancamentos', 'painel'],
  parceiro: ['parceiros'],
  categoria: ['categorias'],
  cobranca: ['cobrancas'],
}

/** What somebody else or a program has changed is fetched anew, while the page is looked at. */
export function useChanges(): void {
  const { id } = useEmpresa()
  const client = useQueryClient()
  const queryKey = ['e', id, 'mudancas']
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const seen = client.getQueryData<Mudancas>(queryKey)
      return get<Mudancas>(`/e/${id}/mudancas${seen ? `?desde=${seen.seq}` : ''}`, signal)
    },
    refetchInterval: EVERY_MS,
  })
  useEffect(() => {
    for (const shown of data?.recursos.flatMap((recurso) => SHOWN[recurso] ?? []) ?? []) {
      client.invalidateQueries({ queryKey: ['e', id, shown] })
    }
  }, [client, id, data])
}

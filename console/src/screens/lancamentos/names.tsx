import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { areasQuery } from '../../api/categorias.ts'
import { useEmpresa } from '../../api/eu.ts'
import { parceiroQuery } from '../../api/parceiros.ts'

export function ParceiroNome({ id }: { id: string }) {
  const { id: empresa } = useEmpresa()
  const { data, error } = useQuery(parceiroQuery(empresa, id))
  return data?.item.nome ?? (error ? 'desconhecido' : '…')
}

/** The name of each category by its id, that of a subcategory with its area's. */
export function useCategoriaNomes(): ReadonlyMap<string, string> {
  const { id } = useEmpresa()
  const { data } = useQuery(areasQuery(id))
  return useMemo(
    () =>
      new Map(
        data?.flatMap((area) => [
          [area.id, area.nome] as const,
          ...area.subcategorias.map((sub) => [sub.id, `${area.nome} › ${sub.nome}`] as const),
        ]),
      ),
    [data],
  )
}

export function CategoriaNome({ id }: { id: string }) {
  return useCategoriaNomes().get(id) ?? '…'
}

import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LancamentoFilter } from '../../../../src/lancamentos/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { linkLook } from '../../ui/look.ts'

/** The entries behind a figure, as their list is asked for them. */
export interface Entries
  extends Pick<LancamentoFilter, 'tipo' | 'status' | 'data_de' | 'data_ate' | 'centro_custo'> {
  vencimento_de?: string
  vencimento_ate?: string
}

interface Props {
  entries: Entries
  className?: string
  children: ReactNode
}

export function EntriesLink({ entries, className = linkLook, children }: Props) {
  const { id } = useEmpresa()
  return (
    <Link
      to="/e/$empresa/lancamentos"
      params={{ empresa: id }}
      search={entries}
      className={className}
    >
      {children}
    </Link>
  )
}

/** The same for what is drawn, and can be no link. */
export function useEntries() {
  const { id } = useEmpresa()
  const navigate = useNavigate()
  return (entries: Entries) =>
    navigate({ to: '/e/$empresa/lancamentos', params: { empresa: id }, search: entries })
}

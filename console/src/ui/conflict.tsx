import type { ReactNode } from 'react'
import { Failure } from '../api/call.ts'
import { Button } from './button.tsx'
import { DialogActions } from './dialog.tsx'
import { Notice } from './notice.tsx'

/** Whether a change was refused because the record is no longer as it was when its form was opened. */
export function isStale(error: unknown): boolean {
  return error instanceof Failure && error.errors.some(({ field }) => field === 'atualizado_em')
}

export interface ConflictField<T> {
  name: keyof T
  label: string
  /** Its value in words; nothing for one that is empty. */
  show: (version: T) => ReactNode
}

interface Props<T> {
  mine: T
  theirs: T
  fields: readonly ConflictField<T>[]
  pending?: boolean
  failure?: Failure | null
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Two people have changed one record: both versions where they differ, before either is lost. */
export function Conflict<T>({
  mine,
  theirs,
  fields,
  pending = false,
  failure = null,
  onKeepMine,
  onTakeTheirs,
}: Props<T>) {
  const differing = fields.filter(({ name }) => mine[name] !== theirs[name])
  return (
    <div className="grid gap-4">
      <Notice tone="warn" title="Isto foi alterado enquanto você editava">
        <p>
          {differing.length > 0
            ? 'Nada do que você fez foi gravado ainda. Compare as duas versões e escolha qual fica.'
            : 'Os campos deste formulário são iguais nas duas versões.'}
        </p>
      </Notice>
      {differing.length > 0 && (
        <table className="w-full table-fixed text-sm">
          <caption className="sr-only">Campos que diferem</caption>
          <thead className="text-left">
            <tr className="border-b border-line">
              <td className="w-1/4" />
              <th scope="col" className="p-2 font-semibold">
                A sua versão
              </th>
              <th scope="col" className="p-2 font-semibold">
                A versão gravada
              </th>
            </tr>
          </thead>
          <tbody>
            {differing.map(({ name, label, show }) => (
              <tr key={String(name)} className="border-b border-line align-top">
                <th scope="row" className="py-2 pr-2 text-left font-normal text-soft wrap-anywhere">
                  {label}
                </th>
                <Version>{show(mine)}</Version>
                <Version>{show(theirs)}</Version>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <DialogActions failure={failure}>
        <Button onClick={onTakeTheirs}>Ficar com a versão gravada</Button>
        <Button kind="main" pending={pending} onClick={onKeepMine}>
          Gravar a minha versão
        </Button>
      </DialogActions>
    </div>
  )
}

function Version({ children }: { children: ReactNode }) {
  return (
    <td className="p-2 font-medium whitespace-pre-wrap wrap-anywhere">
      {children || <span className="font-normal text-soft">vazio</span>}
    </td>
  )
}

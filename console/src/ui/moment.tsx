import { useEmpresa } from '../api/eu.ts'
import { moment, type Precision } from '../lib/format.ts'

/** An instant on the clock of the company whose screen it is. */
export function Moment({ at, precision }: { at: string; precision?: Precision }) {
  const { fuso_horario } = useEmpresa()
  return (
    <time dateTime={at} className="whitespace-nowrap tabular-nums">
      {moment(at, fuso_horario, precision)}
    </time>
  )
}

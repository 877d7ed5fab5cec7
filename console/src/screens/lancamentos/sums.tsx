import type { Livro } from '../../../../src/lancamentos/livro-schema.ts'
import { reais } from '../../lib/format.ts'

interface Props {
  label: string
  somas: Livro['somas'] | undefined
}

/** What entries amount to. Until it is known there is room for it. */
export function Sums({ label, somas }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing is filled in here.
    <div
      role="group"
      aria-label={label}
      className="flex flex-wrap items-baseline gap-x-5 text-sm tabular-nums"
    >
      <p className="w-full font-semibold sm:w-auto sm:min-w-32">{label}</p>
      <dl className="flex flex-wrap items-baseline gap-x-5">
        <Sum name="Receitas" value={somas?.receitas} ink="text-main" />
        <Sum name="Despesas" value={somas?.despesas} ink="text-bad" />
        <Sum name="Saldo" value={somas?.saldo} ink="font-semibold" />
      </dl>
    </div>
  )
}

function Sum({ name, value, ink }: { name: string; value: number | undefined; ink: string }) {
  return (
    <div className="flex items-baseline gap-1.5">
      <dt className="text-xs text-soft sm:text-sm">{name}</dt>
      <dd className={`text-xs sm:text-sm ${ink}`}>{value === undefined ? '…' : reais(value)}</dd>
    </div>
  )
}

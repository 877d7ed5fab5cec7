import type { Parceiro } from '../../../src/parceiros/schema.ts'
import { documento } from '../lib/format.ts'

export const optionId = (list: string, { id }: Parceiro) => `${list}-${id}`

interface Props {
  /** The id of the list. */
  list: string
  label: string
  items: Parceiro[]
  current: Parceiro | undefined
  onChoose: (parceiro: Parceiro) => void
}

/** The focus stays in the field, which names the current one and takes the keys. */
export function ParceiroOptions({ list, label, items, current, onChoose }: Props) {
  return (
    <div id={list} role="listbox" aria-label={label} className="min-h-0 overflow-y-auto">
      {items.map((parceiro) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
        <div
          key={parceiro.id}
          id={optionId(list, parceiro)}
          role="option"
          aria-selected={parceiro === current}
          ref={(element) => {
            if (parceiro === current) element?.scrollIntoView({ block: 'nearest' })
          }}
          onClick={() => onChoose(parceiro)}
          className="grid cursor-pointer rounded-lg px-3 py-2 wrap-anywhere hover:bg-sunken aria-selected:bg-main-tint"
        >
          {parceiro.nome}
          {parceiro.documento && <span className="text-soft">{documento(parceiro.documento)}</span>}
        </div>
      ))}
    </div>
  )
}

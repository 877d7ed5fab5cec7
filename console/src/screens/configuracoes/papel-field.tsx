import { PAPEIS, type Papel } from '../../../../src/usuarios/papeis.ts'
import { PAPEL_WORDS } from '../../lib/words.ts'
import { SelectField } from '../../ui/field.tsx'

interface Props {
  name: string
  value: Papel
  fault: string | undefined
  onChange: (value: Papel) => void
}

export function PapelField({ onChange, ...props }: Props) {
  return (
    <SelectField
      label="Papel"
      hint={PAPEL_WORDS[props.value].meaning}
      onChange={(papel) => onChange(papel as Papel)}
      {...props}
    >
      {PAPEIS.map((papel) => (
        <option key={papel} value={papel}>
          {PAPEL_WORDS[papel].name}
        </option>
      ))}
    </SelectField>
  )
}

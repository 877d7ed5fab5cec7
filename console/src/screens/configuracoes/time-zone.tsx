import { SelectField } from '../../ui/field.tsx'

const BRAZIL = [
  'America/Sao_Paulo',
  'America/Araguaina',
  'America/Bahia',
  'America/Belem',
  'America/Boa_Vista',
  'America/Campo_Grande',
  'America/Cuiaba',
  'America/Eirunepe',
  'America/Fortaleza',
  'America/Maceio',
  'America/Manaus',
  'America/Noronha',
  'America/Porto_Velho',
  'America/Recife',
  'America/Rio_Branco',
  'America/Santarem',
]
const ELSEWHERE = Intl.supportedValuesOf('timeZone').filter((zone) => !BRAZIL.includes(zone))

const nameOf = (zone: string) => zone.replaceAll('_', ' ')

interface Props {
  name: string
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

export function TimeZoneField(props: Props) {
  const unlisted = ![...BRAZIL, ...ELSEWHERE].includes(props.value)
  return (
    <SelectField
      label="Fuso horário"
      hint="Diz que dia é hoje para a empresa, e em que relógio os horários são mostrados."
      {...props}
    >
      {unlisted && <option value={props.value}>{nameOf(props.value)}</option>}
      <optgroup label="Brasil">
        {BRAZIL.map((zone) => (
          <option key={zone} value={zone}>
            {nameOf(zone)}
          </option>
        ))}
      </optgroup>
      <optgroup label="Outros lugares">
        {ELSEWHERE.map((zone) => (
          <option key={zone} value={zone}>
            {nameOf(zone)}
          </option>
        ))}
      </optgroup>
    </SelectField>
  )
}

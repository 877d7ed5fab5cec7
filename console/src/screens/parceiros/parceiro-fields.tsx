import { PARCEIRO_WORDS } from '../../lib/words.ts'
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx'
import { Options } from '../../ui/options.tsx'

export interface ParceiroValues {
  nome: string
  tipo: string
  documento: string
  email: string
  telefone: string
  observacoes: string
}

interface Bound {
  name: string
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

export function ParceiroFields({ bind }: { bind: (name: keyof ParceiroValues) => Bound }) {
  return (
    <>
      <TextField
        label="Nome ou razão social"
        maxLength={200}
        autoComplete="off"
        {...bind('nome')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Tipo" {...bind('tipo')}>
          <Options words={PARCEIRO_WORDS} />
        </SelectField>
        <TextField
          label="CPF ou CNPJ (opcional)"
          maxLength={30}
          autoComplete="off"
          spellCheck={false}
          {...bind('documento')}
        />
        <TextField
          label="E-mail (opcional)"
          type="email"
          maxLength={254}
          autoComplete="off"
          {...bind('email')}
        />
        <TextField
          label="Telefone (opcional)"
          type="tel"
          maxLength={50}
          autoComplete="off"
          {...bind('telefone')}
        />
      </div>
      <TextAreaField
        label="Observações (opcional)"
        rows={3}
        maxLength={5000}
        {...bind('observacoes')}
      />
    </>
  )
}

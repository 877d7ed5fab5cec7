import { Link } from '@tanstack/react-router'
import { useEu } from '../api/eu.ts'
import { counted } from '../lib/format.ts'
import { PAPEL_WORDS } from '../lib/words.ts'
import { Doorstep } from '../ui/doorstep.tsx'
import { Icon } from '../ui/icon.tsx'

export function Empresas() {
  const { nome, empresas } = useEu()
  if (empresas.length === 0) {
    return (
      <Doorstep
        title={`Olá, ${nome}`}
        lead="Você ainda não participa de nenhuma empresa. Peça a um administrador que convide você, com o e-mail que usa aqui."
      >
        {null}
      </Doorstep>
    )
  }
  return (
    <Doorstep
      title={`Olá, ${nome}`}
      lead={`Você participa de ${counted(empresas.length, 'empresa', 'empresas')}. Em qual quer entrar?`}
    >
      <ul className="grid gap-2">
        {empresas.map((empresa) => (
          <li key={empresa.id}>
            <Link
              to="/e/$empresa"
              params={{ empresa: empresa.id }}
              className="flex items-center gap-3 rounded-lg border border-line p-3 hover:bg-sunken"
            >
              <Icon name="company" />
              <span className="grid min-w-0 grow">
                <span className="font-medium wrap-anywhere">{empresa.nome}</span>
                <span className="text-sm text-soft">{PAPEL_WORDS[empresa.papel].name}</span>
              </span>
              <Icon name="right" />
            </Link>
          </li>
        ))}
      </ul>
    </Doorstep>
  )
}

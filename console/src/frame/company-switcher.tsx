import { useNavigate } from '@tanstack/react-router'
import { useEmpresa, useEu } from '../api/eu.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu, MenuChoice } from '../ui/menu.tsx'

const look =
  'flex min-h-10 w-full min-w-0 items-center gap-2 rounded-lg px-2 py-1.5 text-left text-sm font-semibold'

export function CompanySwitcher() {
  const { empresas } = useEu()
  const { id, nome } = useEmpresa()
  const navigate = useNavigate()
  const name = <span className="min-w-0 grow truncate">{nome}</span>
  if (empresas.length === 1) {
    return (
      <p className={look}>
        <Icon name="company" />
        {name}
      </p>
    )
  }
  return (
    <Menu
      align="start"
      label={`Empresa: ${nome}. Trocar de empresa`}
      className={`${look} border border-line hover:bg-sunken`}
      trigger={
        <>
          <Icon name="company" />
          {name}
          <Icon name="down" className="size-4" />
        </>
      }
    >
      <MenuChoice
        label="Empresa"
        value={id}
        options={empresas.map((empresa) => ({ value: empresa.id, name: empresa.nome }))}
        onChange={(empresa) => navigate({ to: '/e/$empresa', params: { empresa } })}
      />
    </Menu>
  )
}

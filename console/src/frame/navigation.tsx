import { Link, type LinkProps } from '@tanstack/react-router'
import { useEmpresa } from '../api/eu.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

interface Entry {
  to: NonNullable<LinkProps['to']>
  name: string
  icon: IconName
}

const GROUPS: { title?: string; entries: Entry[] }[] = [
  { entries: [{ to: '/e/$empresa', name: 'Painel', icon: 'home' }] },
  {
    title: 'Finanças',
    entries: [
      { to: '/e/$empresa/lancamentos', name: 'Lançamentos', icon: 'list' },
      { to: '/e/$empresa/cobrancas', name: 'Cobranças', icon: 'receipt' },
      { to: '/e/$empresa/parceiros', name: 'Parceiros', icon: 'people' },
      { to: '/e/$empresa/categorias', name: 'Categorias', icon: 'tag' },
    ],
  },
  {
    title: 'Integrações',
    entries: [
      { to: '/e/$empresa/integracoes', name: 'Primeiros passos', icon: 'check' },
      { to: '/e/$empresa/integracoes/chaves', name: 'Chaves de API', icon: 'key' },
      { to: '/e/$empresa/integracoes/webhooks', name: 'Webhooks', icon: 'bolt' },
      { to: '/e/$empresa/integracoes/pagamentos', name: 'Conta de pagamento', icon: 'card' },
      { to: '/e/$empresa/integracoes/api', name: 'API', icon: 'code' },
    ],
  },
  {
    title: 'Empresa',
    entries: [{ to: '/e/$empresa/configuracoes', name: 'Configurações', icon: 'gear' }],
  },
]

/** Others lie below them, and have entries of their own. */
const EXACT: string[] = ['/e/$empresa', '/e/$empresa/integracoes']

export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const { id } = useEmpresa()
  return (
    <nav aria-label="Principal" className="grid gap-4">
      {GROUPS.map(({ title, entries }) => (
        <div key={title ?? ''} className="grid gap-1">
          {title && <p className="px-3 text-xs font-semibold text-soft">{title}</p>}
          <ul className="grid gap-0.5">
            {entries.map(({ to, name, icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  params={{ empresa: id }}
                  activeOptions={{ exact: EXACT.includes(to), includeSearch: false }}
                  {...(onChosen ? { onClick: onChosen } : {})}
                  className="flex min-h-10 items-center gap-3 rounded-lg px-3 py-2 text-sm font-medium text-ink hover:bg-sunken aria-[current=page]:bg-main-tint aria-[current=page]:text-main"
                >
                  <Icon name={icon} />
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

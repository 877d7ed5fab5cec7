import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Modulo } from '../../../src/auth/actor.ts'
import { useEmpresa } from '../api/eu.ts'
import { MODULO_WORDS } from '../lib/words.ts'
import { Empty } from './empty.tsx'
import { buttonLook } from './look.ts'

/** What only a company with the module has. */
export function ModuleGate({ modulo, children }: { modulo: Modulo; children: ReactNode }) {
  const { id, modulos, isAdmin } = useEmpresa()
  if (modulos.includes(modulo)) return children
  const { name } = MODULO_WORDS[modulo]
  return (
    <Empty
      icon="gear"
      title={`O módulo ${name} está desligado`}
      action={
        isAdmin && (
          <Link
            to="/e/$empresa/configuracoes"
            params={{ empresa: id }}
            className={buttonLook('main')}
          >
            Abrir as configurações
          </Link>
        )
      }
    >
      {isAdmin
        ? 'Ligue-o nas configurações da empresa para usar esta tela.'
        : 'Peça a um administrador da empresa que o ligue nas configurações.'}
    </Empty>
  )
}

/** What only an administrator may see; everyone else is told so. */
export function AdminGate({ children }: { children: ReactNode }) {
  const { isAdmin } = useEmpresa()
  if (isAdmin) return children
  return (
    <Empty icon="person" title="Somente para administradores">
      O seu papel não dá acesso a esta parte. Se precisar dela, fale com um administrador da
      empresa.
    </Empty>
  )
}

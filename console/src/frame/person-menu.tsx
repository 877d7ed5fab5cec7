import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Failure } from '../api/call.ts'
import { signOut, useEmpresa, useEu } from '../api/eu.ts'
import { chooseTheme, chosenTheme, THEMES, type Theme } from '../lib/theme.ts'
import { PAPEL_WORDS } from '../lib/words.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine, MenuText } from '../ui/menu.tsx'
import { ChangePassword } from './change-password.tsx'

const OPTIONS = Object.entries(THEMES).map(([value, name]) => ({ value: value as Theme, name }))

export function PersonMenu({ compact = false }: { compact?: boolean }) {
  const { nome, email } = useEu()
  const { papel } = useEmpresa()
  const [theme, setTheme] = useState(chosenTheme)
  const [open, setOpen] = useState<'password' | 'leave' | null>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const navigate = useNavigate()
  const queryClient = useQueryClient()

  async function leave() {
    try {
      await signOut()
    } catch (error) {
      // Whoever the server no longer knows has left already.
      if (!(error instanceof Failure) || error.status !== 401) throw error
    }
    await navigate({ to: '/entrar' })
    queryClient.clear()
  }

  return (
    <>
      <Menu
        triggerRef={trigger}
        label={`Sua conta: ${nome}`}
        className={
          compact
            ? 'rounded-lg p-2 hover:bg-sunken'
            : 'flex min-h-10 w-full min-w-0 items-center gap-2 rounded-lg px-2 py-1.5 text-left text-sm font-medium hover:bg-sunken'
        }
        trigger={
          compact ? (
            <Icon name="person" className="size-6" />
          ) : (
            <>
              <Icon name="person" />
              <span className="min-w-0 grow truncate">{nome}</span>
              <Icon name="down" className="size-4" />
            </>
          )
        }
      >
        <MenuText>
          <span className="block font-semibold wrap-anywhere">{nome}</span>
          <span className="block text-soft wrap-anywhere">{email}</span>
          <span className="block text-soft">{PAPEL_WORDS[papel].name}</span>
        </MenuText>
        <MenuLine />
        <MenuChoice
          label="Aparência"
          value={theme}
          options={OPTIONS}
          onChange={(next) => {
            chooseTheme(next)
            setTheme(next)
          }}
        />
        <MenuLine />
        <MenuItem onSelect={() => setOpen('password')}>Alterar senha</MenuItem>
        <MenuItem onSelect={() => setOpen('leave')}>Sair</MenuItem>
      </Menu>
      <ChangePassword open={open === 'password'} onClose={() => setOpen(null)} opener={trigger} />
      <Confirm
        open={open === 'leave'}
        onOpenChange={(next) => setOpen(next ? 'leave' : null)}
        opener={trigger}
        title="Sair do Lastro?"
        act="Sair"
        dangerous={false}
        onConfirm={leave}
      >
        Para voltar, será preciso informar o e-mail e a senha.
      </Confirm>
    </>
  )
}

import { Outlet, useLocation } from '@tanstack/react-router'
import { Dialog } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Logo } from '../ui/logo.tsx'
import { veilLook } from '../ui/overlay.ts'
import { useChanges } from './changes.ts'
import { CompanySwitcher } from './company-switcher.tsx'
import { Navigation } from './navigation.tsx'
import { PersonMenu } from './person-menu.tsx'

/** What stays around every screen of a company. */
export function Frame() {
  useChanges()
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    // A new screen is read from its beginning, not from where the old one was left.
    if (shown.current !== pathname) main.current?.focus({ preventScroll: true })
    shown.current = pathname
  }, [pathname])

  return (
    <div className="lg:grid lg:grid-cols-[16rem_minmax(0,1fr)]">
      <a
        href="#conteudo"
        className="sr-only z-50 rounded-lg bg-main px-4 py-2 font-medium text-on-main focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Ir para o conteúdo
      </a>
      <header className="sticky top-0 z-30 flex items-center gap-2 border-b border-line bg-paper px-3 py-2 lg:hidden">
        <Drawer />
        <div className="min-w-0 grow">
          <CompanySwitcher />
        </div>
        <PersonMenu compact />
      </header>
      <aside
        aria-label="Lastro"
        className="sticky top-0 hidden h-dvh flex-col gap-4 overflow-y-auto border-r border-line bg-paper p-4 lg:flex"
      >
        <div className="px-2">
          <Logo />
        </div>
        <CompanySwitcher />
        <Navigation />
        <div className="mt-auto">
          <PersonMenu />
        </div>
      </aside>
      <main ref={main} id="conteudo" tabIndex={-1} className="min-w-0">
        <Outlet />
      </main>
    </div>
  )
}

/** The navigation where there is no room for it beside the screen. */
function Drawer() {
  const [open, setOpen] = useState(false)
  const chosen = useRef(false)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger aria-label="Abrir o menu" className="rounded-lg p-2 text-ink hover:bg-sunken">
        <Icon name="menu" className="size-6" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className={veilLook} />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            if (!chosen.current) return
            chosen.current = false
            event.preventDefault()
            document.querySelector('main')?.focus({ preventScroll: true })
          }}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col gap-4 overflow-y-auto border-r border-line bg-paper p-4"
        >
          <div className="flex items-center justify-between px-2">
            <Dialog.Title>
              <Logo />
              <span className="sr-only">: menu</span>
            </Dialog.Title>
            <Dialog.Close
              aria-label="Fechar o menu"
              className="rounded-lg p-2 text-soft hover:bg-sunken"
            >
              <Icon name="close" />
            </Dialog.Close>
          </div>
          <Navigation
            onChosen={() => {
              chosen.current = true
              setOpen(false)
            }}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

import { type ErrorComponentProps, Link, Outlet, useRouter } from '@tanstack/react-router'
import { Failure } from '../api/call.ts'
import { Button } from '../ui/button.tsx'
import { buttonLook } from '../ui/look.ts'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Toasts } from '../ui/toasts.tsx'

export function Root() {
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  )
}

export function Loading() {
  return (
    <div className="mx-auto w-full max-w-5xl p-4 sm:p-6 lg:p-8">
      <Skeleton lines={5} />
    </div>
  )
}

/** The same where there is no frame around it. */
export const alone = {
  notFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
  errorComponent: (props: ErrorComponentProps) => (
    <main>
      <Failed {...props} />
    </main>
  ),
  pendingComponent: () => (
    <main>
      <Loading />
    </main>
  ),
}

export function NotFound() {
  return (
    <Page
      title="Página não encontrada"
      lead="O endereço não existe, ou é de uma empresa da qual você não participa."
    >
      <div>
        <Link to="/" className={buttonLook('main')}>
          Voltar ao início
        </Link>
      </div>
    </Page>
  )
}

/** Whatever kept a screen from being shown. What the browser could not load it loads only with a new page. */
export function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const asked = error instanceof Failure
  return (
    <Page title="Não foi possível abrir esta tela">
      <Notice tone="bad">
        <p>
          {asked
            ? error.detail
            : 'Sem conexão, ou o Lastro acaba de ser atualizado. Confira a sua internet e recarregue a página: o que você preencheu fica guardado.'}
        </p>
        <div>
          <Button
            onClick={() => {
              if (!asked) return location.reload()
              reset()
              router.invalidate()
            }}
          >
            {asked ? 'Tentar de novo' : 'Recarregar a página'}
          </Button>
        </div>
      </Notice>
    </Page>
  )
}

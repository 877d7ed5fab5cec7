import { type ErrorComponentProps, Link, Outlet, useRouter } from '@tanstack/react-router'
import { Failure } from '../api/call.ts'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { buttonLook } from '../ui/look.ts'
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

/** A screen whose program could not be fetched comes as any error: most often the network is gone. */
export function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const failure =
    error instanceof Failure
      ? error
      : new Failure({
          code: 'screen',
          detail:
            'Sem conexão, ou houve uma atualização do Lastro. Confira a sua internet e tente de novo; se não bastar, recarregue a página.',
        })
  return (
    <Page title="Não foi possível abrir esta tela">
      <FailureNotice
        failure={failure}
        retry={() => {
          reset()
          router.invalidate()
        }}
      />
      <div>
        <Button onClick={() => location.reload()}>Recarregar a página</Button>
      </div>
    </Page>
  )
}

import { Link } from '@tanstack/react-router'
import { useEmpresa } from '../../api/eu.ts'
import { linkLook } from '../../ui/look.ts'
import { Notice } from '../../ui/notice.tsx'

/** Without a payment account nothing can be issued; what was, is still shown. */
export function NotConnected() {
  const { id, isAdmin } = useEmpresa()
  return (
    <Notice tone="warn" title="Nenhuma conta de pagamento conectada">
      {isAdmin ? (
        <p>
          Para emitir cobranças,{' '}
          <Link
            to="/e/$empresa/integracoes/pagamentos"
            params={{ empresa: id }}
            className={linkLook}
          >
            conecte a conta de pagamento
          </Link>{' '}
          da empresa.
        </p>
      ) : (
        <p>Para emitir cobranças, peça a um administrador que conecte a conta da empresa.</p>
      )}
    </Notice>
  )
}

import type { ReactNode } from 'react'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { buttonLook } from '../../ui/look.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { type Acts, fit } from './acts.ts'

interface Props {
  entries: readonly Lancamento[]
  acts: Acts
  onPay: (entries: readonly Lancamento[]) => void
  children?: ReactNode
}

/** What can be done to the chosen entries; of several, each action takes those that it is for. */
export function Actions({ entries, acts, onPay, children }: Props) {
  const { run, pending } = acts
  const some = (acao: Parameters<typeof fit>[0]) => {
    const { length } = fit(acao, entries)
    return length > 0 && { count: length < entries.length ? ` (${length})` : '' }
  }
  const payable = some('pagar')
  const revertible = some('reverter')
  const cancelable = some('cancelar')
  const reopenable = some('reabrir')
  return (
    <div className="flex flex-wrap items-center gap-2">
      {payable && (
        <Button kind="main" onClick={() => onPay(fit('pagar', entries))}>
          Marcar pago{payable.count}
        </Button>
      )}
      {!payable && revertible && (
        <Button pending={pending} onClick={() => run('reverter', entries)}>
          Reverter pagamento{revertible.count}
        </Button>
      )}
      {children}
      <Menu
        label="Mais ações"
        className={buttonLook()}
        trigger={
          <>
            Mais
            <Icon name="down" className="size-4" />
          </>
        }
      >
        {payable && revertible && (
          <MenuItem onSelect={() => run('reverter', entries)}>
            Reverter pagamento{revertible.count}
          </MenuItem>
        )}
        {cancelable && (
          <MenuItem onSelect={() => run('cancelar', entries)}>Cancelar{cancelable.count}</MenuItem>
        )}
        {reopenable && (
          <MenuItem onSelect={() => run('reabrir', entries)}>Reabrir{reopenable.count}</MenuItem>
        )}
        {(cancelable || reopenable || (payable && revertible)) && <MenuLine />}
        <MenuItem dangerous onSelect={() => run('excluir', entries)}>
          Excluir
        </MenuItem>
      </Menu>
    </div>
  )
}

import { changePassword } from '../api/eu.ts'
import { useForm } from '../lib/form.ts'
import { newPasswordFault, PASSWORD_HINT } from '../lib/password.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { PasswordField } from '../ui/field.tsx'
import type { Opener } from '../ui/returned-focus.ts'
import { toast } from '../ui/toasts.tsx'

interface Props {
  open: boolean
  onClose: () => void
  opener: Opener
}

export function ChangePassword({ open, onClose, opener }: Props) {
  return (
    <Dialog open={open} onOpenChange={onClose} opener={opener} title="Alterar senha">
      <PasswordForm onClose={onClose} />
    </Dialog>
  )
}

function PasswordForm({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { atual: '', nova: '' },
    check: ({ atual, nova }) => ({
      ...(atual ? {} : { atual: 'Informe a senha atual.' }),
      ...newPasswordFault('nova', nova),
    }),
    send: changePassword,
    done() {
      toast('Senha alterada.')
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <PasswordField label="Senha atual" autoComplete="current-password" {...form.bind('atual')} />
      <PasswordField
        label="Nova senha"
        autoComplete="new-password"
        hint={PASSWORD_HINT}
        {...form.bind('nova')}
      />
      <DialogActions failure={form.failure}>
        <Button onClick={onClose}>Cancelar</Button>
        <Button type="submit" kind="main" pending={form.pending}>
          Alterar senha
        </Button>
      </DialogActions>
    </form>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { signIn } from '../api/eu.ts'
import { useForm } from '../lib/form.ts'
import { Button } from '../ui/button.tsx'
import { Doorstep } from '../ui/doorstep.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { PasswordField, TextField } from '../ui/field.tsx'

const route = getRouteApi('/entrar')

export function Entrar() {
  const { voltar = '/' } = route.useSearch()
  const router = useRouter()
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { email: '', senha: '' },
    check: ({ email, senha }) => ({
      ...(email.trim() ? {} : { email: 'Informe o seu e-mail.' }),
      ...(senha ? {} : { senha: 'Informe a sua senha.' }),
    }),
    send: ({ email, senha }) => signIn({ email: email.trim(), senha }),
    done() {
      // Another person may have been here before.
      queryClient.clear()
      router.history.replace(voltar)
    },
  })
  return (
    <Doorstep
      title="Entrar"
      lead={voltar === '/' ? undefined : 'Entre para voltar à página em que você estava.'}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          autoCapitalize="off"
          {...form.bind('email')}
        />
        <PasswordField label="Senha" autoComplete="current-password" {...form.bind('senha')} />
        <FailureNotice failure={form.failure} />
        <Button type="submit" kind="main" pending={form.pending}>
          Entrar
        </Button>
      </form>
      <p className="text-sm text-soft">
        Esqueceu a senha ou ainda não tem acesso? Peça um convite a um administrador da sua empresa.
      </p>
    </Doorstep>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { acceptConvite, conviteQuery } from '../api/convites.ts'
import { useForm } from '../lib/form.ts'
import { newPasswordFault, PASSWORD_HINT } from '../lib/password.ts'
import { PAPEL_WORDS } from '../lib/words.ts'
import { Button } from '../ui/button.tsx'
import { Doorstep } from '../ui/doorstep.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { PasswordField, TextField } from '../ui/field.tsx'
import { linkLook } from '../ui/look.ts'
import { Skeleton } from '../ui/skeleton.tsx'

const route = getRouteApi('/convite/$token')

export function Convite() {
  const { token } = route.useParams()
  const { data, error, refetch, isFetching } = useQuery(conviteQuery(token))
  if (error?.status === 404) {
    return (
      <Doorstep
        title="Este convite não vale mais"
        lead="Ele já foi usado, foi cancelado ou expirou. Peça outro a quem convidou você."
      >
        <p className="text-sm">
          Já tem acesso?{' '}
          <Link to="/entrar" className={linkLook}>
            Entre com o seu e-mail e a sua senha
          </Link>
          .
        </p>
      </Doorstep>
    )
  }
  if (!data) {
    return (
      <Doorstep title="Convite">
        {error ? (
          <FailureNotice failure={error} retry={() => refetch()} pending={isFetching} />
        ) : (
          <Skeleton />
        )}
      </Doorstep>
    )
  }
  const papel = PAPEL_WORDS[data.papel]
  return (
    <Doorstep
      title={`Convite para ${data.empresa}`}
      lead={`O seu papel será ${papel.name}: ${papel.meaning.charAt(0).toLowerCase()}${papel.meaning.slice(1)}`}
    >
      <Acceptance token={token} email={data.email} />
    </Doorstep>
  )
}

function Acceptance({ token, email }: { token: string; email: string | null }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { email: email ?? '', nome: '', senha: '' },
    check: (values) => ({
      ...(values.email.includes('@') ? {} : { email: 'Informe o seu e-mail.' }),
      ...(values.nome.trim() ? {} : { nome: 'Informe o seu nome.' }),
      ...newPasswordFault('senha', values.senha),
    }),
    send: ({ nome, senha, ...given }) =>
      acceptConvite(token, {
        nome: nome.trim(),
        senha,
        ...(email ? {} : { email: given.email.trim() }),
      }),
    async done() {
      await navigate({ to: '/', replace: true })
      queryClient.removeQueries({ queryKey: ['convite'] })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        readOnly={email !== null}
        {...form.bind('email')}
      />
      <TextField label="Nome" autoComplete="name" {...form.bind('nome')} />
      <PasswordField
        label="Senha"
        autoComplete="new-password"
        hint={`Se você já entra no Lastro com este e-mail, informe a sua senha de sempre. Se não, escolha uma. ${PASSWORD_HINT}`}
        {...form.bind('senha')}
      />
      <FailureNotice failure={form.failure} />
      <Button type="submit" kind="main" pending={form.pending}>
        Aceitar o convite
      </Button>
    </form>
  )
}

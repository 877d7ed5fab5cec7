import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Papel } from '../../../../src/usuarios/papeis.ts'
import { type ConvitePendente, cancelInvite, invite, usuariosQuery } from '../../api/empresa.ts'
import { useEmpresa } from '../../api/eu.ts'
import { useForm } from '../../lib/form.ts'
import { PAPEL_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ShownOnce } from '../../ui/once.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { toast } from '../../ui/toasts.tsx'
import { PapelField } from './papel-field.tsx'

export function Invitations() {
  const { id } = useEmpresa()
  const query = useQuery(usuariosQuery(id))
  const [open, setOpen] = useState(false)
  const [link, setLink] = useState<string>()

  function close() {
    setOpen(false)
    setLink(undefined)
  }

  return (
    <Card
      title="Convites"
      lead="Um convite é um link que você mesmo envia à pessoa."
      actions={
        <Button kind="main" onClick={() => setOpen(true)}>
          <Icon name="plus" className="size-4" />
          Convidar
        </Button>
      }
    >
      <Loaded query={query} lines={1}>
        {({ convites }) =>
          convites.length === 0 ? (
            <p className="text-sm text-soft">
              Nenhum convite à espera. Convide quem trabalha com as finanças da empresa.
            </p>
          ) : (
            <Rows label="Convites à espera">
              {convites.map((convite) => (
                <Pending key={convite.id} convite={convite} />
              ))}
            </Rows>
          )
        }
      </Loaded>
      <Dialog
        open={open}
        onOpenChange={close}
        locked={link !== undefined}
        title={link ? 'Convite criado' : 'Convidar uma pessoa'}
      >
        {link ? (
          <ShownOnce secrets={[{ label: 'Link do convite', value: link }]} onKept={close}>
            <p>Copie o link e envie-o à pessoa. Quem tem o link entra na empresa.</p>
          </ShownOnce>
        ) : (
          <InviteForm onInvited={setLink} onClose={close} />
        )}
      </Dialog>
    </Card>
  )
}

interface InviteFormProps {
  onInvited: (link: string) => void
  onClose: () => void
}

function InviteForm({ onInvited, onClose }: InviteFormProps) {
  const { id } = useEmpresa()
  const queryClient = useQueryClient()
  const form = useForm({
    draft: `convite.${id}`,
    initial: { email: '', papel: 'financeiro' as Papel },
    check: ({ email }) => ({
      ...(email.includes('@') ? {} : { email: 'Informe o e-mail da pessoa.' }),
    }),
    send: ({ email, papel }) => invite(id, { email: email.trim(), papel }),
    done({ link }) {
      queryClient.invalidateQueries({ queryKey: usuariosQuery(id).queryKey })
      onInvited(link)
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <TextField label="E-mail" type="email" autoComplete="off" {...form.bind('email')} />
      <PapelField {...form.bind('papel')} />
      <FormActions form={form} act="Criar convite" onClose={onClose} />
    </form>
  )
}

function Pending({ convite }: { convite: ConvitePendente }) {
  const { id } = useEmpresa()
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const whom = convite.email ?? 'quem tiver o link'
  return (
    <Row
      actions={
        <Button
          kind="danger"
          onClick={() => setOpen(true)}
          aria-label={`Cancelar convite para ${whom}`}
        >
          Cancelar convite
        </Button>
      }
    >
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {whom}
        <Badge>{PAPEL_WORDS[convite.papel].name}</Badge>
      </p>
      <p className="text-sm text-soft">
        Vale até <Moment at={convite.expira_em} />
      </p>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={`Cancelar o convite para ${whom}?`}
        act="Cancelar convite"
        onConfirm={async () => {
          await cancelInvite(id, convite.id)
          await queryClient.invalidateQueries({ queryKey: usuariosQuery(id).queryKey })
          toast('Convite cancelado.')
        }}
      >
        O link deixa de valer na hora. Você pode criar outro convite depois.
      </Confirm>
    </Row>
  )
}

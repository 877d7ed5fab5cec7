import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changePapel, removeUsuario, type Usuario, usuariosQuery } from '../../api/empresa.ts'
import { euQuery, useEmpresa, useEu } from '../../api/eu.ts'
import { useForm } from '../../lib/form.ts'
import { PAPEL_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { toast } from '../../ui/toasts.tsx'
import { PapelField } from './papel-field.tsx'

export function People() {
  const { id } = useEmpresa()
  const query = useQuery(usuariosQuery(id))
  return (
    <Card title="Pessoas" lead="Quem entra nesta empresa, e o que cada um pode fazer.">
      <Loaded query={query}>
        {({ items }) => (
          <Rows label="Pessoas">
            {items.map((usuario) => (
              <Person key={usuario.id} usuario={usuario} />
            ))}
          </Rows>
        )}
      </Loaded>
    </Card>
  )
}

function Person({ usuario }: { usuario: Usuario }) {
  const empresa = useEmpresa()
  const eu = useEu()
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<'papel' | 'remove' | null>(null)
  const isMe = usuario.id === eu.id

  async function refresh() {
    if (isMe) await queryClient.invalidateQueries({ queryKey: euQuery.queryKey })
    await queryClient.invalidateQueries({ queryKey: usuariosQuery(empresa.id).queryKey })
  }

  return (
    <Row
      actions={
        <>
          <Button onClick={() => setOpen('papel')} aria-label={`Mudar papel de ${usuario.nome}`}>
            Mudar papel
          </Button>
          {!isMe && (
            <Button
              kind="danger"
              onClick={() => setOpen('remove')}
              aria-label={`Remover ${usuario.nome}`}
            >
              Remover
            </Button>
          )}
        </>
      }
    >
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {usuario.nome}
        {isMe && <span className="font-normal text-soft">(você)</span>}
        <Badge tone={usuario.papel === 'admin' ? 'info' : 'plain'}>
          {PAPEL_WORDS[usuario.papel].name}
        </Badge>
      </p>
      <p className="text-sm text-soft">
        {usuario.email}, desde <Moment at={usuario.criado_em} precision="day" />
      </p>
      <Dialog
        open={open === 'papel'}
        onOpenChange={() => setOpen(null)}
        title={`Papel de ${usuario.nome}`}
      >
        <PapelForm usuario={usuario} onSaved={refresh} onClose={() => setOpen(null)} />
      </Dialog>
      <Confirm
        open={open === 'remove'}
        onOpenChange={() => setOpen(null)}
        title={`Remover ${usuario.nome}?`}
        act="Remover"
        onConfirm={async () => {
          await removeUsuario(empresa.id, usuario.id)
          await refresh()
          toast(`${usuario.nome} não participa mais da empresa.`)
        }}
      >
        A pessoa perde o acesso a {empresa.nome} na hora. O que ela fez continua registrado, e você
        pode convidá-la de novo.
      </Confirm>
    </Row>
  )
}

interface PapelFormProps {
  usuario: Usuario
  onSaved: () => Promise<void>
  onClose: () => void
}

function PapelForm({ usuario, onSaved, onClose }: PapelFormProps) {
  const empresa = useEmpresa()
  const form = useForm({
    initial: { papel: usuario.papel },
    send: async ({ papel }) => {
      await changePapel(empresa.id, usuario.id, papel)
      await onSaved()
    },
    done() {
      toast('Papel alterado.')
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <PapelField {...form.bind('papel')} />
      <DialogActions failure={form.failure}>
        <Button onClick={onClose}>Cancelar</Button>
        <Button type="submit" kind="main" pending={form.pending}>
          Salvar
        </Button>
      </DialogActions>
    </form>
  )
}

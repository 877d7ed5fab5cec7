import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Parceiro } from '../../../../src/parceiros/schema.ts'
import { Failure } from '../../api/call.ts'
import { useEmpresa } from '../../api/eu.ts'
import { changeParceiro, parceirosKey, removeParceiro } from '../../api/parceiros.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/failure.tsx'
import { buttonLook } from '../../ui/look.ts'
import { ActionsMenu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toasts.tsx'
import { EditParceiroForm } from './parceiro-form.tsx'

const IN_USE =
  'Há lançamentos ou cobranças deste parceiro, e por isso ele não pode ser excluído. Se não trabalha mais com ele, desative-o: ele deixa de ser oferecido e a história fica.'

export function ParceiroActions({ parceiro }: { parceiro: Parceiro }) {
  const { id: empresa } = useEmpresa()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const trigger = useRef<HTMLButtonElement>(null)
  const [act, setAct] = useState<'edit' | 'remove' | null>(null)
  const close = () => setAct(null)
  const { id, nome, ativo } = parceiro
  const refresh = () => queryClient.invalidateQueries({ queryKey: parceirosKey(empresa) })

  const switching = useMutation({
    mutationFn: async () => {
      await changeParceiro(empresa, id, { ativo: !ativo })
      toast(ativo ? 'Parceiro desativado.' : 'Parceiro ativo.')
      await refresh()
    },
  })

  async function remove() {
    await removeParceiro(empresa, id).catch((failure: Failure) => {
      if (failure.code !== 'parceiro-in-use') throw failure
      throw new Failure({ ...failure, detail: IN_USE })
    })
    if (pathname.includes(id)) {
      await navigate({ to: '/e/$empresa/parceiros', params: { empresa } })
    }
    await refresh()
    toast('Parceiro excluído.')
  }

  return (
    <div className="grid gap-2">
      <ActionsMenu triggerRef={trigger} of={nome} className={`${buttonLook()} justify-self-start`}>
        <MenuItem onSelect={() => setAct('edit')}>Editar</MenuItem>
        <MenuItem onSelect={() => switching.mutate()}>{ativo ? 'Desativar' : 'Ativar'}</MenuItem>
        <MenuLine />
        <MenuItem dangerous onSelect={() => setAct('remove')}>
          Excluir
        </MenuItem>
      </ActionsMenu>
      <FailureNotice failure={switching.error} retry={() => switching.mutate()} />
      <Dialog open={act === 'edit'} onOpenChange={close} opener={trigger} title={`Editar ${nome}`}>
        <EditParceiroForm parceiro={parceiro} onClose={close} />
      </Dialog>
      <Confirm
        open={act === 'remove'}
        onOpenChange={close}
        opener={trigger}
        title={`Excluir ${nome}?`}
        act="Excluir"
        onConfirm={remove}
      >
        Não há como voltar atrás.
      </Confirm>
    </div>
  )
}

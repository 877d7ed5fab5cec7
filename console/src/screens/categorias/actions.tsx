import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Categoria } from '../../../../src/categorias/schema.ts'
import { type Area, categoriasKey, removeCategoria } from '../../api/categorias.ts'
import { useEmpresa } from '../../api/eu.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { buttonLook } from '../../ui/look.ts'
import { ActionsMenu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toasts.tsx'
import { EditCategoriaForm, NewCategoriaForm } from './categoria-form.tsx'

type Act = 'add' | 'edit' | 'remove'

interface Props {
  categoria: Categoria
  areas: Area[]
}

export function CategoriaActions({ categoria, areas }: Props) {
  const { id: empresa } = useEmpresa()
  const queryClient = useQueryClient()
  const trigger = useRef<HTMLButtonElement>(null)
  const [act, setAct] = useState<Act | null>(null)
  const close = () => setAct(null)
  const { id, nome, area_id } = categoria

  async function remove() {
    await removeCategoria(empresa, id)
    await queryClient.invalidateQueries({ queryKey: categoriasKey(empresa) })
    toast('Categoria excluída.')
  }

  return (
    <>
      <ActionsMenu
        triggerRef={trigger}
        of={nome}
        className={buttonLook(area_id === null ? 'plain' : 'quiet')}
      >
        {area_id === null && <MenuItem onSelect={() => setAct('add')}>Criar subcategoria</MenuItem>}
        <MenuItem onSelect={() => setAct('edit')}>Renomear ou mover</MenuItem>
        <MenuLine />
        <MenuItem dangerous onSelect={() => setAct('remove')}>
          Excluir
        </MenuItem>
      </ActionsMenu>
      <Dialog
        open={act === 'add'}
        onOpenChange={close}
        opener={trigger}
        title={`Criar subcategoria em ${nome}`}
      >
        <NewCategoriaForm area={id} onClose={close} />
      </Dialog>
      <Dialog open={act === 'edit'} onOpenChange={close} opener={trigger} title={`Editar ${nome}`}>
        <EditCategoriaForm categoria={categoria} areas={areas} onClose={close} />
      </Dialog>
      <Confirm
        open={act === 'remove'}
        onOpenChange={close}
        opener={trigger}
        title={`Excluir ${nome}?`}
        act="Excluir"
        onConfirm={remove}
      >
        Só é possível excluir o que não está em uso. Não há como voltar atrás.
      </Confirm>
    </>
  )
}

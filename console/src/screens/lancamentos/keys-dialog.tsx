import { Dialog } from '../../ui/dialog.tsx'

const LOOK: [keys: string, what: string][] = [
  ['Setas', 'mudar de linha'],
  ['Page Up, Down', 'subir ou descer uma tela'],
  ['Home, End', 'ir ao primeiro ou ao último'],
  ['Enter', 'abrir'],
  ['Espaço', 'selecionar'],
  ['Shift + setas', 'selecionar vários'],
  ['Ctrl + A', 'selecionar todos, até 500'],
  ['Esc', 'limpar a seleção'],
  ['/', 'buscar'],
  ['?', 'mostrar estas teclas'],
]
const CHANGE: typeof LOOK = [
  ['N', 'novo lançamento'],
  ['D', 'duplicar'],
  ['P', 'marcar como pago'],
  ['Delete', 'excluir'],
  ['Ctrl + Z', 'desfazer a exclusão'],
]

interface Props {
  open: boolean
  mayChange: boolean
  onClose: () => void
}

export function KeysDialog({ open, mayChange, onClose }: Props) {
  return (
    <Dialog open={open} onOpenChange={onClose} title="Teclas">
      <dl className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2">
        {[...LOOK, ...(mayChange ? CHANGE : [])].map(([keys, what]) => (
          <div key={keys} className="flex items-baseline justify-between gap-4">
            <dt>
              <kbd className="rounded-md border whitespace-nowrap border-line bg-sunken px-2 py-0.5 font-sans text-xs font-semibold">
                {keys}
              </kbd>
            </dt>
            <dd className="text-right text-soft">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

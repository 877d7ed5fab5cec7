import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Area, areasQuery } from '../../api/categorias.ts'
import { useEmpresa } from '../../api/eu.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { CategoriaActions } from './actions.tsx'
import { NewCategoriaForm } from './categoria-form.tsx'

export function Categorias() {
  const { id, mayWrite } = useEmpresa()
  const query = useQuery(areasQuery(id))
  const [open, setOpen] = useState(false)
  const create = mayWrite && (
    <Button kind="main" onClick={() => setOpen(true)}>
      <Icon name="plus" className="size-4" />
      Criar área
    </Button>
  )
  return (
    <Page
      title="Categorias"
      lead="Áreas e, dentro de cada uma, subcategorias: por elas os lançamentos são agrupados."
      actions={query.data && query.data.length > 0 && create}
    >
      <Loaded query={query} lines={8}>
        {(areas) => <Areas areas={areas} create={create} />}
      </Loaded>
      <Dialog open={open} onOpenChange={setOpen} title="Criar área">
        <NewCategoriaForm onClose={() => setOpen(false)} />
      </Dialog>
    </Page>
  )
}

function Areas({ areas, create }: { areas: Area[]; create: ReactNode }) {
  const { mayWrite } = useEmpresa()
  if (areas.length === 0) {
    return (
      <Empty icon="tag" title="Nenhuma categoria ainda" action={create}>
        {mayWrite
          ? 'Comece por uma área, como Vendas ou Administrativo, e divida-a em subcategorias se precisar.'
          : 'O seu papel não permite criar categorias.'}
      </Empty>
    )
  }
  return (
    <div className="columns-1 gap-4 xl:columns-2">
      {areas.map((area) => (
        <div key={area.id} className="mb-4 break-inside-avoid">
          <Card
            title={area.nome}
            actions={mayWrite && <CategoriaActions categoria={area} areas={areas} />}
          >
            {area.subcategorias.length === 0 ? (
              <p className="text-sm text-soft">Sem subcategorias.</p>
            ) : (
              <ul aria-label={`Subcategorias de ${area.nome}`} className="divide-y divide-line">
                {area.subcategorias.map((sub) => (
                  <li key={sub.id} className="flex items-center justify-between gap-3 py-1.5">
                    <span className="min-w-0 text-sm wrap-anywhere">{sub.nome}</span>
                    {mayWrite && <CategoriaActions categoria={sub} areas={areas} />}
                  </li>
                ))}
              </ul>
            )}
          </Card>
        </div>
      ))}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { chavesQuery } from '../../api/chaves.ts'
import { useEmpresa } from '../../api/eu.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { AdminGate } from '../../ui/gate.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ShownOnce } from '../../ui/once.tsx'
import { Page } from '../../ui/page.tsx'
import { Rows } from '../../ui/rows.tsx'
import { ChaveRow } from './chave-row.tsx'
import { NewChave } from './new-chave.tsx'

export function Chaves() {
  const { id, isAdmin } = useEmpresa()
  const { data } = useQuery({ ...chavesQuery(id), enabled: isAdmin })
  const [open, setOpen] = useState(false)
  const [key, setKey] = useState<string>()

  function close() {
    setOpen(false)
    setKey(undefined)
  }

  const create = (
    <Button kind="main" onClick={() => setOpen(true)}>
      <Icon name="plus" className="size-4" />
      Criar chave
    </Button>
  )
  return (
    <Page
      title="Chaves de API"
      lead="Cada programa que usa a API do Lastro leva uma chave, que diz o que ele pode fazer."
      actions={data && data.items.length > 0 && create}
    >
      <AdminGate>
        <List create={create} />
        <Dialog
          open={open}
          onOpenChange={close}
          locked={key !== undefined}
          title={key ? 'Chave criada' : 'Criar chave de API'}
        >
          {key ? (
            <ShownOnce secrets={[{ label: 'Chave de API', value: key }]} onKept={close}>
              <p>
                Copie a chave e guarde-a em um cofre de senhas. Quem tem a chave age em nome da
                empresa; se ela se perder, revogue-a e crie outra.
              </p>
            </ShownOnce>
          ) : (
            <NewChave onCreated={setKey} onClose={close} />
          )}
        </Dialog>
      </AdminGate>
    </Page>
  )
}

function List({ create }: { create: ReactNode }) {
  const { id } = useEmpresa()
  const query = useQuery(chavesQuery(id))
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon="key" title="Nenhuma chave ainda" action={create}>
            Crie uma chave para o primeiro programa que vai usar a API. Uma para cada programa:
            assim você pode revogar uma sem parar os outros.
          </Empty>
        ) : (
          <Rows label="Chaves de API">
            {items.toReversed().map((chave) => (
              <ChaveRow key={chave.id} chave={chave} />
            ))}
          </Rows>
        )
      }
    </Loaded>
  )
}

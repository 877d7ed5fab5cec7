import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Parceiro } from '../../../../src/parceiros/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { parceirosQuery } from '../../api/parceiros.ts'
import { documento } from '../../lib/format.ts'
import { PARCEIRO_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { linkLook } from '../../ui/look.ts'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { ParceiroActions } from './actions.tsx'
import { ParceiroFilters } from './filters.tsx'
import { NewParceiroForm } from './parceiro-form.tsx'

const route = getRouteApi('/e/$empresa/parceiros')
const LIMIT = 25

export function Parceiros() {
  const { empresa } = route.useParams()
  const { pagina = 1, ...filter } = route.useSearch()
  const navigate = route.useNavigate()
  const { mayWrite } = useEmpresa()
  const [open, setOpen] = useState(false)
  const query = useQuery(
    parceirosQuery(empresa, { ...filter, limit: LIMIT, offset: (pagina - 1) * LIMIT }),
  )
  /** There may be some, but none where one has looked. */
  const elsewhere = Object.keys(filter).length > 0 || pagina > 1
  const create = mayWrite && (
    <Button kind="main" onClick={() => setOpen(true)}>
      <Icon name="plus" className="size-4" />
      Criar parceiro
    </Button>
  )
  return (
    <Page
      title="Parceiros"
      lead="Clientes e fornecedores, com o que se cobra e se paga a cada um."
      actions={create}
    >
      <ParceiroFilters />
      <Loaded query={query} lines={8}>
        {({ items, total, limit, offset }) => (
          <>
            {items.length > 0 ? (
              <Rows label="Parceiros">
                {items.map((parceiro) => (
                  <ParceiroRow key={parceiro.id} parceiro={parceiro} />
                ))}
              </Rows>
            ) : (
              <Empty
                icon="people"
                title={elsewhere ? 'Nenhum parceiro assim' : 'Nenhum parceiro ainda'}
                action={
                  elsewhere && <Button onClick={() => navigate({ search: {} })}>Ver todos</Button>
                }
              >
                {elsewhere
                  ? 'Nenhum corresponde ao que foi procurado.'
                  : 'Crie os clientes e fornecedores da empresa para ligá-los a lançamentos e cobranças.'}
              </Empty>
            )}
            <Pager
              offset={offset}
              limit={limit}
              total={total}
              onMove={(page) => navigate({ search: (before) => ({ ...before, pagina: page }) })}
            />
          </>
        )}
      </Loaded>
      <Dialog open={open} onOpenChange={setOpen} title="Criar parceiro">
        <NewParceiroForm onClose={() => setOpen(false)} />
      </Dialog>
    </Page>
  )
}

function ParceiroRow({ parceiro }: { parceiro: Parceiro }) {
  const { id: empresa, mayWrite } = useEmpresa()
  const { id, nome, tipo, ativo, email, telefone } = parceiro
  const known = [parceiro.documento && documento(parceiro.documento), email, telefone]
  return (
    <Row actions={mayWrite && <ParceiroActions parceiro={parceiro} />}>
      <p className="flex flex-wrap items-center gap-2">
        <Link
          to="/e/$empresa/parceiros/$id"
          params={{ empresa, id }}
          className={`${linkLook} font-medium`}
        >
          {nome}
        </Link>
        <Badge>{PARCEIRO_WORDS[tipo]}</Badge>
        {!ativo && <Badge tone="warn">Inativo</Badge>}
      </p>
      <p className="text-sm text-soft empty:hidden">{known.filter(Boolean).join(' · ')}</p>
    </Row>
  )
}

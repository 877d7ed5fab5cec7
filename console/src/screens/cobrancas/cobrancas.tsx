import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Cobranca, CobrancaFilter } from '../../../../src/cobrancas/schema.ts'
import { cobrancasQuery } from '../../api/cobrancas.ts'
import { useEmpresa } from '../../api/eu.ts'
import { lancamentoQuery } from '../../api/lancamentos.ts'
import { parceiroQuery } from '../../api/parceiros.ts'
import { provedorQuery } from '../../api/provedor.ts'
import { COBRANCA_WORDS } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SelectField } from '../../ui/field.tsx'
import { ModuleGate } from '../../ui/gate.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Options } from '../../ui/options.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { CobrancaRows } from './cobranca-rows.tsx'
import { IssueForm } from './issue-form.tsx'
import { NotConnected } from './not-connected.tsx'

const route = getRouteApi('/e/$empresa/cobrancas')
const LIMIT = 25

export function Cobrancas() {
  const { empresa } = route.useParams()
  const { lancamento } = route.useSearch()
  const navigate = route.useNavigate()
  const { mayWrite, modulos } = useEmpresa()
  const on = modulos.includes('cobrancas')
  const { data: conta } = useQuery({ ...provedorQuery(empresa), enabled: on })
  const entry = useQuery({
    ...lancamentoQuery(empresa, lancamento ?? ''),
    enabled: lancamento !== undefined,
  })
  const [open, setOpen] = useState(false)
  // With its fields, so that the focus finds the first one.
  const ready = lancamento === undefined ? open : entry.isFetched

  function close() {
    setOpen(false)
    // Else it would open again with the address.
    if (lancamento) {
      navigate({ search: ({ lancamento: _, ...rest }) => rest, replace: true })
    }
  }

  return (
    <Page
      title="Cobranças"
      lead="Boletos, PIX e cartão. Quando alguém paga, aparece aqui sozinho."
      actions={
        mayWrite &&
        conta?.item && (
          <Button kind="main" onClick={() => setOpen(true)}>
            <Icon name="plus" className="size-4" />
            Emitir cobrança
          </Button>
        )
      }
    >
      <ModuleGate modulo="cobrancas">
        {conta && !conta.item && <NotConnected />}
        <List />
        <Dialog
          open={mayWrite && Boolean(conta?.item) && ready}
          onOpenChange={close}
          title="Emitir cobrança"
        >
          {lancamento === undefined ? (
            <IssueForm onClose={close} />
          ) : (
            <Loaded query={entry}>
              {({ item }) => <IssueForm entry={item} onClose={close} />}
            </Loaded>
          )}
        </Dialog>
      </ModuleGate>
    </Page>
  )
}

function List() {
  const { empresa } = route.useParams()
  const { status, parceiro_id, pagina = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const filter: CobrancaFilter = {
    ...(status ? { status } : {}),
    ...(parceiro_id ? { parceiro_id } : {}),
    limit: LIMIT,
    offset: (pagina - 1) * LIMIT,
  }
  const query = useQuery(cobrancasQuery(empresa, filter))
  /** There may be some, but none where one has looked. */
  const elsewhere = Boolean(status || parceiro_id) || pagina > 1
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="w-full sm:w-56">
          <SelectField
            label="Situação"
            value={status ?? ''}
            onChange={(value) =>
              navigate({
                search: ({ status: _, pagina: _first, ...rest }) =>
                  value ? { ...rest, status: value as Cobranca['status'] } : rest,
              })
            }
          >
            <option value="">Todas</option>
            <Options words={COBRANCA_WORDS} />
          </SelectField>
        </div>
        {parceiro_id && <OfParceiro id={parceiro_id} />}
      </div>
      <Loaded query={query} lines={8}>
        {({ items, total, limit, offset }) => (
          <>
            {items.length > 0 ? (
              <CobrancaRows cobrancas={items} />
            ) : (
              <Empty
                icon="receipt"
                title={elsewhere ? 'Nenhuma cobrança assim' : 'Nenhuma cobrança ainda'}
                action={
                  elsewhere && <Button onClick={() => navigate({ search: {} })}>Ver todas</Button>
                }
              >
                {elsewhere
                  ? 'Nenhuma corresponde ao filtro.'
                  : 'Emita uma cobrança e envie a página de pagamento, o boleto ou o PIX a quem vai pagar.'}
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
    </>
  )
}

function OfParceiro({ id }: { id: string }) {
  const { empresa } = route.useParams()
  const navigate = route.useNavigate()
  const { data } = useQuery(parceiroQuery(empresa, id))
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <span className="wrap-anywhere">
        De <strong>{data?.item.nome ?? 'um parceiro'}</strong>
      </span>
      <Button
        onClick={() => navigate({ search: ({ parceiro_id: _, pagina: _first, ...rest }) => rest })}
      >
        Ver de todos
      </Button>
    </p>
  )
}

import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { livroCsv } from '../../api/lancamentos.ts'
import { counted, today } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FailureNotice } from '../../ui/failure.tsx'
import { Icon } from '../../ui/icon.tsx'
import { buttonLook } from '../../ui/look.ts'
import { Page } from '../../ui/page.tsx'
import { Actions } from './actions.tsx'
import { useActs } from './acts.ts'
import { Book } from './book.tsx'
import { EntryDialog } from './entry.tsx'
import { NewEntryForm } from './entry-forms.tsx'
import { copyOf, type EntryValues, emptyEntry } from './entry-values.tsx'
import { Filters } from './filters.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { PayDialog } from './pay-dialog.tsx'
import { readSearch } from './search.ts'
import { sumsOf, useSelection } from './selection.ts'
import { Sums } from './sums.tsx'
import { useKeys } from './use-keys.ts'
import { useLivro } from './use-livro.ts'

const route = getRouteApi('/e/$empresa/lancamentos')

/** On a telephone the picture alone, so that all stay beside the title. */
const iconLook = `${buttonLook()} max-sm:px-3`

export function Lancamentos() {
  const { id } = useEmpresa()
  return <Livro key={id} />
}

function Livro() {
  const { id: empresa, papel, fuso_horario } = useEmpresa()
  const mayChange = papel !== 'leitura'
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { history } = useRouter()
  const { lancamento, ...given } = search
  const asked = JSON.stringify(given)
  const filter = useMemo(() => readSearch(JSON.parse(asked)), [asked])
  const filtered = Object.keys(filter).length > 0
  const livro = useLivro(empresa, filter)
  const selection = useSelection()
  const grid = useRef<HTMLTableElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const [opened, setOpened] = useState<Lancamento>()
  const [creating, setCreating] = useState<{ values: EntryValues; copied: boolean }>()
  const [paying, setPaying] = useState<readonly Lancamento[]>([])
  const [helping, setHelping] = useState(false)
  const toGrid = () => grid.current?.focus({ preventScroll: true })

  const [chosenIn, setChosenIn] = useState(livro.shown)
  if (chosenIn !== livro.shown) {
    // What another filter shows is not what was chosen.
    setChosenIn(livro.shown)
    selection.clear()
  }

  const acts = useActs((acao) => {
    selection.clear()
    if (acao === 'excluir') close()
    toGrid()
  })

  function open(entry: Lancamento) {
    setOpened(entry)
    navigate({ search: (before) => ({ ...before, lancamento: entry.id }) })
  }

  function close() {
    if (!lancamento) return
    // Who came by its address has no list to go back to.
    if (opened?.id === lancamento) history.back()
    else navigate({ search: ({ lancamento: _, ...rest }) => rest, replace: true })
    setOpened(undefined)
  }

  const create = () => setCreating({ values: emptyEntry(today(fuso_horario)), copied: false })
  function duplicate(entry: Lancamento) {
    close()
    setCreating({ values: copyOf(entry), copied: true })
  }

  useKeys({
    '/': () => searchBox.current?.focus(),
    '?': () => setHelping(true),
    ...(mayChange && { n: create, 'Ctrl+z': acts.undo }),
  })

  const { entries } = selection
  const nothing = !livro.isPending && livro.total === 0 && !livro.error
  return (
    <Page
      fill
      title="Lançamentos"
      actions={
        <>
          <Button
            kind="quiet"
            aria-label="Teclas"
            className="max-sm:hidden"
            onClick={() => setHelping(true)}
          >
            <Icon name="keyboard" />
          </Button>
          <a href={livroCsv(empresa, filter)} download className={iconLook}>
            <Icon name="download" className="size-4" />
            <span className="sr-only sm:not-sr-only">Exportar</span>
          </a>
          {mayChange && (
            <Link to="/e/$empresa/lancamentos/importar" params={{ empresa }} className={iconLook}>
              <Icon name="upload" className="size-4" />
              <span className="sr-only sm:not-sr-only">Importar</span>
            </Link>
          )}
          {mayChange && (
            <Button kind="main" className="max-sm:px-3" onClick={create}>
              <Icon name="plus" className="size-4" />
              <span className="sr-only sm:not-sr-only">Novo</span>
              <span className="sr-only"> lançamento</span>
            </Button>
          )}
        </>
      }
    >
      <Filters
        filter={filter}
        searchRef={searchBox}
        grid={grid}
        onFound={toGrid}
        onFilter={(changes) =>
          navigate({
            search: (before) => readSearch({ ...before, ...changes }),
            // A search that is being typed is one step of the history.
            replace: Boolean(changes.busca && filter.busca),
          })
        }
      />
      <FailureNotice failure={livro.error} retry={livro.retry} />
      <FailureNotice failure={acts.error} />
      <Book
        livro={livro}
        selection={selection}
        acts={acts}
        grid={grid}
        onOpen={open}
        onPay={setPaying}
        onDuplicate={duplicate}
      >
        {nothing && (
          <div className="p-4">
            <Empty
              icon="list"
              title={filtered ? 'Nenhum lançamento assim' : 'Nenhum lançamento ainda'}
              action={
                filtered ? (
                  <Button onClick={() => navigate({ search: {} })}>Ver todos</Button>
                ) : (
                  mayChange && <Button onClick={create}>Criar o primeiro</Button>
                )
              }
            >
              {filtered
                ? 'Nada corresponde aos filtros e à busca.'
                : 'Receitas, despesas e transferências da empresa aparecem aqui.'}
            </Empty>
          </div>
        )}
      </Book>
      <div className="grid gap-2">
        {entries.length > 0 && (
          <div className="flex flex-wrap items-center gap-2 rounded-xl bg-main-tint p-2 sm:pl-4">
            <div role="status" className="grow basis-0 sm:basis-auto">
              <Sums
                label={counted(entries.length, 'selecionado', 'selecionados')}
                somas={sumsOf(entries)}
              />
            </div>
            {mayChange && (
              <div className="max-sm:order-1 max-sm:w-full">
                <Actions entries={entries} acts={acts} onPay={setPaying} />
              </div>
            )}
            <Button kind="quiet" aria-label="Limpar a seleção" onClick={selection.clear}>
              <Icon name="close" className="size-4" />
            </Button>
          </div>
        )}
        <div className="px-2 sm:px-4">
          <Sums
            label={livro.somas ? counted(livro.total, 'lançamento', 'lançamentos') : 'Lançamentos'}
            somas={livro.somas}
          />
        </div>
      </div>
      {lancamento && (
        <EntryDialog
          key={lancamento}
          id={lancamento}
          known={opened?.id === lancamento ? opened : undefined}
          acts={acts}
          opener={grid}
          onClose={close}
          onDuplicate={duplicate}
        />
      )}
      <Dialog
        open={creating !== undefined}
        onOpenChange={() => setCreating(undefined)}
        opener={grid}
        title={creating?.copied ? 'Duplicar lançamento' : 'Novo lançamento'}
      >
        {creating && (
          <NewEntryForm
            initial={creating.values}
            draft={creating.copied ? undefined : `lancamento.${empresa}`}
            onClose={() => setCreating(undefined)}
          />
        )}
      </Dialog>
      <PayDialog
        entries={paying}
        opener={grid}
        onClose={() => setPaying([])}
        onPaid={selection.clear}
      />
      <KeysDialog open={helping} mayChange={mayChange} onClose={() => setHelping(false)} />
    </Page>
  )
}

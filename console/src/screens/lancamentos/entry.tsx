import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { lancamentoQuery } from '../../api/lancamentos.ts'
import { day, reais, today } from '../../lib/format.ts'
import { SITUACAO_WORDS, situacaoOf, TIPO_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { FailureNotice } from '../../ui/failure.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { buttonLook } from '../../ui/look.ts'
import { Notice } from '../../ui/notice.tsx'
import type { Opener } from '../../ui/returned-focus.ts'
import { Actions } from './actions.tsx'
import type { Acts } from './acts.ts'
import { EditEntryForm } from './entry-forms.tsx'
import { CategoriaNome, ParceiroNome } from './names.tsx'
import { PayDialog } from './pay-dialog.tsx'

interface Props {
  id: string
  /** As the list shows it, until it is read by itself. */
  known: Lancamento | undefined
  acts: Acts
  opener: Opener
  onClose: () => void
  onDuplicate: (entry: Lancamento) => void
}

/** One entry: for who may, with all that can be changed of it; else to be read. */
export function EntryDialog({ id, known, acts, opener, onClose, onDuplicate }: Props) {
  const { id: empresa, papel } = useEmpresa()
  const query = useQuery({
    ...lancamentoQuery(empresa, id),
    // Asked for anew at once, and kept where that fails: somebody may be typing already.
    ...(known && { initialData: { item: known }, initialDataUpdatedAt: 0 }),
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      opener={opener}
      title={query.data?.item.descricao ?? 'Lançamento'}
    >
      {query.error?.status === 404 ? (
        <Notice title="Este lançamento não existe nesta empresa">
          <p>Ele pode ter sido excluído, ou o endereço é de outra empresa.</p>
        </Notice>
      ) : (
        <Loaded query={query} lines={6}>
          {({ item }) =>
            papel === 'leitura' ? (
              <EntryFacts entry={item} />
            ) : (
              <Editable entry={item} acts={acts} onClose={onClose} onDuplicate={onDuplicate} />
            )
          }
        </Loaded>
      )}
    </Dialog>
  )
}

type EditableProps = Pick<Props, 'acts' | 'onClose' | 'onDuplicate'> & { entry: Lancamento }

function Editable({ entry, acts, onClose, onDuplicate }: EditableProps) {
  const { id: empresa, fuso_horario, modulos } = useEmpresa()
  const chargeable =
    entry.tipo === 'receita' && entry.status === 'em_aberto' && modulos.includes('cobrancas')
  const panel = useRef<HTMLDivElement>(null)
  const [paying, setPaying] = useState<readonly Lancamento[]>([])
  useEffect(() => {
    // Before the buttons: a hasty second Enter does nothing. A telephone keeps its keyboard down.
    const precise = matchMedia('(pointer: fine)').matches
    const field = precise && panel.current?.querySelector<HTMLElement>('[name=descricao]')
    ;(field || panel.current)?.focus()
  }, [])
  return (
    <div ref={panel} tabIndex={-1} className="grid gap-4">
      <EditEntryForm
        entry={entry}
        onClose={onClose}
        actions={
          <div className="grid gap-3">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <Situation entry={entry} today={today(fuso_horario)} />
              <Actions entries={[entry]} acts={acts} onPay={setPaying}>
                {chargeable && (
                  <Link
                    to="/e/$empresa/cobrancas"
                    params={{ empresa }}
                    search={{ lancamento: entry.id }}
                    className={buttonLook()}
                  >
                    Cobrar
                  </Link>
                )}
                <Button onClick={() => onDuplicate(entry)}>Duplicar</Button>
              </Actions>
            </div>
            <FailureNotice failure={acts.error} />
          </div>
        }
      />
      <PayDialog entries={paying} opener={panel} onClose={() => setPaying([])} />
    </div>
  )
}

function Situation({ entry, today }: { entry: Lancamento; today: string }) {
  const { name, tone } = SITUACAO_WORDS[situacaoOf(entry, today)]
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <Badge tone={tone}>{name}</Badge>
      {entry.valor_pago !== null && (
        <span className="text-soft">
          {reais(entry.valor_pago)} em {day(entry.data_pagamento!)}
        </span>
      )}
    </p>
  )
}

function EntryFacts({ entry }: { entry: Lancamento }) {
  const { fuso_horario } = useEmpresa()
  const { parceiro_id, categoria_id } = entry
  return (
    <>
      <Situation entry={entry} today={today(fuso_horario)} />
      <Facts
        items={[
          ['Tipo', TIPO_WORDS[entry.tipo]],
          ['Valor', reais(entry.valor)],
          ['Data', day(entry.data)],
          ['Vencimento', day(entry.vencimento)],
          ['Juros', entry.juros > 0 && reais(entry.juros)],
          ['Desconto', entry.desconto > 0 && reais(entry.desconto)],
          ['Parceiro', parceiro_id && <ParceiroNome id={parceiro_id} />],
          ['Contraparte', entry.contraparte],
          ['Categoria', categoria_id && <CategoriaNome id={categoria_id} />],
          ['Centro de custo', entry.centro_custo],
          ['Observações', entry.observacoes],
        ]}
      />
    </>
  )
}

import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { sendLote } from '../../api/lancamentos.ts'
import { useForm } from '../../lib/form.ts'
import { counted, reais, today } from '../../lib/format.ts'
import { parseReais } from '../../lib/money.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DayField, MoneyField } from '../../ui/field.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import type { Opener } from '../../ui/returned-focus.ts'
import { toast } from '../../ui/toasts.tsx'
import { told, useRefresh } from './acts.ts'

interface Props {
  /** Nothing is paid, and the dialog is closed, where there are none. */
  entries: readonly Lancamento[]
  opener: Opener
  onClose: () => void
  onPaid?: () => void
}

export function PayDialog({ entries, opener, onClose, onPaid }: Props) {
  const [only, another] = entries
  return (
    <Dialog
      open={entries.length > 0}
      onOpenChange={onClose}
      opener={opener}
      title="Marcar como pago"
      description={
        only && !another
          ? `${only.descricao}, ${reais(only.valor)}`
          : `${counted(entries.length, 'lançamento', 'lançamentos')}, cada um pelo seu valor.`
      }
    >
      <PayForm entries={entries} onClose={onClose} {...(onPaid && { onPaid })} />
    </Dialog>
  )
}

const amount = (text: string) => (text.trim() === '' ? 0 : parseReais(text))

function PayForm({ entries, onClose, onPaid }: Omit<Props, 'opener'>) {
  const { id: empresa, fuso_horario } = useEmpresa()
  const refresh = useRefresh()
  const only = entries.length === 1 ? entries[0] : undefined
  const form = useForm({
    initial: { data_pagamento: today(fuso_horario), juros: '', desconto: '' },
    check: ({ data_pagamento, juros, desconto }) => ({
      ...(data_pagamento ? {} : { data_pagamento: 'Informe o dia do pagamento.' }),
      ...(amount(juros) === undefined ? { juros: 'Informe um valor, como 12,50.' } : {}),
      ...(amount(desconto) === undefined ? { desconto: 'Informe um valor, como 12,50.' } : {}),
    }),
    send: ({ data_pagamento, juros, desconto }) =>
      sendLote(empresa, {
        acao: 'pagar',
        ids: entries.map(({ id }) => id),
        data_pagamento,
        ...(only && { juros: amount(juros)!, desconto: amount(desconto)! }),
      }),
    done() {
      toast(told('pagar', entries.length))
      refresh()
      onClose()
      onPaid?.()
    },
  })
  const { juros, desconto } = form.values
  const total = only && only.valor + (amount(juros) ?? 0) - (amount(desconto) ?? 0)
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <div className="grid gap-4 sm:grid-cols-3">
        <DayField label="Dia do pagamento" {...form.bind('data_pagamento')} />
        {only && <MoneyField label="Juros" {...form.bind('juros')} />}
        {only && <MoneyField label="Desconto" {...form.bind('desconto')} />}
      </div>
      {total !== undefined && (
        <p className="text-sm">
          Valor pago: <strong className="tabular-nums">{reais(total)}</strong>
        </p>
      )}
      <FormActions form={form} act="Marcar como pago" onClose={onClose} />
    </form>
  )
}

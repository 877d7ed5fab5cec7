import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Cobranca } from '../../../../src/cobrancas/schema.ts'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { cobrancasKey, issueCobranca } from '../../api/cobrancas.ts'
import { useEmpresa } from '../../api/eu.ts'
import { useForm } from '../../lib/form.ts'
import { today } from '../../lib/format.ts'
import { newKey } from '../../lib/key.ts'
import { parseReais, typedReais } from '../../lib/money.ts'
import { FORMA_WORDS } from '../../lib/words.ts'
import { DayField, MoneyField, SelectField, TextField } from '../../ui/field.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Options } from '../../ui/options.tsx'
import { ParceiroField } from '../../ui/parceiro-field.tsx'
import { toast } from '../../ui/toasts.tsx'

interface Props {
  /** What the charge is for, where it is for an entry. */
  entry?: Lancamento
  onClose: () => void
}

export function IssueForm({ entry, onClose }: Props) {
  const { id: empresa, fuso_horario } = useEmpresa()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const now = today(fuso_horario)
  const form = useForm({
    draft: `cobranca.${empresa}.${entry?.id ?? ''}`,
    initial: {
      valor: entry ? typedReais(entry.valor) : '',
      vencimento: entry && entry.vencimento > now ? entry.vencimento : now,
      forma: 'UNDEFINED' as string,
      descricao: entry?.descricao ?? '',
      parceiro_id: entry?.parceiro_id ?? '',
      lancamento_id: entry?.id ?? '',
      // With the rest of the draft: however often this form is sent, it issues one charge.
      chave: newKey(),
    },
    check: ({ valor, vencimento }) => ({
      ...(parseReais(valor) ? {} : { valor: 'Informe o valor, como 1.234,56.' }),
      ...(vencimento >= now ? {} : { vencimento: 'Escolha hoje ou um dia que virá.' }),
    }),
    send: ({ chave, ...values }) =>
      issueCobranca(
        empresa,
        {
          valor: parseReais(values.valor) ?? 0,
          vencimento: values.vencimento,
          forma: values.forma as Cobranca['forma'],
          descricao: values.descricao.trim() || null,
          parceiro_id: values.parceiro_id || null,
          lancamento_id: values.lancamento_id || null,
        },
        chave,
      ),
    done({ item, reaproveitada }) {
      queryClient.invalidateQueries({ queryKey: cobrancasKey(empresa) })
      toast(reaproveitada ? 'Esta cobrança já tinha sido emitida.' : 'Cobrança emitida.')
      navigate({ to: '/e/$empresa/cobrancas/$id', params: { empresa, id: item.id } })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      {entry && (
        <Notice
          tone={form.faults.lancamento_id ? 'bad' : 'info'}
          title={`Do lançamento ${entry.descricao}`}
        >
          <p>
            {form.faults.lancamento_id ??
              'Quando a cobrança for paga, o lançamento é marcado como pago.'}
          </p>
        </Notice>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyField label="Valor (R$)" {...form.bind('valor')} />
        <DayField label="Vencimento" {...form.bind('vencimento')} />
      </div>
      <SelectField label="Forma de pagamento" {...form.bind('forma')}>
        <Options words={FORMA_WORDS} />
      </SelectField>
      <TextField
        label="Descrição (opcional)"
        hint="Aparece para quem vai pagar."
        maxLength={500}
        autoComplete="off"
        {...form.bind('descricao')}
      />
      <ParceiroField label="Parceiro (opcional)" {...form.bind('parceiro_id')} />
      <FormActions form={form} act="Emitir cobrança" onClose={onClose} />
    </form>
  )
}

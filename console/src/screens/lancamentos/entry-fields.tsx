import { useQueryClient } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import type { Livro } from '../../../../src/lancamentos/livro-schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { lancamentosKey } from '../../api/lancamentos.ts'
import type { useForm } from '../../lib/form.ts'
import { SITUACAO_WORDS, TIPO_WORDS } from '../../lib/words.ts'
import { CategoriaField } from '../../ui/categoria-field.tsx'
import { DayField, MoneyField, SelectField, TextAreaField, TextField } from '../../ui/field.tsx'
import { Options } from '../../ui/options.tsx'
import { ParceiroField } from '../../ui/parceiro-field.tsx'
import { type EntryValues, isPaid } from './entry-values.tsx'

type EntryForm = Pick<ReturnType<typeof useForm<EntryValues, unknown>>, 'bind' | 'values' | 'set'>

interface Props {
  form: EntryForm
  creating: boolean
}

const STATUS = ['em_aberto', 'pago', 'cancelado'] as const

export function EntryFields({ form, creating }: Props) {
  const { bind, values, set } = form
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Descrição" maxLength={500} autoComplete="off" {...bind('descricao')} />
        <div className="grid grid-cols-2 gap-4">
          <SelectField
            label="Tipo"
            {...bind('tipo')}
            onChange={(tipo) => set('tipo', tipo as EntryValues['tipo'])}
          >
            <Options words={TIPO_WORDS} />
          </SelectField>
          <MoneyField label="Valor (R$)" {...bind('valor')} />
        </div>
        <div className="grid grid-cols-2 gap-4">
          <DayField label="Data" {...bind('data')} />
          <DayField label="Vencimento" {...bind('vencimento')} />
        </div>
        <SelectField
          label="Situação"
          {...bind('status')}
          onChange={(status) => set('status', status as EntryValues['status'])}
        >
          {STATUS.map((value) => (
            <option key={value} value={value}>
              {SITUACAO_WORDS[value].name}
            </option>
          ))}
        </SelectField>
        {isPaid(values) && (
          <div className="grid gap-4 sm:col-span-2 sm:grid-cols-3">
            <DayField label="Pago em" {...bind('data_pagamento')} />
            <MoneyField label="Juros (R$)" {...bind('juros')} />
            <MoneyField label="Desconto (R$)" {...bind('desconto')} />
          </div>
        )}
        <ParceiroField {...bind('parceiro_id')} />
        <TextField
          label="Contraparte"
          maxLength={200}
          autoComplete="off"
          hint={creating && values.parceiro_id ? 'Em branco, o nome do parceiro.' : undefined}
          {...bind('contraparte')}
        />
        <CategoriaField {...bind('categoria_id')} />
        <CentroField {...bind('centro_custo')} />
      </div>
      <TextAreaField label="Observações" rows={2} maxLength={5000} {...bind('observacoes')} />
    </>
  )
}

interface CentroProps {
  value: string
  fault?: string | undefined
  onChange: (value: string) => void
}

/** Free text; those of the entries that were seen are offered. */
export function CentroField(field: CentroProps) {
  const { id: empresa } = useEmpresa()
  const client = useQueryClient()
  const list = useId()
  const known = useMemo(() => {
    const pages = client.getQueriesData<Livro>({ queryKey: [...lancamentosKey(empresa), 'livro'] })
    const entries = pages.flatMap(([, page]) => page?.items ?? [])
    return [...new Set(entries.map((entry) => entry.centro_custo ?? ''))].filter(Boolean).sort()
  }, [client, empresa])
  return (
    <>
      <TextField label="Centro de custo" maxLength={200} list={list} {...field} />
      <datalist id={list}>
        {known.map((centro) => (
          <option key={centro} value={centro} />
        ))}
      </datalist>
    </>
  )
}

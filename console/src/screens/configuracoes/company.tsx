import { useQueryClient } from '@tanstack/react-query'
import { MODULOS } from '../../../../src/auth/actor.ts'
import { changeEmpresa } from '../../api/empresa.ts'
import { euQuery, useEmpresa } from '../../api/eu.ts'
import { useForm } from '../../lib/form.ts'
import { MODULO_WORDS } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Check, CheckGroup } from '../../ui/check.tsx'
import { FailureNotice } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'
import { TimeZoneField } from './time-zone.tsx'

export function Company() {
  const { id, nome, fuso_horario, modulos } = useEmpresa()
  const queryClient = useQueryClient()
  const form = useForm({
    draft: `empresa.${id}`,
    initial: { nome, fuso_horario, modulos },
    check: (values) => ({ ...(values.nome.trim() ? {} : { nome: 'Informe o nome da empresa.' }) }),
    send: async (values) => {
      await changeEmpresa(id, { ...values, nome: values.nome.trim() })
      await queryClient.invalidateQueries({ queryKey: euQuery.queryKey })
    },
    done: () => toast('Alterações salvas.'),
  })
  return (
    <Card title="Empresa">
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Nome"
            maxLength={200}
            autoComplete="organization"
            {...form.bind('nome')}
          />
          <TimeZoneField {...form.bind('fuso_horario')} />
        </div>
        <CheckGroup legend="Módulos" fault={form.faults.modulos}>
          {MODULOS.map((modulo) => (
            <Check
              key={modulo}
              label={MODULO_WORDS[modulo].name}
              hint={MODULO_WORDS[modulo].meaning}
              checked={form.values.modulos.includes(modulo)}
              onChange={(on) =>
                form.set(
                  'modulos',
                  MODULOS.filter((one) =>
                    one === modulo ? on : form.values.modulos.includes(one),
                  ),
                )
              }
            />
          ))}
        </CheckGroup>
        <FailureNotice failure={form.failure} />
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" kind="main" pending={form.pending}>
            Salvar
          </Button>
          {form.changed && !form.pending && (
            <>
              <Button kind="quiet" onClick={() => form.reset()}>
                Descartar alterações
              </Button>
              <span className="text-sm text-soft">Há alterações que não foram salvas.</span>
            </>
          )}
        </div>
      </form>
    </Card>
  )
}

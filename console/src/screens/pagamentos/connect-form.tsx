import { useQueryClient } from '@tanstack/react-query'
import { useEmpresa } from '../../api/eu.ts'
import {
  type Conta,
  type ContaConectada,
  connectProvedor,
  provedorQuery,
} from '../../api/provedor.ts'
import { useForm } from '../../lib/form.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { PasswordField, SelectField } from '../../ui/field.tsx'

interface ConnectProps {
  current: Conta | null
  onConnected: (conta: ContaConectada) => void
  onClose: () => void
}

type Ambiente = 'producao' | 'testes'

export function ConnectForm({ current, onConnected, onClose }: ConnectProps) {
  const { id } = useEmpresa()
  const queryClient = useQueryClient()
  const form = useForm({
    initial: {
      provedor: current ? 'asaas' : 'sandbox',
      ambiente: (current?.base_url ? 'testes' : 'producao') as string,
      chave: '',
    },
    check: ({ provedor, chave }) => ({
      ...(provedor === 'asaas' && !chave.trim()
        ? { chave: 'Informe a chave de API do Asaas.' }
        : {}),
    }),
    send: ({ provedor, ambiente, chave }) =>
      connectProvedor(
        id,
        provedor === 'asaas'
          ? { provedor, ambiente: ambiente as Ambiente, chave: chave.trim() }
          : { provedor: 'sandbox' },
      ),
    done(conta) {
      queryClient.invalidateQueries({ queryKey: provedorQuery(id).queryKey })
      onConnected(conta)
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {!current && (
        <SelectField label="Provedor" {...form.bind('provedor')}>
          <option value="sandbox">Ambiente de testes, sem dinheiro de verdade</option>
          <option value="asaas">Asaas</option>
        </SelectField>
      )}
      {form.values.provedor === 'asaas' && (
        <>
          {!current && (
            <SelectField label="Ambiente do Asaas" {...form.bind('ambiente')}>
              <option value="producao">Produção</option>
              <option value="testes">Testes (sandbox do Asaas)</option>
            </SelectField>
          )}
          <PasswordField
            label="Chave de API do Asaas"
            autoComplete="off"
            hint="No Asaas: Integrações, Chaves de API. Ela é guardada cifrada e nunca mais é mostrada."
            {...form.bind('chave')}
          />
        </>
      )}
      <DialogActions failure={form.failure}>
        <Button onClick={onClose}>Cancelar</Button>
        <Button type="submit" kind="main" pending={form.pending}>
          {current ? 'Trocar a chave' : 'Conectar'}
        </Button>
      </DialogActions>
    </form>
  )
}

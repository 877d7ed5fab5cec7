import { queryOptions } from '@tanstack/react-query'
import { get, post, remove } from './call.ts'

export interface Conta {
  id: string
  provedor: string
  base_url: string | null
  conectada_em: string
}

interface NovaConta {
  provedor: 'sandbox' | 'asaas'
  ambiente?: 'producao' | 'testes'
  chave?: string
}

export interface ContaConectada {
  id: string
  webhook_url?: string
  webhook_token?: string
}

export const provedorQuery = (empresa: string) =>
  queryOptions({
    queryKey: ['e', empresa, 'provedor'],
    queryFn: ({ signal }) => get<{ item: Conta | null }>(`/e/${empresa}/provedor`, signal),
  })

export const connectProvedor = (empresa: string, values: NovaConta) =>
  post<ContaConectada>(`/e/${empresa}/provedor`, values)
export const disconnectProvedor = (empresa: string) => remove(`/e/${empresa}/provedor`)

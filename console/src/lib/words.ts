import type { Modulo } from '../../../src/auth/actor.ts'
import type { Scope } from '../../../src/auth/scopes.ts'
import type { Cobranca } from '../../../src/cobrancas/schema.ts'
import type { EventKind } from '../../../src/events/catalogue.ts'
import type { Lancamento } from '../../../src/lancamentos/schema.ts'
import type { Parceiro } from '../../../src/parceiros/schema.ts'
import type { Papel } from '../../../src/usuarios/papeis.ts'
import type { Delivery } from '../../../src/webhooks/delivery-schema.ts'

export const PAPEL_WORDS: Record<Papel, { name: string; meaning: string }> = {
  admin: { name: 'Administrador', meaning: 'Faz tudo, inclusive cuidar de pessoas e integrações.' },
  financeiro: { name: 'Financeiro', meaning: 'Cuida dos lançamentos e das cobranças.' },
  leitura: { name: 'Leitura', meaning: 'Vê tudo e não altera nada.' },
}

export const MODULO_WORDS: Record<Modulo, { name: string; meaning: string }> = {
  cobrancas: {
    name: 'Cobranças',
    meaning: 'Emitir boletos, PIX e cartão por uma conta de pagamento.',
  },
  integracoes: { name: 'Integrações', meaning: 'Avisar outros sistemas por webhooks.' },
}

export const SCOPE_WORDS: Record<Scope, string> = {
  'lancamentos:read': 'Ver lançamentos e o resumo',
  'lancamentos:write': 'Criar e alterar lançamentos, e marcar como pagos',
  'lancamentos:delete': 'Excluir lançamentos',
  'parceiros:read': 'Ver parceiros',
  'parceiros:write': 'Criar e alterar parceiros',
  'parceiros:delete': 'Excluir parceiros',
  'categorias:read': 'Ver categorias',
  'categorias:write': 'Criar, alterar e excluir categorias',
  'cobrancas:read': 'Ver cobranças',
  'cobrancas:write': 'Emitir e cancelar cobranças',
  'webhooks:read': 'Ver webhooks, suas entregas e os eventos',
  'webhooks:write': 'Criar, alterar, testar e reenviar webhooks',
  'webhooks:delete': 'Remover webhooks',
}

export const RESOURCE_WORDS: Record<string, string> = {
  lancamentos: 'Lançamentos',
  parceiros: 'Parceiros',
  categorias: 'Categorias',
  cobrancas: 'Cobranças',
  webhooks: 'Webhooks',
}

export const PRESET_WORDS: Record<string, string> = {
  leitura: 'Leitura',
  'leitura-escrita': 'Leitura e escrita',
  total: 'Total',
}

export const EVENT_GROUPS: Record<string, string> = {
  lancamento: 'Lançamentos',
  parceiro: 'Parceiros',
  categoria: 'Categorias',
  conta_bancaria: 'Contas bancárias',
  nfse: 'Notas fiscais de serviço',
  cobranca: 'Cobranças',
  orcamento: 'Orçamentos',
  anexo: 'Anexos',
}

export const groupOf = (kind: EventKind) => kind.slice(0, kind.indexOf('.'))

type Tone = 'good' | 'bad' | 'warn' | 'info' | 'plain'

export const STATUS_WORDS: Record<Delivery['status'], { name: string; many: string; tone: Tone }> =
  {
    delivered: { name: 'Entregue', many: 'entregues', tone: 'good' },
    pending: { name: 'Pendente', many: 'pendentes', tone: 'warn' },
    dead: { name: 'Não entregue', many: 'não entregues', tone: 'bad' },
  }

export const TIPO_WORDS: Record<Lancamento['tipo'], string> = {
  receita: 'Receita',
  despesa: 'Despesa',
  transferencia: 'Transferência',
}

export type Situacao = Lancamento['status'] | 'vencido'

export const SITUACAO_WORDS: Record<Situacao, { name: string; tone: Tone }> = {
  em_aberto: { name: 'Em aberto', tone: 'info' },
  vencido: { name: 'Vencido', tone: 'bad' },
  pago: { name: 'Pago', tone: 'good' },
  cancelado: { name: 'Cancelado', tone: 'plain' },
}

/** An open entry is overdue from the day after it was due. */
export const situacaoOf = (
  { status, vencimento }: Pick<Lancamento, 'status' | 'vencimento'>,
  today: string,
): Situacao => (status === 'em_aberto' && vencimento < today ? 'vencido' : status)

export const REASON_WORDS: Record<string, string> = {
  'subscription-removed': 'A assinatura foi removida antes da entrega.',
  'redirect-not-followed': 'O servidor redirecionou, e redirecionamentos não são seguidos.',
}

export const ERROR_WORDS: Record<string, string> = {
  timeout: 'Demorou demais',
  dns: 'Nome não encontrado',
  tls: 'Falha no TLS',
  connection: 'Falha na conexão',
  'address-refused': 'Endereço recusado',
}

export const PARCEIRO_WORDS: Record<Parceiro['tipo'], string> = {
  cliente: 'Cliente',
  fornecedor: 'Fornecedor',
  ambos: 'Cliente e fornecedor',
}

export const COBRANCA_WORDS: Record<
  Cobranca['status'],
  { name: string; tone: Tone; meaning: string }
> = {
  emitindo: {
    name: 'Emitindo',
    tone: 'info',
    meaning: 'O provedor de pagamento ainda não confirmou a emissão. Ela é conferida sozinha.',
  },
  pendente: { name: 'A pagar', tone: 'info', meaning: 'Emitida e ainda não paga.' },
  vencida: { name: 'Vencida', tone: 'warn', meaning: 'O vencimento passou; ainda pode ser paga.' },
  paga: { name: 'Paga', tone: 'good', meaning: 'O pagamento foi confirmado.' },
  cancelada: { name: 'Cancelada', tone: 'plain', meaning: 'Não pode mais ser paga.' },
  estornada: { name: 'Estornada', tone: 'bad', meaning: 'Foi paga e o dinheiro foi devolvido.' },
  falhou: { name: 'Não emitida', tone: 'bad', meaning: 'O provedor de pagamento a recusou.' },
}

export const FORMA_WORDS: Record<Cobranca['forma'], string> = {
  UNDEFINED: 'Quem paga escolhe',
  PIX: 'PIX',
  BOLETO: 'Boleto',
  CREDIT_CARD: 'Cartão de crédito',
}

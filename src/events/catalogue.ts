/** The kinds of event there are. What stands before the dot names the resource that `data` holds. */
export const EVENT_KINDS = [
  'lancamento.created',
  'lancamento.updated',
  'lancamento.deleted',
  'lancamento.paid',
  'lancamento.unpaid',
  'parceiro.created',
  'parceiro.updated',
  'parceiro.deleted',
  'categoria.created',
  'categoria.updated',
  'categoria.deleted',
  'conta_bancaria.created',
  'conta_bancaria.updated',
  'conta_bancaria.deleted',
  'nfse.emitida',
  'nfse.cancelada',
  'cobranca.criada',
  'cobranca.paga',
  'cobranca.cancelada',
  'orcamento.criado',
  'orcamento.atualizado',
  'anexo.adicionado',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

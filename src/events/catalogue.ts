/** What can happen. What stands before the dot names the resource that the event's `data` holds. */
export const EVENTS = {
  'lancamento.created': 'Lançamento criado.',
  'lancamento.updated': 'Lançamento alterado.',
  'lancamento.deleted': 'Lançamento excluído.',
  'lancamento.paid': 'Lançamento marcado como pago.',
  'lancamento.unpaid': 'Pagamento de um lançamento revertido.',
  'parceiro.created': 'Parceiro criado.',
  'parceiro.updated': 'Parceiro alterado.',
  'parceiro.deleted': 'Parceiro excluído.',
  'categoria.created': 'Categoria criada.',
  'categoria.updated': 'Categoria alterada.',
  'categoria.deleted': 'Categoria excluída.',
  'conta_bancaria.created': 'Conta bancária criada.',
  'conta_bancaria.updated': 'Conta bancária alterada.',
  'conta_bancaria.deleted': 'Conta bancária excluída.',
  'nfse.emitida': 'Nota fiscal de serviço emitida.',
  'nfse.cancelada': 'Nota fiscal de serviço cancelada.',
  'cobranca.criada': 'Cobrança criada.',
  'cobranca.paga': 'Cobrança paga.',
  'cobranca.cancelada': 'Cobrança cancelada.',
  'orcamento.criado': 'Orçamento criado.',
  'orcamento.atualizado': 'Orçamento alterado.',
  'anexo.adicionado': 'Anexo adicionado.',
} as const

export type EventKind = keyof typeof EVENTS

export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[]

export function resourceOf(kind: EventKind): string {
  return kind.slice(0, kind.indexOf('.'))
}

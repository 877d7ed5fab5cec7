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
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

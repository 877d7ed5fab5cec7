/** Every refusal of the API: its code, its status and what a person reads. */
export const catalogue = {
  'invalid-request': { status: 400, detail: 'A requisição HTTP está malformada.' },
  'invalid-json': { status: 400, detail: 'O corpo da requisição não é um JSON válido.' },
  'invalid-body': { status: 400, detail: 'O corpo da requisição é inválido.' },
  'invalid-query': { status: 400, detail: 'Os parâmetros da consulta são inválidos.' },
  'arquivo-recusado': { status: 400, detail: 'O arquivo não pode ser importado.' },
  'webhook-url-refused': { status: 400, detail: 'O endereço do webhook não é aceito.' },
  'missing-api-key': {
    status: 401,
    detail: 'Envie a chave de API no cabeçalho Authorization: Bearer <chave> ou x-api-key.',
  },
  'invalid-api-key': { status: 401, detail: 'A chave de API não é válida.' },
  'revoked-api-key': { status: 401, detail: 'A chave de API foi revogada.' },
  'expired-api-key': { status: 401, detail: 'A chave de API expirou.' },
  'not-signed-in': { status: 401, detail: 'Entre com seu e-mail e senha.' },
  'wrong-password': { status: 401, detail: 'O e-mail ou a senha não confere.' },
  'cross-origin': { status: 403, detail: 'Somente as páginas da própria aplicação chamam isto.' },
  'insufficient-role': { status: 403, detail: 'Seu papel nesta empresa não permite isto.' },
  'insufficient-scope': { status: 403, detail: 'A chave não tem o escopo necessário.' },
  'module-required': { status: 403, detail: 'O módulo necessário não está ativo na empresa.' },
  'not-found': { status: 404, detail: 'O recurso não existe.' },
  'method-not-allowed': { status: 405, detail: 'O método não é aceito neste endereço.' },
  'duplicate-name': { status: 409, detail: 'Já existe um registro com este nome.' },
  'duplicate-documento': { status: 409, detail: 'Já existe um parceiro com este documento.' },
  'parceiro-in-use': {
    status: 409,
    detail: 'O parceiro está em uso e não pode ser excluído; defina ativo como false.',
  },
  'lancamento-status': {
    status: 409,
    detail: 'O lançamento não está na situação que esta ação pede.',
  },
  'lancamento-not-deleted': { status: 409, detail: 'O lançamento não está excluído.' },
  'categoria-in-use': {
    status: 409,
    detail:
      'Há lançamentos nesta categoria, e ela não pode ser excluída; mude-os de categoria antes.',
  },
  'cobranca-not-cancelable': {
    status: 409,
    detail: 'Somente uma cobrança a pagar pode ser cancelada.',
  },
  'webhook-limit-reached': {
    status: 409,
    detail: 'A empresa já tem 10 assinaturas de webhook; remova uma para criar outra.',
  },
  'importacao-com-faltas': {
    status: 409,
    detail: 'O arquivo tem linhas com erros; corrija-as e envie-o de novo. Nada foi importado.',
  },
  'importacao-feita': { status: 409, detail: 'Esta importação já foi feita.' },
  'importacoes-demais': {
    status: 409,
    detail: 'A empresa já tem 20 arquivos à espera; importe ou descarte um deles.',
  },
  'payment-account-in-use': {
    status: 409,
    detail: 'A conta de pagamento está em uso.',
  },
  'payment-account-not-connected': {
    status: 409,
    detail: 'A empresa não tem conta de pagamento conectada; conecte uma para emitir cobranças.',
  },
  'idempotency-in-progress': {
    status: 409,
    detail: 'A primeira requisição com esta Idempotency-Key ainda está em andamento.',
  },
  'payload-too-large': { status: 413, detail: 'O corpo da requisição passa de 1 MiB.' },
  'unsupported-media-type': {
    status: 415,
    detail: 'O corpo deve ser enviado como application/json, em UTF-8 e sem compressão.',
  },
  'parceiro-sem-documento': {
    status: 422,
    detail: 'O provedor exige um parceiro com CPF ou CNPJ; informe parceiro_id e seu documento.',
  },
  'provider-refused': { status: 422, detail: 'O provedor de pagamento recusou a cobrança.' },
  'headers-too-large': { status: 431, detail: 'O endereço e os cabeçalhos passam de 16 KiB.' },
  'rate-limited': { status: 429, detail: 'Limite de requisições excedido.' },
  'internal-error': { status: 500, detail: 'Erro interno. Informe o request_id ao suporte.' },
  'provider-unavailable': {
    status: 502,
    detail:
      'O provedor de pagamento não respondeu. A cobrança será conferida; repita com a mesma Idempotency-Key para ver como ficou.',
  },
  unavailable: {
    status: 503,
    detail: 'O serviço está temporariamente indisponível. Tente novamente em instantes.',
  },
} as const satisfies Record<string, { status: number; detail: string }>

export type ErrorCode = keyof typeof catalogue

/** One fault of a body or query, for a program: the same that `detail` says for a person. */
export interface FieldFault {
  field: string
  message: string
}

interface Extras {
  /** What the caller is told; the catalogue's text where it is left out. */
  detail?: string
  scope?: string
  errors?: FieldFault[]
  headers?: Record<string, string>
  /** What only the log is told. */
  cause?: unknown
}

/** A refusal on its way to the caller. Nothing but `detail` and the extras is ever shown. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly detail: string
  readonly scope: string | undefined
  readonly errors: FieldFault[] | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, extras: Extras = {}) {
    super(code, { cause: extras.cause })
    this.code = code
    this.status = catalogue[code].status
    this.detail = extras.detail ?? catalogue[code].detail
    this.scope = extras.scope
    this.errors = extras.errors
    this.headers = extras.headers ?? {}
  }
}

/** A 400 that names every faulty field, for a person and for a program. */
export function invalid(code: 'invalid-body' | 'invalid-query', errors: FieldFault[]): ApiError {
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ')
  return new ApiError(code, { detail: `${detail}.`, errors })
}

/** A 429: the reason, and in how many seconds it is worth another try. */
export function tooMany(reason: string, secondsLeft: number): ApiError {
  return new ApiError('rate-limited', {
    detail: `${reason} Tente novamente em ${secondsLeft} s.`,
    headers: { 'retry-after': String(secondsLeft) },
  })
}

/** A mistake of whoever runs the service: told in one sentence, without a stack trace. */
export class OperatorError extends Error {}

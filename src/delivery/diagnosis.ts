interface Attempt {
  /** Where it was sent; a redirect may be relative to it. */
  url: string
  status: number | null
  /** The class of the failure. */
  error: string | null
  errorDetail: string | null
  responseHeaders: readonly (readonly [name: string, value: string])[] | null
}

/** What happened and what to do about it, for the person who runs the receiver; null where all is well. */
export function diagnose(attempt: Attempt): string | null {
  const { status, error, errorDetail } = attempt
  if (error !== null) return ofFailure(error, errorDetail ?? '')
  if (status === null || status < 300) return null
  if (status < 400) return ofRedirect(attempt, status)
  const advice = ADVICE[status]
  if (advice) return `O servidor respondeu ${status}: ${advice}`
  return status < 500
    ? `O servidor recusou a entrega com ${status}. Veja o motivo na resposta e corrija o que trata o pedido.`
    : `O servidor respondeu ${status}: falhou ao tratar a entrega. Procure o erro nos registros dele.`
}

const NO_ACCESS =
  'não deixou a entrega entrar. Ela não leva senha nem token: libere esse caminho e confira a assinatura que vem em X-SVC-Signature.'

const ADVICE: Record<number, string> = {
  401: NO_ACCESS,
  403: NO_ACCESS,
  404: 'não há nada nesse caminho. Confira a URL cadastrada.',
  405: 'esse caminho não aceita POST. Aceite POST nele ou cadastre a URL que aceita.',
  410: 'a assinatura foi desativada.',
  413: 'a entrega passa do tamanho que ele aceita. Aumente o limite do corpo dos pedidos.',
  415: 'ele não aceita o tipo da entrega. Aceite Content-Type: application/json.',
  429: 'recebeu pedidos demais. Aumente o limite para as entregas.',
}

function ofRedirect({ url, responseHeaders }: Attempt, status: number): string {
  const location = responseHeaders?.find(([name]) => name.toLowerCase() === 'location')?.[1]
  const target = location ? URL.parse(location, url) : null
  if (!target) {
    return `O servidor respondeu ${status}, que é um redirecionamento, sem dizer para onde. Responda 2xx ao receber a entrega.`
  }
  // From http, which only development has, it may lead to http.
  if (target.protocol !== 'https:' && target.protocol !== URL.parse(url)?.protocol) {
    return `O servidor redirecionou para ${target.href}, que não usa https. Cadastre um endereço https que receba a entrega sem redirecionar.`
  }
  return `O servidor redirecionou para ${target.href}: cadastre esse endereço. Redirecionamentos não são seguidos.`
}

function ofFailure(error: string, detail: string): string {
  // Of a refused address the detail is the reason, a sentence.
  if (error === 'address-refused') {
    return `${detail || 'O endereço não é público.'} Cadastre uma URL https de um servidor público.`
  }
  const [code = '', ...facts] = detail.split(' ')
  if (error === 'timeout') return ofTimeout(code)
  if (error === 'dns') return ofDns(code)
  if (error === 'tls') return ofTls(code, facts)
  return ofConnection(code)
}

function ofTimeout(step: string): string {
  switch (step) {
    case 'dns':
      return 'O DNS demorou mais de 10 s para dizer o endereço do servidor. Confira os servidores de DNS do domínio.'
    case 'connect':
      return 'O servidor demorou mais de 10 s para aceitar a conexão. Confira se ele está no ar e se o firewall deixa a conexão passar.'
    case 'tls':
      return 'O servidor demorou mais de 10 s para iniciar o TLS. Confira se essa porta é a do https.'
    case 'body':
      return 'O servidor demorou mais de 10 s para terminar a resposta que começou. Responda 2xx com um corpo curto.'
    default:
      return 'O servidor demorou mais de 10 s para responder. Responda 2xx assim que receber a entrega e trate-a depois.'
  }
}

function ofDns(code: string): string {
  return code === 'ENOTFOUND' || code === 'ENODATA'
    ? 'O nome do servidor não foi encontrado no DNS. Confira a URL cadastrada e os registros A e AAAA do domínio.'
    : 'O DNS não conseguiu dizer o endereço do servidor. Confira os servidores de DNS do domínio.'
}

function ofTls(code: string, facts: string[]): string {
  const fact = (name: string) =>
    facts.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1)
  switch (code) {
    case 'CERT_HAS_EXPIRED': {
      const end = fact('valid_to')
      return end
        ? `O certificado expirou em ${day(end)}. Renove-o no servidor.`
        : 'Um certificado da cadeia do servidor expirou. Renove a cadeia no servidor.'
    }
    case 'CERT_NOT_YET_VALID': {
      const start = fact('valid_from')
      return start
        ? `O certificado só vale a partir de ${day(start)}. Instale no servidor um que já valha.`
        : 'Um certificado da cadeia do servidor ainda não vale. Troque a cadeia no servidor.'
    }
    case 'ERR_TLS_CERT_ALTNAME_INVALID': {
      const names = fact('names')?.replaceAll(',', ', ')
      return `O certificado não vale para o nome da URL${names ? `, só para ${names}` : ''}. Instale no servidor um certificado desse nome ou cadastre a URL com o nome certo.`
    }
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return 'O certificado é autoassinado. Instale no servidor um de uma autoridade reconhecida.'
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return 'O certificado é de uma autoridade que não é reconhecida. Instale no servidor um de uma autoridade reconhecida.'
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'O certificado não leva a uma autoridade reconhecida. Configure o servidor para enviar a cadeia completa, com os certificados intermediários.'
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return 'O servidor não fala TLS nessa porta. Confira a porta da URL cadastrada.'
    default:
      return `A conexão segura (TLS) falhou${code && ` com ${code}`}. Confira o certificado do servidor e se ele aceita TLS 1.2 ou 1.3.`
  }
}

function ofConnection(code: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'O servidor recusou a conexão. Confira se ele está no ar e se a porta da URL é a certa.'
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return 'O servidor encerrou a conexão sem dar uma resposta completa. Procure o motivo nos registros dele ou do proxy à sua frente.'
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return 'Não há caminho até o servidor. Confira o endereço dele no DNS, a rede e o firewall.'
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'HPE_HEADER_OVERFLOW':
      return 'O servidor respondeu com cabeçalhos grandes demais. Responda 2xx com poucos cabeçalhos.'
    default:
      return code.startsWith('HPE_')
        ? 'O que o servidor respondeu não é HTTP válido. Confira se a porta da URL é a de um servidor HTTP.'
        : `A conexão com o servidor falhou${code && ` com ${code}`}. Confira se ele está no ar.`
  }
}

/** As tools that show certificates do, in UTC. */
function day(time: string): string {
  return time.slice(0, 10).split('-').reverse().join('/')
}

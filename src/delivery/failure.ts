import type { X509Certificate } from 'node:crypto'
import { errors } from 'undici'
import { AddressRefused } from './address-guard.ts'
import type { Attempt } from './attempt.ts'

/** How an attempt can fail without an answer. */
export type FailureClass = 'timeout' | 'dns' | 'tls' | 'connection' | 'address-refused'

/** Of a certificate of other names, so many are told. */
const SHOWN_NAMES = 5

/** What Node and OpenSSL call faults of a handshake or a certificate. */
const TLS_CODES =
  /CERT|SSL|TLS|EPROTO|UNABLE_TO|SELF_SIGNED|INVALID_(PURPOSE|CA)|PATH_LENGTH|HOSTNAME/

export function classify(error: unknown): FailureClass {
  if (error instanceof AddressRefused) return 'address-refused'
  if (error instanceof errors.ConnectTimeoutError) return 'timeout'
  const { code = '', syscall = '', name = '' } = error as Record<string, string | undefined>
  if (
    /^(query|getaddrinfo)/i.test(syscall) ||
    /^(ENOTFOUND|ENODATA|ESERVFAIL|ETIMEOUT|EAI_)/.test(code)
  ) {
    return 'dns'
  }
  if (TLS_CODES.test(`${code} ${name}`)) return 'tls'
  return 'connection'
}

export function detailOf(error: unknown, { certificate }: Attempt): string | null {
  if (error instanceof AddressRefused) return error.reason
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return null
  return certificate ? [code, ...faultsOf(certificate, code)].join(' ') : code
}

/** Of a chain it may be another certificate that has expired, or is not valid yet. */
function faultsOf(certificate: X509Certificate, code: string): string[] {
  const { validFromDate: from, validToDate: to } = certificate
  const now = Date.now()
  if (code === 'CERT_HAS_EXPIRED' && +to < now) return [`valid_to=${to.toISOString()}`]
  if (code === 'CERT_NOT_YET_VALID' && +from > now) return [`valid_from=${from.toISOString()}`]
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return [`names=${namesOf(certificate).join()}`]
  return []
}

/** The first few: a certificate may have hundreds. Names that are none are nobody's to show. */
function namesOf({ subjectAltName, subject }: X509Certificate): string[] {
  // Either may be missing, whatever its type says.
  const names = subjectAltName
    ? subjectAltName.matchAll(/(?<=^|, )(?:DNS|IP Address):([\w.*:-]{1,253})(?=,|$)/g)
    : (subject ?? '').matchAll(/^CN=([\w.*-]{1,253})$/gm)
  return [...names].map((match) => match[1]!).slice(0, SHOWN_NAMES)
}

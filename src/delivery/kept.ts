import type { Outcome } from './sender.ts'
import { withoutSecrets } from './sign.ts'

/** What is kept and shown of an attempt: never a secret or a signature that came back with the answer. */
export function keptOf(
  outcome: Outcome,
  secrets: readonly string[],
  sentHeaders: Record<string, string>,
) {
  const { status, error, address, errorDetail, response, responseHeaders, timings } = outcome
  const clean = (text: string | null) => text && withoutSecrets(text, secrets, sentHeaders)
  return {
    ...{ status, error, address, error_detail: errorDetail },
    response: clean(response),
    response_headers: clean(responseHeaders && JSON.stringify(responseHeaders)),
    dns_ms: timings.dns,
    connect_ms: timings.connect,
    tls_ms: timings.tls,
    first_byte_ms: timings.firstByte,
  }
}

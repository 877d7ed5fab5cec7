import { createHmac } from 'node:crypto'

interface Signed {
  /** Those in force, the newest first: while one is replaced there are two. */
  secrets: readonly string[]
  /** The same for every attempt of a delivery: what a receiver dedupes on. */
  id: string
  /** Unix time of the attempt, in seconds. */
  timestamp: number
  body: string
}

/** The headers by which a receiver knows a delivery for genuine: ours by the newest secret, theirs by each. */
export function signatureHeaders({ secrets, id, timestamp, body }: Signed): Record<string, string> {
  const [newest = ''] = secrets
  return {
    'x-svc-timestamp': String(timestamp),
    'x-svc-signature': `sha256=${hmac(newest, `${timestamp}.${body}`, 'hex')}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets
      .map((secret) => `v1,${hmac(rawKey(secret), `${id}.${timestamp}.${body}`, 'base64')}`)
      .join(' '),
  }
}

/** A receiver may answer with what it was sent, or signs with; of that nothing is kept. */
export function withoutSecrets(
  text: string,
  secrets: readonly string[],
  headers: Record<string, string>,
): string {
  const hex = headers['x-svc-signature']!.slice('sha256='.length)
  const base64 = headers['webhook-signature']!.split(' ').map((each) => each.slice('v1,'.length))
  let rest = text
  for (const hidden of [...secrets, hex, ...base64]) {
    // Some write / with a backslash in JSON.
    rest = rest.replaceAll(hidden, '…').replaceAll(hidden.replaceAll('/', '\\/'), '…')
  }
  return rest
}

/** Of Standard Webhooks the key is what the base64 holds; of ours it is the whole text as shown. */
function rawKey(secret: string): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64')
}

function hmac(key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text).digest(encoding)
}

import { createHmac } from 'node:crypto'

interface Signed {
  secret: string
  /** The same for every attempt of a delivery: what a receiver dedupes on. */
  id: string
  /** Unix time of the attempt, in seconds. */
  timestamp: number
  body: string
}

/** The headers by which a receiver knows a delivery for genuine, in both forms. */
export function signatureHeaders({ secret, id, timestamp, body }: Signed): Record<string, string> {
  return {
    'x-svc-timestamp': String(timestamp),
    'x-svc-signature': `sha256=${hmac(secret, `${timestamp}.${body}`, 'hex')}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${hmac(rawKey(secret), `${id}.${timestamp}.${body}`, 'base64')}`,
  }
}

/** Of Standard Webhooks the key is what the base64 holds; of ours it is the whole text as shown. */
function rawKey(secret: string): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64')
}

function hmac(key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text).digest(encoding)
}

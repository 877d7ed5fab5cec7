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

/** Of an answer so much is shown. */
const SHOWN_BYTES = 4 * 1024

/**
 * What is kept of an answer. A receiver may answer with what it was sent, or signs with: that is hidden
 * first, as it is written in text, JSON and addresses; then the rest is cut.
 */
export function withoutSecrets(
  text: string,
  secrets: readonly string[],
  headers: Record<string, string>,
): string {
  const hex = headers['x-svc-signature']!.slice('sha256='.length)
  const base64 = headers['webhook-signature']!.split(' ').map((each) => each.slice('v1,'.length))
  const bare = secrets.map((secret) => secret.slice('whsec_'.length))
  let rest = text
  for (const hidden of [...secrets, ...bare, hex, ...base64]) {
    // What is the same however it is written: without it there is nothing to hide.
    const steady = /[A-Za-z0-9]{6,}/.exec(hidden)
    if (steady && !text.includes(steady[0])) continue
    const escaped = hidden.replaceAll('+', '\\u002B').replaceAll('/', '\\u002F')
    for (const form of [
      hidden,
      hidden.replaceAll('/', '\\/'),
      encodeURIComponent(hidden),
      escaped,
    ]) {
      rest = rest.replaceAll(form, '…')
    }
  }
  return firstBytes(rest, SHOWN_BYTES)
}

function firstBytes(text: string, count: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= count) return text
  // A character that the cut falls into is left out.
  return new TextDecoder().decode(bytes.subarray(0, count), { stream: true })
}

/** Of Standard Webhooks the key is what the base64 holds; of ours it is the whole text as shown. */
function rawKey(secret: string): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64')
}

function hmac(key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text).digest(encoding)
}

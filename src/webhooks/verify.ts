import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

interface Sent {
  secret: string
  /** Named in lower case, as Node gives them. */
  headers: IncomingHttpHeaders
  /** The bytes as they came: the signatures are over them. */
  body: Buffer
  /** Milliseconds since 1970. */
  now: number
}

export interface Genuine {
  ok: true
  id: string
  event: string
  /** Null where the delivery is of no event that has one. */
  sequence: number | null
  body: Record<string, unknown>
}

export interface Refusal {
  ok: false
  status: number
  problem: string
}

type Signatures = Record<(typeof NEEDED)[number], string>

/** The secret as `POST /webhooks` shows it: so a copy that lost its end is found at once. */
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/
const NEEDED = [
  'X-SVC-Timestamp',
  'X-SVC-Signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
] as const
/** A timestamp is accepted while it is less than this away. */
const TOLERANCE_S = 300

export function isSecret(text: string): boolean {
  return SECRET.test(text)
}

/** Whether a delivery is genuine: both signatures and the age of both timestamps, or what is wrong. */
export function verifyDelivery({ secret, headers, body, now }: Sent): Genuine | Refusal {
  const values = NEEDED.map((name) => [name, headers[name.toLowerCase()]] as const)
  const missing = values.filter(([, value]) => !value).map(([name]) => name)
  if (missing.length > 0) return refuse(400, `Missing header: ${missing.join(', ')}.`)
  const signed = Object.fromEntries(values) as Signatures
  const malformed = faultOfForm(signed)
  if (malformed) return refuse(400, malformed)
  const unauthentic = faultOfSignatures(signed, secret, body) ?? faultOfAge(signed, now)
  if (unauthentic) return refuse(401, unauthentic)
  return readContent(signed, headers['x-svc-sequence'], body)
}

export function refuse(status: number, problem: string): Refusal {
  return { ok: false, status, problem }
}

function faultOfForm(signed: Signatures): string | undefined {
  for (const name of ['X-SVC-Timestamp', 'webhook-timestamp'] as const) {
    if (!/^\d{1,12}$/.test(signed[name])) {
      return `Malformed ${name}: it must be Unix time in whole seconds.`
    }
  }
  if (!/^sha256=[0-9a-f]{64}$/.test(signed['X-SVC-Signature'])) {
    return 'Malformed X-SVC-Signature: it must be sha256= and 64 lower-case hexadecimal digits.'
  }
  if (signaturesIn(signed['webhook-signature']).length === 0) {
    return 'Malformed webhook-signature: it must hold v1, and the base64 of 32 bytes, one or more with spaces between.'
  }
  return undefined
}

/** Of the version that is known here: others may stand beside it. */
function signaturesIn(header: string): string[] {
  return header.split(' ').filter((part) => /^v1,[A-Za-z0-9+/]{43}=$/.test(part))
}

function faultOfSignatures(signed: Signatures, secret: string, body: Buffer): string | undefined {
  const own = `sha256=${hmac(secret, `${signed['X-SVC-Timestamp']}.`, body, 'hex')}`
  const ownMatches = same(signed['X-SVC-Signature'], own)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const prefix = `${signed['webhook-id']}.${signed['webhook-timestamp']}.`
  const standard = `v1,${hmac(key, prefix, body, 'base64')}`
  const standardMatches = signaturesIn(signed['webhook-signature']).some((one) =>
    same(one, standard),
  )
  if (ownMatches && standardMatches) return undefined
  // One that matches proves the body: what is left for the other is its secret or its own headers.
  if (standardMatches) {
    return 'X-SVC-Signature does not match, while webhook-signature does: it was made with another secret, or X-SVC-Timestamp was altered.'
  }
  if (ownMatches) {
    return 'webhook-signature does not match, while X-SVC-Signature does: it was made with another secret, or webhook-id or webhook-timestamp was altered.'
  }
  return 'Neither X-SVC-Signature nor webhook-signature matches: they were made with another secret, or the body or the timestamps were altered on the way.'
}

function hmac(key: string | Buffer, prefix: string, body: Buffer, encoding: 'hex' | 'base64') {
  return createHmac('sha256', key).update(prefix).update(body).digest(encoding)
}

/** In constant time. Both are of one length: their form has been checked. */
function same(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

function faultOfAge(signed: Signatures, now: number): string | undefined {
  for (const name of ['X-SVC-Timestamp', 'webhook-timestamp'] as const) {
    const age = Math.floor(now / 1000) - Number(signed[name])
    const limit = `less than ${TOLERANCE_S} s are accepted`
    if (age >= TOLERANCE_S) {
      return `${name} is too old: ${age} s behind the clock here, and ${limit}.`
    }
    if (age <= -TOLERANCE_S) {
      return `${name} is in the future: ${-age} s ahead of the clock here, and ${limit}.`
    }
  }
  return undefined
}

function readContent(
  signed: Signatures,
  sequence: string | string[] | undefined,
  bytes: Buffer,
): Genuine | Refusal {
  const body = parseObject(bytes)
  if (!body) return refuse(400, 'The body is not a JSON object.')
  const { event, timestamp } = body
  if (typeof event !== 'string') return refuse(400, 'The body names no event.')
  for (const name of ['X-SVC-Timestamp', 'webhook-timestamp'] as const) {
    if (timestamp === Number(signed[name])) continue
    const shown = JSON.stringify(timestamp) ?? 'missing'
    return refuse(400, `The timestamp of the body is ${shown}, but ${name} is ${signed[name]}.`)
  }
  return { ok: true, id: signed['webhook-id'], event, sequence: Number(sequence) || null, body }
}

function parseObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

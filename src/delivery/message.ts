import { signatureHeaders } from './sign.ts'

/** What is delivered: an event to a subscription. */
interface Delivered {
  id: string
  kind: string
  seq: bigint | number
  /** The event's data, as the text that is delivered. */
  data: string
}

/** Put together for each attempt, signed with every secret that is in force, the newest first. */
export function compose(delivered: Delivered, secrets: readonly string[], nowMs: number) {
  const { id, kind, seq, data } = delivered
  const timestamp = Math.floor(nowMs / 1000)
  const body = `{"event":"${kind}","timestamp":${timestamp},"data":${data}}`
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Lastro-Webhooks/1',
    'x-svc-sequence': String(seq),
    ...signatureHeaders({ secrets, id, timestamp, body }),
  }
  return { headers, body }
}

/** What was sent by an attempt that started then, but for its signatures. */
export function sentAt(delivered: Delivered, startedMs: number) {
  const { headers, body } = compose(delivered, [], startedMs)
  const { 'x-svc-signature': _, 'webhook-signature': __, ...shown } = headers
  return { headers: shown, body }
}

export interface RetryPolicy {
  /** Seconds to wait after the first failure, the second, and so on; the last one repeats. */
  delays: readonly number[]
  maxAttempts: number
}

/** What becomes of a delivery after an attempt; `wait` is in seconds. */
type Next = { state: 'delivered' } | { state: 'dead' } | { state: 'pending'; wait: number }

/** `attempts` counts the one that was just made. */
export function afterAttempt(
  succeeded: boolean,
  attempts: number,
  { delays, maxAttempts }: RetryPolicy,
): Next {
  if (succeeded) return { state: 'delivered' }
  if (attempts >= maxAttempts) return { state: 'dead' }
  return { state: 'pending', wait: delays[Math.min(attempts, delays.length) - 1]! }
}

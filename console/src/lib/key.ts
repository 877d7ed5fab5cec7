/** For an Idempotency-Key: one for each thing that is to be made, however often it is sent. */
export function newKey(): string {
  // randomUUID exists only where the page came by https; this exists everywhere.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

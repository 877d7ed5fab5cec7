import pg from 'pg'

// Money is bigint centavos from the column to the last sum; a day is its text, never a moment.
pg.types.setTypeParser(pg.types.builtins.INT8, BigInt)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, instant)

const parseDate = pg.types.getTypeParser(pg.types.builtins.TIMESTAMP, 'text') as (t: string) => Date

/** A timestamptz as the API shows it: RFC 3339, UTC, milliseconds. */
function instant(text: string): string {
  // Nearly always `2026-06-22 14:03:07.123+00`.
  if (text.length === 26 && text.endsWith('+00'))
    return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
  if (!text.endsWith('+00')) return parseDate(text).toISOString()
  const [seconds, fraction = ''] = text.slice(0, -3).replace(' ', 'T').split('.')
  return `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

/** Enough for the statements that two to eight cores can run at once; more would only wait inside. */
const POOL_SIZE = 10

export function createPool(connection: pg.ClientConfig, onIdleError: (error: Error) => void) {
  const pool = new pg.Pool({
    ...connection,
    max: POOL_SIZE,
    keepAlive: true,
    // Who waits longer than this for a connection is told to come back (503).
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
  })
  // Without a listener a restart of PostgreSQL would take the process down: for those that are idle, and for
  // those in use, whose statements fail by themselves.
  pool.on('error', onIdleError)
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

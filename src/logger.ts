import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import { sqlState } from './db/sql-state.ts'

export type { Logger }

/** JSON lines; on a terminal, readable ones. */
export function createLogger(level: string, out: NodeJS.WritableStream = process.stdout): Logger {
  const onTerminal = (out as NodeJS.WriteStream).isTTY === true
  const stream = onTerminal ? pretty({ destination: out as never, sync: true }) : out
  return pino({ level, base: null, serializers: { err: describeError } }, stream as never)
}

/** What a log may hold of an error. PostgreSQL's own words may quote a value, so only its names are kept. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, table, constraint } = error as { [key: string]: unknown } & Error
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  const message = sqlState(error) ? 'refused by PostgreSQL' : error.message
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { type: error.name, message, code, table, constraint, cause, stack: frames?.join('\n') }
}

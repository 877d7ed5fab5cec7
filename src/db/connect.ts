import pg from 'pg'
import type { Config } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { openFolder } from './embedded/folder.ts'
import { EmbeddedServer } from './embedded/server.ts'
import { sqlState } from './sql-state.ts'

/** How to reach PostgreSQL, and how to be done with it. */
export interface DatabaseServer {
  connection: pg.ClientConfig
  /** For LISTEN and migrations, which a pooler cannot carry. */
  direct: pg.ClientConfig
  /** `connection` leads to a pooler, which hands out the server's connections by the transaction. */
  pooler: boolean
  /** The data folder, where the server is the embedded one. */
  folder: string | undefined
  leave(): Promise<void>
}

interface Options {
  /** This process serves: no other may, on the embedded server. */
  serve?: boolean
  onLost?: (error: unknown) => void
}

/** The server that DATABASE_URL names, or the embedded one, started where it is not running. */
export async function openServer(config: Config, options: Options = {}): Promise<DatabaseServer> {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl, connectionTimeoutMillis: 5_000 }
    const direct = { ...connection, connectionString: config.databaseDirectUrl! }
    await probe(connection, 'DATABASE_URL')
    const pooler = config.databaseDirectUrl !== config.databaseUrl
    if (pooler) await probe(direct, 'DATABASE_DIRECT_URL')
    return { connection, direct, pooler, folder: undefined, leave: async () => {} }
  }
  const folder = openFolder(config.dataDir)
  const server = await EmbeddedServer.enter(folder, options)
  const connection = server.connection()
  return {
    ...{ connection, direct: connection, pooler: false },
    ...{ folder: folder.path, leave: () => server.leave() },
  }
}

/** Tells in one sentence why a database cannot be used, without the URL: it holds a password. */
async function probe(connection: pg.ClientConfig, variable: string): Promise<void> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new OperatorError(`The database of ${variable} cannot be used: ${reason(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
}

function reason(error: unknown): string {
  const { message, code } = error as { message: string; code?: string }
  if (sqlState(error) || !code) return `${message || 'no reason given'}.`
  const known: Record<string, string> = {
    ECONNREFUSED: 'nothing accepts connections at that address.',
    ENOTFOUND: 'its host name is not known.',
    EAI_AGAIN: 'its host name cannot be resolved now.',
    ETIMEDOUT: 'the server does not answer.',
  }
  return known[code] ?? `${message || code}.`
}

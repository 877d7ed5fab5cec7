import { Database } from '../../src/db/database.ts'
import { type Folder, openFolder } from '../../src/db/embedded/folder.ts'
import { EmbeddedServer } from '../../src/db/embedded/server.ts'
import { createPool } from '../../src/db/pool.ts'
import { whenDone } from './cleanup.ts'
import { dataFolder } from './process.ts'

type Settings = (folder: Folder) => Record<string, string>

/** A PostgreSQL of the test's own, which it may stop and start again. */
export async function startPostgres(settings: Settings = () => ({})) {
  let server: EmbeddedServer | undefined
  const stop = async () => server?.leave()
  // Before there is a folder: it has to go after the server.
  whenDone(stop)
  const folder = openFolder(await dataFolder())
  const start = async () => {
    server = await EmbeddedServer.enter(folder, { settings: settings(folder) })
    return server.connection()
  }
  const connection = await start()
  const pool = createPool(connection, () => {})
  whenDone(() => pool.end())
  const databaseUrl = `postgresql://lastro@localhost/lastro?host=${connection.host}`
  /** `stop` is fast: who is connected is cut off. */
  return { databaseUrl, pool, db: new Database(pool), start, stop }
}

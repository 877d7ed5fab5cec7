import { Writable } from 'node:stream'
import { after } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createLogger } from '../../src/logger.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export interface TestService extends TestDatabase {
  url: string
  /** Every line that the service has logged, at the lowest level there is. */
  log: string[]
}

/** The real app, on a database of the test file's own, listening on a port of loopback. */
export async function startService(env: Record<string, string> = {}): Promise<TestService> {
  const database = await createTestDatabase()
  const log: string[] = []
  const out = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk))
      done()
    },
  })
  const config = readConfig(env)
  const app = buildApp({ config, db: database.db, logger: createLogger('trace', out) })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  after(() => app.close())
  return { ...database, url, log }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SCOPES } from '../src/auth/scopes.ts'
import { createChave } from '../src/chaves/chaves.ts'
import { readConfig } from '../src/config.ts'
import { type DatabaseServer, openServer } from '../src/db/connect.ts'
import { Database } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { createPool } from '../src/db/pool.ts'
import { createEmpresa } from '../src/empresas/empresas.ts'

export const SERVICE = 'http://localhost:34567'
export const FLOOR = 'http://localhost:34568'
export const RECEIVER = 'http://127.0.0.1:34570'
export const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

/** A service with its database, and the floor on the same database, for the time of a measure. */
export interface World {
  db: Database
  pool: ReturnType<typeof createPool>
  service: ChildProcess
  /** Starts a worker in a process of its own; what is returned stops it. */
  startWorker(): () => Promise<void>
  /** Starts more of the service on the same database, as on one that is elsewhere; their origins. */
  startInstances(count: number): Promise<string[]>
  end(): Promise<void>
}

interface WorldOptions {
  /** Deliveries are carried out by the service itself. */
  worker: boolean
}

export async function buildWorld({ worker }: WorldOptions): Promise<World> {
  const folder = mkdtempSync('/tmp/lastro-bench-')
  const server: DatabaseServer = await openServer(readConfig({ LASTRO_DATA_DIR: folder }))
  await migrate(server.direct)
  const pool = createPool(server.connection, () => {})
  await pool.query('create table floor_lancamentos (like lancamentos including all)')
  const { user, host, database } = server.connection
  const databaseUrl = `postgresql://${user}@localhost/${database}?host=${host}`
  const env = {
    LASTRO_DATA_DIR: folder,
    LASTRO_DEMO: 'off',
    LOG_LEVEL: 'error',
    LASTRO_SECRET_KEY: SECRET_KEY,
    WEBHOOK_DEV_TARGETS: '127.0.0.1/32',
  }
  const receiver = start('./receiver.ts', [], { PORT: '34570' })
  const serve = worker ? ['serve'] : ['serve', '--no-worker']
  const service = start('../src/cli.ts', serve, { ...env, PORT: '34567' })
  const floor = start('./floor.ts', [], {
    PORT: '34568',
    FLOOR_DATABASE_URL: databaseUrl,
  })
  await answers(`${SERVICE}/readyz`)
  await answers(FLOOR)
  await answers(RECEIVER)
  const startWorker = () => {
    const child = start('../src/cli.ts', ['worker'], env)
    return () => stop(child)
  }
  const others: ChildProcess[] = []
  const startInstances = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const port = String(34571 + n)
        const env = { PORT: port, DATABASE_URL: databaseUrl, LASTRO_SECRET_KEY: SECRET_KEY }
        others.push(
          start('../src/cli.ts', ['serve', '--no-worker'], { ...env, LOG_LEVEL: 'error' }),
        )
        await answers(`http://localhost:${port}/readyz`)
        return `http://localhost:${port}`
      }),
    )
  const end = async () => {
    await Promise.all([service, floor, receiver, ...others].map(stop))
    await pool.end()
    await server.leave()
    rmSync(folder, { recursive: true, force: true })
  }
  return { db: new Database(pool), pool, service, startWorker, startInstances, end }
}

/** Companies with keys enough for a load that stays inside the limit of each. */
export async function makeKeys(db: Database, companies: number, keysOfEach: number) {
  const made: { empresa: string; keys: string[] }[] = []
  for (let n = 0; n < companies; n++) {
    const empresa = await createEmpresa(db, { nome: `Empresa ${n}` })
    const keys: string[] = []
    for (let k = 0; k < keysOfEach; k++) {
      keys.push((await createChave(db, { empresa, scopes: SCOPES })).key)
    }
    made.push({ empresa, keys })
  }
  return made
}

/** Keys of one company, each used 50 times in a row before the next. */
export async function keysFor(db: Database, empresa: string, count: number) {
  const keys: string[] = []
  for (let n = 0; n < count; n++) {
    keys.push((await createChave(db, { empresa, scopes: ['lancamentos:read'] })).key)
  }
  let turn = 0
  return () => ({ authorization: `Bearer ${keys[Math.floor(turn++ / 50) % count]}` })
}

/** Row-level security hides the entries from the owner too: each company's are copied as that company. */
export async function copyToFloor({ pool }: World, empresas: string[]): Promise<void> {
  const client = await pool.connect()
  await client.query('grant insert on floor_lancamentos to lastro_app')
  for (const empresa of empresas) {
    await client.query('begin')
    await client.query(
      "select set_config('role', 'lastro_app', true), set_config('app.tenant', $1, true)",
      [empresa],
    )
    await client.query('insert into floor_lancamentos select * from lancamentos')
    await client.query('commit')
  }
  client.release()
}

function start(file: string, args: string[], env: Record<string, string>): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url))
  // As `npm start` does.
  return spawn(
    process.execPath,
    ['--max-semi-space-size=12', '--heap-growing-percent=40', path, ...args],
    {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function answers(url: string): Promise<void> {
  for (;;) {
    try {
      await fetch(url)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

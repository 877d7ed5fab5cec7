import { spawn, spawnSync } from 'node:child_process'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { whenDone } from './cleanup.ts'
import { eventually } from './delivery.ts'
import { freePort, temporaryFolder } from './process.ts'

// Debian keeps it where only root's PATH leads.
const env = { PATH: `${process.env.PATH}:/usr/sbin` }
const { status, stdout } = spawnSync('pgbouncer', ['--version'], { env, encoding: 'utf8' })

/** Why tests with PgBouncer are skipped, or false. */
export const NO_PGBOUNCER =
  status !== 0 && 'pgbouncer is not here (Debian: apt-get install pgbouncer)'
export const PGBOUNCER = stdout?.split('\n')[0]

/** PgBouncer in front of a database, with few connections to it. Returns the URL that leads through it. */
export async function startPgBouncer(databaseUrl: string, connections: number): Promise<string> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const listenPort = await freePort()
  const folder = temporaryFolder()
  const file = join(folder, 'pgbouncer.ini')
  const login = `user=${user}${password ? ` password='${password}'` : ''}`
  writeFileSync(
    file,
    `[databases]
through = host=${host} port=${port} dbname=${database} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
`,
    { mode: 0o600 },
  )
  // It refuses to be root. Who may enter the folder of the server's socket is its owner.
  const owner = host.startsWith('/') ? statSync(host) : { uid: 65_534, gid: 65_534 }
  const identity = process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}
  if (identity.uid !== undefined) chownSync(file, owner.uid, owner.gid)
  const child = spawn('pgbouncer', ['--quiet', file], { ...identity, env, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  whenDone(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const url = `postgresql://anyone@127.0.0.1:${listenPort}/through`
  await eventually(
    () => connects(url),
    (connected) => connected,
  )
  return url
}

async function connects(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

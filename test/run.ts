// `npm test`: every check, then every test, on a PostgreSQL that is started once.
// With arguments, only the test files they name: `npm test -- src/lancamentos`.
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { openFolder } from '../src/db/embedded/folder.ts'
import { EmbeddedServer } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/migrate.ts'
import { dropDatabase } from './support/database.ts'

/** No file takes nearly so long; one that hangs is ended, and has failed. */
const LIMIT_MS = 180_000
/** Tests mostly wait for PostgreSQL, so more files than cores run at once. */
const FILES_AT_ONCE = 4

function run(command: string, args: string[], env = {}): Promise<boolean> {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)))
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  if (process.env.TEST_DATABASE_URL)
    return { url: process.env.TEST_DATABASE_URL, stop: async () => {} }
  const path = mkdtempSync('/tmp/lastro-test-')
  const server = await EmbeddedServer.enter(openFolder(path), {
    // Nothing here outlives the run: no test needs the disk to have it.
    settings: { max_connections: '200', fsync: 'off', full_page_writes: 'off' },
  })
  const { host } = server.connection()
  const admin = new pg.Client(server.connection('postgres', 'postgres'))
  await admin.connect()
  await admin.query('alter role lastro createdb')
  await admin.end()
  const stop = async () => {
    await server.leave()
    rmSync(path, { recursive: true, force: true })
  }
  return { url: `postgresql://lastro@localhost/lastro?host=${host}`, stop }
}

/** Migrates once; each test file's database is a copy of the result. */
async function makeTemplate(url: string): Promise<string> {
  const name = `lastro_template_${process.pid}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const template = new URL(url)
  template.pathname = `/${name}`
  await migrate({ connectionString: template.href })
  return name
}

async function dropTemplate(url: string, name: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await dropDatabase(admin, name).finally(() => admin.end())
}

const wanted = process.argv.slice(2)
const files = globSync('{src,test}/**/*.test.ts')
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  // The longest ones, which start processes, come first: the short ones fill what time is left.
  .sort()
  .reverse()

const checked = wanted.length > 0 || (await run('npm', ['run', '--silent', 'check']))
const compiled = mkdtempSync('/tmp/lastro-compiled-')
const server = await startServer()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.stop().then(() => process.exit(1)))
}
let passed = false
try {
  const template = await makeTemplate(server.url)
  passed = await run(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${FILES_AT_ONCE}`,
      `--test-timeout=${LIMIT_MS}`,
      '--test-force-exit',
      ...files.map((file) => join('.', file)),
    ],
    {
      LASTRO_TEST_URL: server.url,
      LASTRO_TEST_TEMPLATE: template,
      // Hundreds of processes load the same modules: the first compiles them for all.
      NODE_COMPILE_CACHE: compiled,
    },
  )
  await dropTemplate(server.url, template)
} finally {
  await server.stop()
  rmSync(compiled, { recursive: true, force: true })
}
process.exitCode = checked && passed ? 0 : 1

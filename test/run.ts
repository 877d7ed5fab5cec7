// `npm test`: every check, then every test, on a PostgreSQL that is started once.
// With arguments, only the test files they name: `npm test -- src/lancamentos`.
import { spawn } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { openFolder } from '../src/db/embedded/folder.ts'
import { EmbeddedServer } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/migrate.ts'
import { dropDatabase } from './support/database.ts'

/** No file takes nearly so long; one that hangs is ended, and has failed. */
const LIMIT_MS = 180_000
/** Tests mostly wait for PostgreSQL, so more files than cores run at once. */
const FILES_AT_ONCE = 4
/** So many processes share the files that need none of their own: loading the service costs more than most. */
const GROUPS = 8

/** A file that starts processes, or a browser, is one itself; the others are played one by one in a group. */
function arrange(files: string[], folder: string): string[] {
  const starts = /support\/(process|browser|screen|own-postgres|pgbouncer)\.ts/
  const alone = files.filter((file) => starts.test(readFileSync(file, 'utf8')))
  const others = files.filter((file) => !alone.includes(file))
  if (others.length <= GROUPS) return files
  const groups = Array.from({ length: GROUPS }, (_, group) => {
    const path = join(folder, `group-${group + 1}.test.js`)
    const tests = others
      .filter((_file, at) => at % GROUPS === group)
      .map((file) => `test('${file}', () => import('${resolve(file)}'))`)
    writeFileSync(path, ["import { test } from 'node:test'", ...tests, ''].join('\n'))
    return path
  })
  return [...alone, ...groups]
}

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

// What all of the files share. Whom PostgreSQL runs as has to get in.
const shared = mkdtempSync('/tmp/lastro-shared-')
chmodSync(shared, 0o755)
// Beside the tests: by itself it would leave a core idle.
const checking = wanted.length > 0 ? true : run('npm', ['run', '--silent', 'check'])
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
      ...arrange(files, shared),
    ],
    {
      LASTRO_TEST_URL: server.url,
      LASTRO_TEST_TEMPLATE: template,
      // Hundreds of processes load the same modules: the first compiles them for all.
      NODE_COMPILE_CACHE: join(shared, 'compiled'),
      LASTRO_TEST_SHARED: shared,
    },
  )
  await dropTemplate(server.url, template)
} finally {
  await server.stop()
  rmSync(shared, { recursive: true, force: true })
}
const checked = await checking
if (!checked) process.stderr.write('npm run check has failed: what it found is above.\n')
process.exitCode = checked && passed ? 0 : 1

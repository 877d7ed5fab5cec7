import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openFolder } from '../../src/db/embedded/folder.ts'
import { EmbeddedServer } from '../../src/db/embedded/server.ts'
import { migrate } from '../../src/db/migrate.ts'
import { madeOnce } from './shared.ts'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

/** Nothing of the test run's own environment may reach the service. */
const CLEAN = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  LASTRO_DEMO: 'off',
  LOG_LEVEL: 'warn',
  LASTRO_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
}

type Environment = Record<string, string>

interface Outcome {
  code: number | null
  out: string
  err: string
}

/** Starts a command of Lastro that runs until it is told to stop. */
export function start(args: string[], env: Environment) {
  return launch(process.execPath, [CLI, ...args], env)
}

function launch(command: string, args: string[], env: Environment) {
  const child = spawn(command, args, { env: { ...CLEAN, ...env } })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const done = new Promise<Outcome>((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }))
  })
  return { child, done, printed: () => out }
}

/** Runs a command of Lastro to its end. */
export function lastro(args: string[], env: Environment): Promise<Outcome> {
  return start(args, env).done
}

export interface Service {
  url: string
  /** What it has printed so far. */
  printed(): string
  child: ChildProcess
  /** Ends it with a signal and waits until it is gone. */
  end(signal?: NodeJS.Signals): Promise<Outcome>
}

/** Starts `lastro serve` on a free port, and waits until it answers. */
export function serve(env: Environment): Promise<Service> {
  return answering((port) => start(['serve'], { PORT: port, ...env }))
}

/** The same by `npm start`, as a supervisor would run it. */
export function npmStart(env: Environment): Promise<Service> {
  return answering((port) => launch('npm', ['start'], { PORT: port, ...env }))
}

async function answering(begin: (port: string) => ReturnType<typeof start>): Promise<Service> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const { child, done, printed } = begin(String(port))
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return done
  }
  const ended = done.then((outcome) => {
    throw new Error(`serve ended at once: ${JSON.stringify(outcome)}`)
  })
  ended.catch(() => {})
  while (!(await Promise.race([ended, answers(url)])));
  return { url, printed, child, end }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok
  } catch {
    return await new Promise((resolve) => setTimeout(() => resolve(false), 20))
  }
}

let nextPort = 10_000 + (process.pid % 500) * 40

/** A port below those that the system gives out by itself, so that no other file's server gets it meanwhile. */
export function freePort(): Promise<number> {
  const port = nextPort++
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(freePort()))
    // On every address of the machine: whoever asks may listen on any of them.
    server.listen(port, () => server.close(() => resolve(port)))
  })
}

/** A data folder that has been started from before, with no company in it: a first start takes seconds. */
export async function dataFolder(): Promise<string> {
  const prepared = await madeOnce('data', async (path) => {
    const folder = openFolder(path)
    const server = await EmbeddedServer.enter(folder)
    await migrate(server.connection())
    await server.leave()
  })
  const path = temporaryFolder()
  for (const part of ['data', 'init', 'log']) {
    // Unlike Node's, this copy belongs to whom the original does.
    execFileSync('cp', ['-a', join(prepared, part), path])
  }
  symlinkSync(join(prepared, 'runtime'), join(path, 'runtime'))
  return path
}

/** An empty folder for the test's own. */
export function temporaryFolder(): string {
  const path = mkdtempSync('/tmp/lastro-data-')
  chmodSync(path, 0o755)
  after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

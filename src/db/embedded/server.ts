import { spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '../../errors.ts'
import { sqlState } from '../sql-state.ts'
import { CLEAN_ENVIRONMENT, configureCluster, ensureCluster, identity } from './cluster.ts'
import type { Folder } from './folder.ts'
import { exclusively } from './mutex.ts'
import { installRuntime } from './runtime.ts'

const SOCKET = '.s.PGSQL.5432'
/** Longer than any recovery that was seen; a disk that is slower still deserves a word in the log. */
const START_LIMIT_MS = 60_000
/** Held shared by every process that uses the server; whoever can have it alone is the last. */
const LIFELINE_LOCK = 1
/** Held by the one process that serves. */
const SERVE_LOCK = 2

interface EmbeddedOptions {
  /** PostgreSQL settings that differ from the usual ones. */
  settings?: Record<string, string>
  /** To be the one process that serves from this folder. */
  serve?: boolean
  onLost?: (error: unknown) => void
}

/**
 * The PostgreSQL of a data folder, shared by all processes that use the folder: the first starts it, the
 * last stops it. If it dies while this process lives, it is started again.
 */
export class EmbeddedServer {
  readonly #folder: Folder
  readonly #options: EmbeddedOptions
  #lifeline: pg.Client | undefined
  #leaving = false
  #reviving: Promise<void> | undefined

  static async enter(folder: Folder, options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
    const server = new EmbeddedServer(folder, options)
    await server.#attach()
    return server
  }

  private constructor(folder: Folder, options: EmbeddedOptions) {
    this.#folder = folder
    this.#options = options
  }

  connection(user = 'lastro', database = 'lastro'): pg.ClientConfig {
    return { host: socketFolder(this.#folder.cluster), port: 5432, user, database }
  }

  /** Leaves the server to the others who use it, or stops it. */
  async leave(): Promise<void> {
    this.#leaving = true
    await this.#reviving
    await exclusively(this.#folder.mutex, async () => {
      const alone = await this.#isAlone().catch(() => false)
      await this.#lifeline?.end().catch(() => {})
      if (alone) await this.#stop()
    })
  }

  async #isAlone(): Promise<boolean> {
    const { rows } = await this.#lifeline!.query<{ alone: boolean }>(
      'select pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) as alone',
      [LIFELINE_LOCK],
    )
    return rows[0]!.alone
  }

  async #attach(): Promise<void> {
    await exclusively(this.#folder.mutex, async () => {
      if (!(await accepts(this.#folder.cluster))) await this.#start()
      const client = await this.#connect()
      await client.query('select pg_advisory_lock_shared($1)', [LIFELINE_LOCK])
      if (this.#options.serve) {
        const { rows } = await client.query('select pg_try_advisory_lock($1) as mine', [SERVE_LOCK])
        if (!rows[0].mine) {
          await client.end()
          throw new OperatorError(
            `Another \`lastro serve\` is already running on the data folder ${this.#folder.path}.`,
          )
        }
      }
      client.on('end', () => this.#revive())
      this.#lifeline = client
    })
  }

  /** A server that is just starting, recovering or stopping says so: it is asked again. */
  async #connect(): Promise<pg.Client> {
    const deadline = Date.now() + START_LIMIT_MS
    for (;;) {
      const client = new pg.Client(this.connection())
      client.on('error', () => {})
      try {
        await client.connect()
        return client
      } catch (error) {
        if (sqlState(error) !== '57P03' || Date.now() > deadline) throw error
        await sleep(50)
      }
    }
  }

  #revive(): void {
    if (this.#leaving) return
    this.#reviving = (async () => {
      while (!this.#leaving) {
        try {
          return await this.#attach()
        } catch (error) {
          this.#options.onLost?.(error)
          await sleep(500)
        }
      }
    })()
  }

  async #start(): Promise<void> {
    const { cluster, user, log } = this.#folder
    const programs = installRuntime(this.#folder.runtime)
    ensureCluster(this.#folder, programs)
    await endStrays(cluster)
    for (const file of ['postmaster.pid', SOCKET, `${SOCKET}.lock`]) {
      rmSync(join(cluster, file), { force: true })
    }
    configureCluster(this.#folder, this.#options.settings ?? {})
    const out = openSync(join(log, 'start.log'), 'w')
    const child = spawn(join(programs, 'postgres'), ['-D', cluster], {
      ...identity(user),
      cwd: '/',
      env: CLEAN_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', out, out],
    })
    child.unref()
    const deadline = Date.now() + START_LIMIT_MS
    while (readPidFile(cluster)[7]?.trim() !== 'ready') {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new OperatorError(`PostgreSQL did not start; its reason is in ${log}.`)
      }
      await sleep(10)
    }
    await this.#createDatabase()
  }

  async #createDatabase(): Promise<void> {
    const client = new pg.Client(this.connection('postgres', 'postgres'))
    await client.connect()
    const { rows } = await client.query(
      `select (select count(*) from pg_roles where rolname = 'lastro') as roles,
        (select count(*) from pg_database where datname = 'lastro') as databases`,
    )
    // No superuser: the service can do nothing that a company's own PostgreSQL would not let it.
    if (Number(rows[0].roles) === 0) await client.query('create role lastro login createrole')
    if (Number(rows[0].databases) === 0) await client.query('create database lastro owner lastro')
    await client.end()
  }

  async #stop(): Promise<void> {
    const pid = Number(readPidFile(this.#folder.cluster)[0])
    if (!pid) return
    process.kill(pid, 'SIGINT')
    while (isRunning(pid)) await sleep(5)
  }
}

const descriptors = new Map<string, number>()

/** A socket's address holds 107 bytes: a long path is reached through an open descriptor of it. */
function socketFolder(cluster: string): string {
  if (Buffer.byteLength(cluster) <= 93) return cluster
  const descriptor = descriptors.get(cluster) ?? openSync(cluster, 'r')
  descriptors.set(cluster, descriptor)
  return `/proc/self/fd/${descriptor}`
}

/** Alive means that the socket takes a connection. A pid proves nothing: it may be somebody else's. */
function accepts(cluster: string): Promise<boolean> | false {
  if (!existsSync(cluster)) return false
  return new Promise((resolve) => {
    const socket = connect(join(socketFolder(cluster), SOCKET))
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Ends processes of a server that no longer answers: two servers on one cluster would destroy it. */
async function endStrays(cluster: string): Promise<void> {
  if (process.platform !== 'linux') return
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    try {
      const isPostgres = basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('postgres')
      if (!isPostgres || readlinkSync(`/proc/${pid}/cwd`) !== cluster) continue
      process.kill(pid, 'SIGKILL')
    } catch {
      continue // It ended meanwhile, or is not ours to look at.
    }
    while (isRunning(pid)) await sleep(5)
  }
}

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../errors.ts'
import type { Folder } from './folder.ts'
import type { ServerUser } from './server-user.ts'

/** A foreign LANG or LD_LIBRARY_PATH breaks the programs, so they are given nothing else. */
export const CLEAN_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Who a PostgreSQL program is started as. */
export function identity(user: ServerUser) {
  return user.separate ? { uid: user.uid, gid: user.gid } : {}
}

/** Makes the cluster where there is none. It gets its name only when it is whole. */
export function ensureCluster(folder: Folder, programs: string): void {
  if (existsSync(join(folder.cluster, 'PG_VERSION'))) return
  const unfinished = join(folder.init, randomBytes(6).toString('hex'))
  const result = spawnSync(
    join(programs, 'initdb'),
    [
      ...['--pgdata', unfinished, '--username', 'postgres', '--encoding', 'UTF8'],
      ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
      ...['--auth-local', 'peer', '--auth-host', 'reject'],
    ],
    { ...identity(folder.user), cwd: '/', env: CLEAN_ENVIRONMENT, encoding: 'utf8' },
  )
  if (result.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    const reason = (result.stderr || result.error?.message || '').trim().split('\n').at(-1)
    throw new OperatorError(
      `The database could not be created in ${folder.path}: ${reason || 'initdb failed'}`,
    )
  }
  renameSync(unfinished, folder.cluster)
}

/** Writes what a start may change: the settings, and who may connect. */
export function configureCluster(folder: Folder, settings: Record<string, string>): void {
  const write = (name: string, lines: string[]) => {
    const file = join(folder.cluster, name)
    writeFileSync(file, `${lines.join('\n')}\n`)
    folder.user.own(file)
  }
  const all = { ...SETTINGS, log_directory: folder.log, ...settings }
  write(
    'postgresql.conf',
    Object.entries(all).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`),
  )
  write('pg_hba.conf', ['local all all peer map=lastro'])
  const clients = new Set(['root', folder.user.name])
  write(
    'pg_ident.conf',
    [...clients].flatMap((name) => [`lastro "${name}" postgres`, `lastro "${name}" lastro`]),
  )
}

/** Durable first: nothing here trades a commit for speed. */
const SETTINGS = {
  // A socket in the cluster itself: no port to clash, no password to keep, no other user gets in.
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_compression: 'pglz',
  max_wal_size: '512MB',
  shared_buffers: '128MB',
  work_mem: '8MB',
  max_connections: '100',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // /dev/shm may be tiny in a container.
  dynamic_shared_memory_type: 'mmap',
  timezone: 'UTC',
  log_timezone: 'UTC',
  client_connection_check_interval: '5s',
  idle_in_transaction_session_timeout: '60s',
  // A failed statement may hold a document number: the service's log tells of it without its values.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  logging_collector: 'on',
  log_filename: 'postgresql-%a.log',
  log_truncate_on_rotation: 'on',
  log_rotation_age: '1d',
  log_rotation_size: '0',
}

import { createHash } from 'node:crypto'
import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../../errors.ts'
import { findServerUser, type ServerUser } from './server-user.ts'

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

/** The data folder and what is in it. */
export interface Folder {
  path: string
  /** Copies of the PostgreSQL binaries, one folder a version. */
  runtime: string
  /** Where a new cluster is made before it is moved to `cluster`. */
  init: string
  cluster: string
  log: string
  mutex: string
  user: ServerUser
}

/** Finds the data folder and makes what is missing of it, reachable for the server's user. */
export function openFolder(configured: string | undefined): Folder {
  const path = configured ?? defaultPath()
  makeFolder(path)
  refuseForeignFolder(path)
  const cluster = join(path, 'data')
  const user = findServerUser(cluster)
  // Entered by the server's user, whose parts of it lie below; without one, nobody else's business.
  chmodSync(path, user.separate ? 0o711 : 0o700)
  if (!canReach(user, path)) {
    throw new OperatorError(
      `The data folder ${path} lies below a folder that ${user.name}, the user PostgreSQL runs as, may not enter; set LASTRO_DATA_DIR to one it may.`,
    )
  }
  const folder = {
    path,
    runtime: join(path, 'runtime'),
    init: join(path, 'init'),
    cluster,
    log: join(path, 'log'),
    mutex: join(path, 'start.lock'),
    user,
  }
  makeFolder(folder.runtime)
  for (const owned of [folder.init, folder.log]) {
    makeFolder(owned)
    user.own(owned)
  }
  return folder
}

/** `data/` of the checkout, unless the server's user may not enter there. */
function defaultPath(): string {
  const own = join(CHECKOUT, 'data')
  const user = findServerUser(join(own, 'data'))
  if (canReach(user, CHECKOUT) && !/["$`\\\n]/.test(own)) return own
  const hash = createHash('sha256').update(CHECKOUT).digest('hex').slice(0, 12)
  return `/var/lib/lastro/${hash}`
}

function makeFolder(path: string): void {
  try {
    if (!existsSync(path)) {
      makeFolder(dirname(path))
      mkdirSync(path)
      chmodSync(path, 0o755) // Whatever the umask is.
    } else accessSync(path, constants.X_OK)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `The data folder ${path} cannot be written; set LASTRO_DATA_DIR to one that can.`,
    )
  }
}

/** Files of two owners in one folder end in a cluster that neither can start. */
function refuseForeignFolder(path: string): void {
  const owner = statSync(path).uid
  if (owner !== process.getuid!()) {
    throw new OperatorError(
      `The data folder ${path} belongs to another user (uid ${owner}); run as that user, or set LASTRO_DATA_DIR to another folder.`,
    )
  }
}

/** Whether the user may enter every folder on the way to the path. */
function canReach(user: ServerUser, path: string): boolean {
  const parent = dirname(path)
  const { mode, uid, gid } = statSync(path)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return (mode & bit) !== 0 && (parent === path || canReach(user, parent))
}

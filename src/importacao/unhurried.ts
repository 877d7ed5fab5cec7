import { setImmediate } from 'node:timers/promises'

/** So many are taken before others have their turn. */
const AT_ONCE = 500

/**
 * What a long file holds, some at a time, while the service goes on with everything else. To wait for each by
 * itself would take longer than to read it.
 */
export async function* unhurried<T>(all: Iterable<T>): AsyncGenerator<T[]> {
  let some: T[] = []
  for (const one of all) {
    some.push(one)
    if (some.length < AT_ONCE) continue
    yield some
    some = []
    await setImmediate()
  }
  yield some
}

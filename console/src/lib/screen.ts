import { lazyRouteComponent } from '@tanstack/react-router'

const PAUSES = [500, 2000]

/**
 * A screen whose program is fetched when it is first needed. The router would load the whole page anew where
 * that fails, which without a network leaves nothing at all: it is tried again, and then said in words.
 */
export const screen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => persist(load), name)

async function persist<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return load().catch((cause) => {
    throw new Error('The screen could not be loaded.', { cause })
  })
}

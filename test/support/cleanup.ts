import { after } from 'node:test'

const stack: (() => Promise<unknown>)[] = []

/** What was started last is ended first, when the test or file is done; whatever fails, all of it is ended. */
export function whenDone(end: () => Promise<unknown>): void {
  if (stack.length === 0) after(endAll)
  stack.push(end)
}

async function endAll(): Promise<void> {
  const failures: unknown[] = []
  for (const end of stack.splice(0).reverse()) {
    await end().catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'what was started did not end well')
}

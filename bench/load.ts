import { Pool } from 'undici'

export interface Request {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

export function post(path: string, body: string, headers: Record<string, string>) {
  return { method: 'POST' as const, path, body, headers }
}

/** Sends requests, as many at once as there are connections, for a while; returns how many a second. */
export async function load(
  origin: string,
  next: () => Request,
  { connections = 32, seconds = 4 } = {},
): Promise<number> {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const begun = performance.now()
  const end = begun + seconds * 1000
  let done = 0
  const worker = async () => {
    while (performance.now() < end) {
      const { statusCode, body } = await pool.request(next())
      await body.dump()
      if (statusCode >= 300) throw new Error(`${origin} answered ${statusCode}`)
      done++
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const rate = done / ((performance.now() - begun) / 1000)
  await pool.close()
  return rate
}

/** The median time of requests sent one after another, in milliseconds. */
export async function latency(origin: string, next: () => Request, count = 40): Promise<number> {
  const pool = new Pool(origin, { connections: 1 })
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const begun = performance.now()
    const { statusCode, body } = await pool.request(next())
    await body.dump()
    if (statusCode >= 300) throw new Error(`${origin} answered ${statusCode}`)
    times.push(performance.now() - begun)
  }
  await pool.close()
  return times.sort((a, b) => a - b)[count / 2]!
}

/** Runs each side in turns, and compares their best rounds. */
export async function ratio(
  ours: () => Promise<number>,
  floor: () => Promise<number>,
  rounds = 3,
): Promise<{ ours: number; floor: number }> {
  const best = { ours: 0, floor: 0 }
  for (let round = 0; round < rounds; round++) {
    best.floor = Math.max(best.floor, await floor())
    best.ours = Math.max(best.ours, await ours())
  }
  return best
}

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Measure } from './run.ts'

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const PORT = '34569'
const ROUNDS = 5

/** P10: from the start of the process to its first answered request, data already there. */
export async function measureStart(): Promise<Measure> {
  const folder = mkdtempSync('/tmp/lastro-bench-')
  try {
    await startOnce(folder)
    const seconds: number[] = []
    for (let round = 0; round < ROUNDS; round++) seconds.push(await startOnce(folder))
    return {
      id: 'P10',
      what: `start to first answer, data there (best of ${ROUNDS})`,
      unit: ' s',
      must: 3,
      aim: 1.5,
      value: Math.min(...seconds),
      better: 'lower',
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startOnce(folder: string): Promise<number> {
  const begun = performance.now()
  const child = spawn(process.execPath, [CLI, 'serve'], {
    env: { ...process.env, PORT, LASTRO_DATA_DIR: folder, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 5))
  const seconds = (performance.now() - begun) / 1000
  child.kill('SIGTERM')
  await ended
  return seconds
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(`http://localhost:${PORT}/readyz`)).ok
  } catch {
    return false
  }
}

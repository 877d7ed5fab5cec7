import type { Database } from './db/database.ts'

/** Gives a command the database, up to date, beside a running service or without one, and what goes with it. */
export type WithDatabase<Extras = undefined> = <T>(
  work: (db: Database, extras: Extras) => Promise<T>,
) => Promise<T>

/** What a command answers: with `--json` one line for a program, else words for a person. */
export function print(json: boolean | undefined, data: unknown, words: string): void {
  process.stdout.write(`${json ? JSON.stringify(data) : words}\n`)
}

/** Rows under their headings, each column as wide as its widest cell. */
export function table(headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => row[i]!.length)),
  )
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
  return [headings, ...rows].map(line).join('\n')
}

const BAR = 30

/** A bar that fills up, on a terminal alone: nothing of it is left when it is done. */
export function progressBar(): { show(done: number, total: number): void; clear(): void } {
  const { stderr } = process
  if (!stderr.isTTY) return { show: () => {}, clear: () => {} }
  return {
    show: (done, total) => {
      const part = total === 0 ? 1 : done / total
      const full = Math.round(part * BAR)
      const bar = '█'.repeat(full) + '░'.repeat(BAR - full)
      stderr.write(`\r\x1b[K${bar} ${Math.floor(part * 100)}% (${done}/${total})`)
    },
    clear: () => stderr.write('\r\x1b[K'),
  }
}

/** Something that is measured, as lines of the Prometheus text format. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  samples(): string[]
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A metric without a sample is left out. */
export function exposition(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap((metric) => {
    const samples = metric.samples()
    if (samples.length === 0) return []
    const { name, type, help } = metric
    return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...samples]
  })
  return `${lines.join('\n')}\n`
}

/** One value for each combination of label values that has occurred, found by them in order. */
class Series<T> {
  readonly #labels: readonly string[]
  readonly #begin: () => T
  readonly #known = new Map<string, { labels: string[]; value: T }>()

  constructor(labels: readonly string[], begin: () => T) {
    this.#labels = labels
    this.#begin = begin
  }

  of(values: readonly string[]): T {
    const key = values.join('\0')
    const known = this.#known.get(key)
    if (known) return known.value
    const labels = this.#labels.map((label, i) => `${label}="${escapeValue(values[i]!)}"`)
    const value = this.#begin()
    this.#known.set(key, { labels, value })
    return value
  }

  lines(write: (labels: string[], value: T) => string[]): string[] {
    return [...this.#known.values()].flatMap(({ labels, value }) => write(labels, value))
  }
}

export class Counter implements Metric {
  readonly type = 'counter'
  readonly name: string
  readonly help: string
  readonly #series: Series<{ count: number }>

  constructor(name: string, help: string, labels: readonly string[]) {
    this.name = name
    this.help = help
    this.#series = new Series(labels, () => ({ count: 0 }))
  }

  add(values: readonly string[], count = 1): void {
    this.#series.of(values).count += count
  }

  samples(): string[] {
    return this.#series.lines((labels, { count }) => [sample(this.name, labels, count)])
  }
}

/** Read when it is asked for; what cannot be told now is left out. */
export class Gauge implements Metric {
  readonly type = 'gauge'
  readonly name: string
  readonly help: string
  readonly #read: () => number | undefined

  constructor(name: string, help: string, read: () => number | undefined) {
    this.name = name
    this.help = help
    this.#read = read
  }

  samples(): string[] {
    const value = this.#read()
    return value === undefined ? [] : [sample(this.name, [], value)]
  }
}

export class Histogram implements Metric {
  readonly type = 'histogram'
  readonly name: string
  readonly help: string
  readonly #bounds: readonly number[]
  readonly #series: Series<{ counts: number[]; sum: number }>

  /** The bounds ascend; above the last there is one more bucket. */
  constructor(name: string, help: string, labels: readonly string[], bounds: readonly number[]) {
    this.name = name
    this.help = help
    this.#bounds = bounds
    const counts = [...bounds.map(() => 0), 0]
    this.#series = new Series(labels, () => ({ counts: [...counts], sum: 0 }))
  }

  observe(values: readonly string[], value: number): void {
    const series = this.#series.of(values)
    const bucket = this.#bounds.findIndex((bound) => value <= bound)
    series.counts[bucket < 0 ? this.#bounds.length : bucket]! += 1
    series.sum += value
  }

  samples(): string[] {
    return this.#series.lines((labels, { counts, sum }) => {
      let total = 0
      const buckets = [...this.#bounds, '+Inf'].map((bound, i) => {
        total += counts[i]!
        return sample(`${this.name}_bucket`, [...labels, `le="${bound}"`], total)
      })
      const ends = [
        sample(`${this.name}_sum`, labels, sum),
        sample(`${this.name}_count`, labels, total),
      ]
      return [...buckets, ...ends]
    })
  }
}

function sample(name: string, labels: readonly string[], value: number): string {
  return `${name}${labels.length > 0 ? `{${labels.join()}}` : ''} ${value}`
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function escapeValue(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"')
}

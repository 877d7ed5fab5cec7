// `npm run bench`: measures each target of speed and prints it beside its must and its aim. With arguments,
// only those: `npm run bench -- P1 P3`. It is a benchmark, not a test: machines are noisy.
// bench/README.md says how each is measured.
import { readFileSync } from 'node:fs'
import { measureGrowth, measureList } from './books.ts'
import { measureInstances } from './instances.ts'
import { measureRead } from './read.ts'
import { measureStart } from './start.ts'
import { measureDeliveries, measureLatency, measureWrite } from './webhooks.ts'
import { buildWorld, type World } from './world.ts'

export interface Measure {
  id: string
  what: string
  unit: string
  must: number
  aim: number
  value: number
  better: 'higher' | 'lower'
}

interface Group {
  ids: string[]
  /** The service carries deliveries out itself. */
  worker?: true
  measure: (world: World) => Promise<Measure[]>
}

const GROUPS: Group[] = [
  { ids: ['P1'], measure: async (world) => [await measureRead(world)] },
  { ids: ['P2'], measure: async (world) => [await measureWrite(world)] },
  { ids: ['P3'], measure: async (world) => [await measureList(world)] },
  { ids: ['P4', 'P5'], measure: measureGrowth },
  { ids: ['P6'], measure: async (world) => [await measureDeliveries(world)] },
  { ids: ['P7', 'P8'], worker: true, measure: measureLatency },
  { ids: ['P11'], measure: async (world) => [await measureInstances(world)] },
  { ids: ['P10'], measure: async () => [await measureStart()] },
]

const wanted = process.argv.slice(2)
let missed = false
let mostMemory = 0
for (const { ids, worker = false, measure } of GROUPS) {
  if (wanted.length > 0 && !ids.some((id) => wanted.includes(id))) continue
  const world = await buildWorld({ worker })
  try {
    for (const each of await measure(world)) missed = !report(each) || missed
    mostMemory = Math.max(mostMemory, residentMiB(world))
  } finally {
    await world.end()
  }
}
if (wanted.length === 0 || wanted.includes('P9')) {
  missed = !report(memory(mostMemory)) || missed
}
process.exitCode = missed ? 1 : 0

/** Of the service that has just been measured. */
function residentMiB({ service }: World): number {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024
}

function memory(value: number): Measure {
  const what = 'memory of the service after its measure, the largest of all'
  return { id: 'P9', what, unit: ' MiB', must: 250, aim: 150, value, better: 'lower' }
}

function report({ id, what, unit, must, aim, value, better }: Measure): boolean {
  const meets = (limit: number) => (better === 'higher' ? value >= limit : value <= limit)
  const verdict = meets(aim) ? 'aim met' : meets(must) ? 'must met' : 'MISSED'
  const sign = better === 'higher' ? '≥' : '≤'
  const limits = `must ${sign} ${must}${unit}, aim ${sign} ${aim}${unit}: ${verdict}`
  process.stdout.write(`${id.padEnd(4)} ${what.padEnd(62)} ${value.toFixed(2)}${unit}  ${limits}\n`)
  return meets(must)
}

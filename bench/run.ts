// `npm run bench`: measures each target of speed and prints it beside its must and its aim.
// It is a benchmark, not a test: machines are noisy. bench/README.md says how each is measured.
import { measureRead } from './read.ts'
import { measureStart } from './start.ts'
import { buildWorld } from './world.ts'

export interface Measure {
  id: string
  what: string
  unit: string
  must: number
  aim: number
  value: number
  better: 'higher' | 'lower'
}

const measures: Measure[] = []
const world = await buildWorld()
try {
  measures.push(await measureRead(world))
} finally {
  await world.end()
}
measures.push(await measureStart())

let missed = false
for (const { id, what, unit, must, aim, value, better } of measures) {
  const meets = (limit: number) => (better === 'higher' ? value >= limit : value <= limit)
  const verdict = meets(aim) ? 'aim met' : meets(must) ? 'must met' : 'MISSED'
  if (!meets(must)) missed = true
  const sign = better === 'higher' ? '≥' : '≤'
  process.stdout.write(
    `${id.padEnd(4)} ${what.padEnd(60)} ${value.toFixed(2)}${unit}  must ${sign} ${must}${unit}  aim ${sign} ${aim}${unit}  ${verdict}\n`,
  )
}
process.exitCode = missed ? 1 : 0

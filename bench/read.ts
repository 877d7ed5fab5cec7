import { createLancamento } from '../src/lancamentos/lancamentos.ts'
import { load, ratio } from './load.ts'
import type { Measure } from './run.ts'
import { copyToFloor, FLOOR, makeKeys, SERVICE, type World } from './world.ts'

const COMPANIES = 100
/** 100 × 30 keys × 60 a minute: more than the load can use up. */
const KEYS_OF_EACH = 30
const ENTRIES_OF_EACH = 20

/** P1: GET of one entry, beside the floor's. */
export async function measureRead(world: World): Promise<Measure> {
  const companies = await makeKeys(world.db, COMPANIES, KEYS_OF_EACH)
  const by = { kind: 'sistema', id: null, requestId: null } as const
  const targets: { empresa: string; id: string; key: string }[] = []
  for (const { empresa, keys } of companies) {
    const ids = await world.db.write(empresa, async (tx) => {
      const made: string[] = []
      for (let n = 0; n < ENTRIES_OF_EACH; n++) {
        const entry = { data: '2026-06-22', descricao: `Entrada ${n}`, tipo: 'receita', valor: 10 }
        made.push((await createLancamento(tx, by, entry as never)).id)
      }
      await tx.query('select 1')
      return made
    })
    for (const [n, key] of keys.entries()) {
      targets.push({ empresa, id: ids[n % ids.length]!, key })
    }
  }
  await copyToFloor(
    world,
    companies.map(({ empresa }) => empresa),
  )
  let turn = 0
  const next = () => targets[turn++ % targets.length]!
  const { ours, floor } = await ratio(
    () =>
      load(SERVICE, () => {
        const { id, key } = next()
        return {
          method: 'GET',
          path: `/api/v1/lancamentos/${id}`,
          headers: { authorization: `Bearer ${key}` },
        }
      }),
    () =>
      load(FLOOR, () => {
        const { empresa, id } = next()
        return { method: 'GET', path: `/${empresa}/lancamentos/${id}` }
      }),
  )
  return {
    id: 'P1',
    what: `GET one lançamento: ${ours.toFixed(0)}/s ÷ floor ${floor.toFixed(0)}/s`,
    unit: '',
    must: 0.45,
    aim: 0.7,
    value: ours / floor,
    better: 'higher',
  }
}

import { createEmpresa } from '../src/empresas/empresas.ts'
import { fill, settle } from './fill.ts'
import { latency, load, ratio } from './load.ts'
import type { Measure } from './run.ts'
import { copyToFloor, FLOOR, keysFor, SERVICE, type World } from './world.ts'

/** What people look at a list by, in turns. */
const FILTERS = [
  'status=em_aberto&tipo=receita',
  'tipo=receita',
  'centro_custo=Centro+7',
  'data_de=2025-01-01&data_ate=2025-12-31',
]

/** P3: a page of 100 of a company with 100,000 entries, filtered, with its exact total. */
export async function measureList(world: World): Promise<Measure> {
  const empresa = await createEmpresa(world.db, { nome: 'Cem mil' })
  await fill(world, empresa, 100_000)
  await copyToFloor(world, [empresa])
  await settle(world)
  const headers = await keysFor(world.db, empresa, 1_000)
  let turn = 0
  const filter = () => `limit=100&${FILTERS[turn++ % FILTERS.length]}`
  const { ours, floor } = await ratio(
    () =>
      load(SERVICE, () => ({
        method: 'GET',
        path: `/api/v1/lancamentos?${filter()}`,
        headers: headers(),
      })),
    () => load(FLOOR, () => ({ method: 'GET', path: `/${empresa}/lancamentos?${filter()}` })),
  )
  return {
    id: 'P3',
    what: `100 of 100,000, filtered: ${ours.toFixed(0)}/s ÷ floor ${floor.toFixed(0)}/s`,
    unit: '',
    must: 4,
    aim: 10,
    value: ours / floor,
    better: 'higher',
  }
}

/** P4 and P5: what a hundred times the entries costs. */
export async function measureGrowth(world: World): Promise<Measure[]> {
  const small = await createEmpresa(world.db, { nome: 'Dez mil' })
  const large = await createEmpresa(world.db, { nome: 'Um milhão' })
  await fill(world, small, 10_000)
  await fill(world, large, 1_000_000)
  await settle(world)
  const of = {
    small: await keysFor(world.db, small, 200),
    large: await keysFor(world.db, large, 200),
  }
  const compare = async (path: string) => {
    const best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY }
    for (let round = 0; round < 5; round++) {
      for (const size of ['small', 'large'] as const) {
        const request = () => ({ method: 'GET' as const, path, headers: of[size]() })
        best[size] = Math.min(best[size], await latency(SERVICE, request))
      }
    }
    return best
  }
  const resumo = await compare('/api/v1/resumo')
  const page = await compare('/api/v1/lancamentos')
  const words = (what: string, { small, large }: { small: number; large: number }) =>
    `${what}: ${large.toFixed(1)} ms at 1,000,000 ÷ ${small.toFixed(1)} ms at 10,000`
  return [
    {
      id: 'P4',
      what: words('/resumo', resumo),
      unit: '',
      must: 3,
      aim: 1.5,
      value: resumo.large / resumo.small,
      better: 'lower',
    },
    {
      id: 'P5',
      what: words('first page', page),
      unit: '',
      must: 1.5,
      aim: 1.2,
      value: page.large / page.small,
      better: 'lower',
    },
  ]
}

import { SCOPES } from '../src/auth/scopes.ts'
import { createChave } from '../src/chaves/chaves.ts'
import { createLancamento } from '../src/lancamentos/lancamentos.ts'
import { load } from './load.ts'
import type { Measure } from './run.ts'
import { makeKeys, SERVICE, type World } from './world.ts'

const LIMIT = 60
const SECONDS = 4

/** P11: three instances on one PostgreSQL. Their limit is exact together; how fast they read is reported. */
export async function measureInstances(world: World): Promise<Measure> {
  const instances = await world.startInstances(3)
  const companies = await makeKeys(world.db, 100, 30)
  const by = { kind: 'sistema', id: null, requestId: null } as const
  const targets: { path: string; headers: Record<string, string> }[] = []
  for (const { empresa, keys } of companies) {
    const entry = { data: '2026-06-22', descricao: 'Entrada', tipo: 'receita', valor: 10 } as const
    const { id } = await world.db.write(empresa, (tx) => createLancamento(tx, by, entry))
    const path = `/api/v1/lancamentos/${id}`
    for (const key of keys) targets.push({ path, headers: { authorization: `Bearer ${key}` } })
  }
  let turn = 0
  const next = () => ({ method: 'GET' as const, ...targets[turn++ % targets.length]! })
  const alone = await load(SERVICE, next, { seconds: SECONDS })
  const rates = await Promise.all(
    instances.map((origin) => load(origin, next, { seconds: SECONDS, connections: 11 })),
  )
  const together = rates.reduce((sum, rate) => sum + rate, 0)

  const { empresa } = companies[0]!
  const { key } = await createChave(world.db, { empresa, scopes: SCOPES })
  const answers = await Promise.all(
    Array.from({ length: LIMIT * 2 }, async (_, n) => {
      const { path } = targets[0]!
      const headers = { authorization: `Bearer ${key}` }
      return (await fetch(instances[n % instances.length] + path, { headers })).status
    }),
  )
  const passed = answers.filter((status) => status === 200).length
  return {
    id: 'P11',
    what: `three instances, GET: ${together.toFixed(0)}/s, one alone ${alone.toFixed(0)}/s; past the limit`,
    unit: '',
    must: 0,
    aim: 0,
    value: Math.abs(passed - LIMIT),
    better: 'lower',
  }
}

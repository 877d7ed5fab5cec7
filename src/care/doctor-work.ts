import type { CareTx, Database } from '../db/database.ts'
import { listEmpresas } from '../empresas/empresas.ts'
import { verifyTotais } from '../lancamentos/totais.ts'
import { keyIdOf, type SecretBox } from '../secret-box.ts'
import { type Finding, failed, ok, warning } from './finding.ts'
import { keysOf, sealedSecrets, tryOpen } from './sealed.ts'

const [MINUTE, HOUR] = [60, 3_600]

/** What the tables hold: figures, work that nobody does, secrets. */
export async function checkWork(
  db: Database,
  box: SecretBox | undefined,
  totals: boolean,
): Promise<Finding[]> {
  const care = db.system('lastro_care')
  return [
    ...(totals ? [await checkTotals(db)] : []),
    ...(await Promise.all(QUEUES.map((queue) => checkQueue(care, queue)))),
    await checkSecrets(care, box),
  ]
}

async function checkTotals(db: Database): Promise<Finding> {
  const empresas = await listEmpresas(db)
  const wrong: string[] = []
  for (const { id } of empresas) if ((await verifyTotais(db, id, false)) > 0) wrong.push(id)
  if (wrong.length === 0) return ok('totals', `right in ${empresas.length} companies`)
  const action = 'Run `lastro totais verify --fix`, and report it: this should not happen.'
  return failed('totals', `wrong in ${wrong.join(', ')}`, action)
}

interface Queue {
  check: string
  what: string
  /** Yields `since`, from which each piece of work has been waiting. */
  waiting: string
  /** In seconds. */
  warnAfter: number
  failAfter: number
  action: string
}

/** What a subscription that is paused has pending waits for it, and for nobody else. */
const DELIVERIES = `select q.due as since from webhook_queue q
  join webhooks w on w.tenant_id = q.tenant_id and w.id = q.subscription_id
  where w.ativo and q.due <= clock_timestamp()`

const QUEUES: Queue[] = [
  {
    check: 'deliveries',
    what: 'due',
    waiting: `${DELIVERIES} and q.token is null`,
    warnAfter: MINUTE,
    failAfter: 10 * MINUTE,
    action: 'See that `lastro serve` or `lastro worker` runs, and what it logs.',
  },
  {
    check: 'leases',
    what: 'expired',
    waiting: `${DELIVERIES} and q.token is not null`,
    warnAfter: MINUTE,
    failAfter: 10 * MINUTE,
    action: 'A worker has died, and no other goes on: start `lastro serve` or `lastro worker`.',
  },
  {
    check: 'charges',
    what: 'being issued',
    waiting: `select criado_em as since from cobrancas where status = 'emitindo'`,
    warnAfter: 10 * MINUTE,
    failAfter: 24 * HOUR,
    action:
      'See whether the provider answers; Lastro goes on asking it while `serve` or `worker` runs.',
  },
  {
    check: 'redeliveries',
    what: 'open',
    waiting: 'select criado_em as since from webhook_redeliveries where concluido_em is null',
    warnAfter: HOUR,
    failAfter: 24 * HOUR,
    action: 'See that `lastro serve` or `lastro worker` runs, and what it logs.',
  },
]

async function checkQueue(care: CareTx, queue: Queue): Promise<Finding> {
  const { check, what, waiting, warnAfter, failAfter, action } = queue
  const [row] = await care.query<{ count: bigint; age: number | null }>(
    `select count(*), extract(epoch from clock_timestamp() - min(since))::float8 as age
     from (${waiting}) as waiting`,
  )
  const { count, age } = row!
  if (age === null) return ok(check, `none ${what}`)
  const message = `${count} ${what}, the oldest for ${lasting(age)}`
  if (age < warnAfter) return ok(check, message)
  return age < failAfter ? warning(check, message, action) : failed(check, message, action)
}

function lasting(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${Math.round(seconds)} s`
  if (seconds < 2 * HOUR) return `${Math.round(seconds / MINUTE)} min`
  return `${Math.round(seconds / HOUR)} h`
}

async function checkSecrets(care: CareTx, box: SecretBox | undefined): Promise<Finding> {
  const secrets = await sealedSecrets(care)
  if (!box) {
    return secrets.length === 0
      ? warning('secrets', 'there is no key yet', 'Set LASTRO_SECRET_KEY; `lastro serve` needs it.')
      : failed('secrets', `no key for ${secrets.length}`, putBack(keysOf(secrets)))
  }
  const closed = secrets.filter((each) => tryOpen(box, each) === undefined)
  if (closed.length > 0) {
    const message = `key ${box.keyIds.join(' and ')} does not open ${closed.length} of ${secrets.length}`
    return failed('secrets', message, putBack(keysOf(closed)))
  }
  const old = secrets.filter(({ sealed }) => keyIdOf(sealed) !== box.keyId).length
  const message = `key ${box.keyId} opens all ${secrets.length}`
  if (old === 0) return ok('secrets', message)
  return warning(
    'secrets',
    `${old} of ${secrets.length} are under the previous key`,
    'Run `lastro secrets rotate`.',
  )
}

function putBack(keys: string[]): string {
  return `Set LASTRO_SECRET_KEY (or secret.key in the data folder) to the key with the id ${keys.join(', ')}; LASTRO_SECRET_KEY_PREVIOUS takes a second one.`
}

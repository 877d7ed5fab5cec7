import type pg from 'pg'
import { knownMigrations, refuseOldVersion } from '../db/migrate.ts'
import { HISTORY } from '../db/partitions.ts'
import { ROLES } from '../db/roles.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

/** A signature's timestamp is accepted for five minutes; some of that is the receiver's own error. */
const SKEW_WARNING_MS = 2_000
const SKEW_FAILED_MS = 60_000

/** The database itself: what it is, and whether it is built as it should be. */
export async function checkDatabase(client: pg.Client): Promise<Finding[]> {
  const migrations = await checkMigrations(client)
  const findings = [await checkVersion(client), await checkClock(client), migrations]
  if (migrations.state === 'failed') return findings
  return [
    ...findings,
    await checkRoles(client),
    await checkTables(client),
    await checkPartitions(client),
  ]
}

async function checkVersion(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ number: number; version: string; super: boolean }>(
    `select current_setting('server_version_num')::int as number,
       current_setting('server_version') as version,
       (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as super`,
  )
  const { number, version, super: unbound } = rows[0]!
  try {
    refuseOldVersion(number, version)
  } catch (error) {
    return failed('database', `PostgreSQL ${version}`, (error as Error).message)
  }
  if (!unbound) return ok('database', `PostgreSQL ${version}`)
  return warning(
    'database',
    `PostgreSQL ${version}; its user passes by row-level security`,
    'Give Lastro a user that is no superuser and has no BYPASSRLS.',
  )
}

/** Halfway between question and answer is when the database looked at its clock. */
async function checkClock(client: pg.Client): Promise<Finding> {
  const asked = Date.now()
  const { rows } = await client.query<{ now: string; zone: string }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
       current_setting('TimeZone') as zone`,
  )
  const skew = Math.round(Number(rows[0]!.now) - (asked + Date.now()) / 2)
  const message = `database and process are ${Math.abs(skew)} ms apart; its time zone is ${rows[0]!.zone}`
  if (Math.abs(skew) < SKEW_WARNING_MS) return ok('clock', message)
  const finding = Math.abs(skew) < SKEW_FAILED_MS ? warning : failed
  return finding('clock', message, 'Synchronize the clocks of both machines (NTP).')
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  const known = await knownMigrations()
  const { rows: found } = await client.query("select to_regclass('migrations') as name")
  const { rows } = found[0].name
    ? await client.query<{ name: string }>('select name from migrations')
    : { rows: [] }
  const run = rows.map(({ name }) => name)
  const pending = known.filter((name) => !run.includes(name))
  const newer = run.filter((name) => !known.includes(name))
  if (pending.length > 0) {
    return failed('migrations', `not run: ${pending.join(', ')}`, 'Run `lastro migrate`.')
  }
  if (newer.length === 0) return ok('migrations', `all ${known.length} have been run`)
  return warning(
    'migrations',
    `a newer version has run ${newer.join(', ')}`,
    'Finish the upgrade: run that version here too.',
  )
}

async function checkRoles(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ role: string }>(
    `select role from unnest($1::text[]) as role
     left join pg_roles r on r.rolname = role
     where r.rolname is null or rolsuper or rolbypassrls or rolcanlogin or rolcreaterole
       or exists (select from pg_class c where c.relowner = r.oid)`,
    [ROLES],
  )
  if (rows.length === 0)
    return ok('roles', `none of ${ROLES.length} can sign in or pass by policies`)
  return failed(
    'roles',
    `${rows.map(({ role }) => role).join(', ')}: missing, or with rights it should not have`,
    'ALTER ROLE … NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE, and let it own nothing.',
  )
}

/**
 * Each table of company data, and each partition, is under row-level security, and lets the service see its own
 * company alone. What is UNLOGGED is kept by no backup and needs no policy of its own.
 */
async function checkTables(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string; fault: string | null }>(
    `select c.relname::text as name, case
       when not (c.relrowsecurity and c.relforcerowsecurity) then 'row-level security is not forced'
       when exists (select from pg_policy p where p.polrelid = c.oid
         and (p.polroles = '{0}' or 'lastro_app'::regrole = any (p.polroles))
         and pg_get_expr(p.polqual, c.oid) not like '%tenant_id = %app.tenant%')
         then 'a policy shows more than one company'
       when not c.relispartition and c.relpersistence = 'p' and not exists (select from pg_policy p
         where p.polrelid = c.oid and p.polname = 'company'
           and 'lastro_app'::regrole = any (p.polroles)) then 'the policy company is missing'
       when not c.relispartition and c.relpersistence = 'p' and not exists (select from pg_policy p
         where p.polrelid = c.oid and 'lastro_care'::regrole = any (p.polroles))
         then 'the policy care is missing' end as fault
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  )
  const faults = rows.filter(({ fault }) => fault !== null)
  if (faults.length === 0) return ok('tables', `${rows.length} are under row-level security`)
  return failed(
    'tables',
    faults.map(({ name, fault }) => `${name}: ${fault}`).join('; '),
    'Compare with src/db/migrations: ALTER TABLE … FORCE ROW LEVEL SECURITY, CREATE POLICY ….',
  )
}

/** The service makes a year ahead: few months left mean that it has not been able to for long. */
async function checkPartitions(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ history: string; ahead: number }>(
    `select history, (select count(*)::int - 1 from generate_series(0, 12) as n
       where to_regclass(format('%s_%s', history, to_char(date_trunc('month',
         now() at time zone 'UTC') + make_interval(months => n), 'YYYY_MM'))) is not null) as ahead
     from unnest($1::text[]) as history order by ahead`,
    [HISTORY],
  )
  const { history, ahead } = rows[0]!
  const action = 'Run `lastro migrate`, and look in the log of the service for why it did not.'
  if (ahead < 1) return failed('partitions', `${history} has none for next month`, action)
  const message = `made ${ahead} months ahead`
  return ahead < 6 ? warning('partitions', message, action) : ok('partitions', message)
}

import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { Config } from '../config.ts'
import type { DatabaseServer } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { OperatorError } from '../errors.ts'
import { findSecretBox } from '../secret-box.ts'
import { print, table, type WithDatabase } from '../terminal.ts'
import { type Act, listAuditoria } from './auditoria.ts'
import { backup } from './backup.ts'
import { examine } from './doctor.ts'
import { type Finding, failed } from './finding.ts'
import { restore } from './restore.ts'
import { type Rotation, rotateSecrets } from './rotate.ts'

/** Gives a command the server too, as it is or brought up to date, and alone on the embedded one if need be. */
export type WithServer = <T>(
  work: (db: Database, around: { config: Config; server: DatabaseServer }) => Promise<T>,
  options?: { upToDate?: boolean; serve?: boolean },
) => Promise<T>

export function auditoriaCommands(withDatabase: WithDatabase): Command {
  const auditoria = new Command('auditoria').description('Who did what, when, in a company.')

  auditoria
    .command('list')
    .description('List what was done, the newest first, with what each field was and became.')
    .requiredOption('--empresa <id>', 'the company')
    .option('--registro <id>', 'only what was done to this record')
    .option('--limit <n>', 'at most so many', parseLimit, 50)
    .option('--json', 'print them as one JSON array')
    .action(({ json, ...filter }) =>
      withDatabase(async (db) => {
        const acts = await listAuditoria(db, filter)
        print(json, acts, acts.map(tell).join('\n') || 'Nothing was done yet.')
      }),
    )

  return auditoria
}

function parseLimit(text: string): number {
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 10_000) return Number(text)
  throw new InvalidArgumentError('Use a whole number from 1 to 10000.')
}

function tell({ seq, kind, record_id, recorded_at, actor, request_id, changes }: Act): string {
  const who = {
    chave: `key ${actor.nome ? `"${actor.nome}" ` : ''}${actor.id}`,
    usuario: `user ${actor.id}`,
    sistema: 'system',
  }[actor.kind]
  const request = request_id ? `, request ${request_id}` : ''
  const fields = changes.map(
    ({ field, before, after }) =>
      `  ${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
  )
  return [`${seq}  ${recorded_at}  ${kind} ${record_id} by ${who}${request}`, ...fields].join('\n')
}

export function doctorCommand(withServer: WithServer): Command {
  return new Command('doctor')
    .description('Look for what is wrong, and say what to do. Exits with 1 where something failed.')
    .option('--no-totals', 'do not count every entry again, for which writers have to wait')
    .option('--json', 'print [{"check": "…", "state": "ok", "message": "…"}]')
    .action(async ({ json, totals }) => {
      const findings = await withServer(
        (db, { config, server }) => examine({ db, config, server, totals }),
        { upToDate: false },
      ).catch(notEvenOpen)
      const rows = findings.map(({ state, check, message }) => [state, check, message])
      const actions = findings.flatMap(({ check, action }) =>
        action ? [`${check}: ${action}`] : [],
      )
      const words = [table(['STATE', 'CHECK', 'FOUND'], rows), ...actions].join('\n')
      print(json, findings, words)
      if (findings.some(({ state }) => state === 'failed')) process.exitCode = 1
    })
}

/** What keeps a command from opening the database is a finding too. */
function notEvenOpen(error: unknown): Finding[] {
  if (!(error instanceof OperatorError)) throw error
  return [failed('start', 'the database cannot be opened', error.message)]
}

export function backupCommand(withServer: WithServer): Command {
  return new Command('backup')
    .description(
      'Write everything of every company into one file, as it is at one moment, while the service goes on.',
    )
    .argument('<file>', 'where to; one that is there is replaced once the new one is whole')
    .option('--json', 'print {"file": "…", "rows": {…}, "secret_keys": […]}')
    .action((name: string, { json }) =>
      withServer(async (db, { config, server }) => {
        const file = resolve(name)
        const { rows, secret_keys } = await backup(db, file)
        const own = server.folder && !config.secretKey
        const key = own ? join(server.folder!, 'secret.key') : 'LASTRO_SECRET_KEY'
        const ids = secret_keys.length > 0 ? ` (${secret_keys.join(', ')})` : ''
        const words = [
          `Wrote ${sum(rows)} rows of ${rows.empresas} companies to ${file}.`,
          `Keep ${key}${ids} too, in another place: secrets in the backup open only with it.`,
        ]
        print(json, { file, rows, secret_keys }, words.join('\n'))
      }),
    )
}

export function restoreCommand(withServer: WithServer): Command {
  return new Command('restore')
    .description('Put a backup into a database that has no company yet: all of it, or nothing.')
    .argument('<file>', 'what `lastro backup` has written')
    .option('--json', 'print {"rows": {…}, "secret_keys": […], "missing_keys": […]}')
    .action((name: string, { json }) =>
      withServer(async (db, { config, server }) => {
        const { rows, secret_keys } = await restore(db, server.direct, resolve(name))
        const here = findSecretBox(config, server.folder)?.keyIds ?? []
        const missing_keys = secret_keys.filter((id) => !here.includes(id))
        const words = [
          `Restored ${sum(rows)} rows of ${rows.empresas} companies.`,
          'Deliveries that were pending are sent; receivers know those they had by their webhook-id.',
        ]
        if (missing_keys.length > 0) {
          const place = server.folder ? `${server.folder}/secret.key` : 'LASTRO_SECRET_KEY'
          words.push(
            `Before you start the service, put key ${missing_keys.join(', ')} back as ${place}: without it webhooks and payment accounts do not work.`,
          )
        }
        print(json, { rows, secret_keys, missing_keys }, words.join('\n'))
      }),
    )
}

function sum(rows: Record<string, number>): number {
  return Object.values(rows).reduce((all, count) => all + count, 0)
}

export function secretsCommands(withServer: WithServer): Command {
  const secrets = new Command('secrets').description('The key that secrets are kept with.')

  secrets
    .command('rotate')
    .description(
      `Seal every secret with the current key: LASTRO_SECRET_KEY, while LASTRO_SECRET_KEY_PREVIOUS still opens
what was sealed before. Without them, on the embedded server, a new key is made; the service has to be
stopped for that. Interrupted, it goes on when it is run again.`,
    )
    .option('--json', 'print {"key": "…", "resealed": 0, "unopened": 0}')
    .action(({ json }) =>
      withServer(
        async (db, { config, server }) => {
          const rotation = await rotateSecrets(db, config, server.folder)
          print(json, rotation, tellRotation(rotation))
          if (rotation.unopened > 0) process.exitCode = 1
        },
        { serve: true },
      ),
    )

  return secrets
}

function tellRotation({ key, resealed, unopened, oldKeyFile }: Rotation): string {
  const words = [`Sealed ${resealed} secrets anew; the key is ${key}.`]
  if (unopened > 0) {
    words.push(
      `${unopened} could not be opened: their key is not here. \`lastro doctor\` says which it is.`,
    )
  } else if (oldKeyFile) {
    words.push(`The old key is kept as ${oldKeyFile}: only backups made before need it.`)
  } else words.push('No other key is needed any more, but for backups made before.')
  return words.join('\n')
}

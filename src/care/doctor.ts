import pg from 'pg'
import type { Config } from '../config.ts'
import type { DatabaseServer } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { findSecretBox } from '../secret-box.ts'
import { checkDatabase } from './doctor-database.ts'
import { checkWork } from './doctor-work.ts'
import { type Finding, ok, warning } from './finding.ts'

interface Patient {
  db: Database
  config: Config
  server: DatabaseServer
  /** Counting every entry again keeps each company's writers waiting meanwhile. */
  totals: boolean
}

/** Looks at everything that can be wrong with an installation, and changes nothing. */
export async function examine({ db, config, server, totals }: Patient): Promise<Finding[]> {
  const client = new pg.Client(server.direct)
  client.on('error', () => {})
  await client.connect()
  try {
    const findings = [...checkConfig(config, server), ...(await checkDatabase(client))]
    // What the tables hold can be looked at only where they are as this version expects them.
    const migrated = findings.every(
      ({ check, state }) => check !== 'migrations' || state !== 'failed',
    )
    if (!migrated) return findings
    return [...findings, ...(await checkWork(db, findSecretBox(config, server.folder), totals))]
  } finally {
    await client.end()
  }
}

function checkConfig(config: Config, { folder }: DatabaseServer): Finding[] {
  const where = folder ? `embedded PostgreSQL in ${folder}` : 'PostgreSQL of DATABASE_URL'
  if (config.webhookDevTargets.length === 0) return [ok('configuration', `valid; ${where}`)]
  return [
    warning(
      'configuration',
      `valid; ${where}; webhooks may reach ${config.webhookDevTargets.join(', ')}`,
      'Unset WEBHOOK_DEV_TARGETS unless this is a machine for development.',
    ),
  ]
}

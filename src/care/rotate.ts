import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import {
  beginRotation,
  endRotation,
  keyIdOf,
  openSecretBox,
  type SecretBox,
} from '../secret-box.ts'
import { sealedSecrets, tryOpen } from './sealed.ts'

export interface Rotation {
  /** The key that now seals everything. */
  key: string
  resealed: number
  /** Sealed with a key that is not here. */
  unopened: number
  /** Where the old key of the data folder now is. */
  oldKeyFile?: string
}

/**
 * Seals every secret with the current key. On the embedded server that is a new one, made here; interrupted at
 * any point, it goes on when it is run again.
 */
export async function rotateSecrets(
  db: Database,
  config: Config,
  folder: string | undefined,
): Promise<Rotation> {
  const ownsKey = folder !== undefined && !config.secretKey
  if (ownsKey) beginRotation(folder)
  const box = openSecretBox(config, folder)
  const outcome = { key: box.keyId, ...(await resealAll(db, box)) }
  return ownsKey && outcome.unopened === 0
    ? { ...outcome, oldKeyFile: endRotation(folder) }
    : outcome
}

/** One by one, and only what nobody has replaced meanwhile: the service goes on beside it. */
async function resealAll(db: Database, box: SecretBox) {
  const care = db.system('lastro_care')
  let resealed = 0
  for (;;) {
    const left = (await sealedSecrets(care)).filter(({ sealed }) => keyIdOf(sealed) !== box.keyId)
    const opened = left.flatMap((each) => {
      const secret = tryOpen(box, each)
      return secret === undefined ? [] : [{ ...each, secret }]
    })
    if (opened.length === 0) return { resealed, unopened: left.length }
    for (const { table, column, tenant_id, id, sealed, secret } of opened) {
      const changed = await care.query(
        `update ${table} set ${column} = $4
         where tenant_id = $1 and id = $2 and ${column} = $3 returning id`,
        [tenant_id, id, sealed, box.seal(secret, tenant_id, id)],
      )
      resealed += changed.length
    }
  }
}

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { OperatorError } from './errors.ts'

/**
 * Keeps secrets at rest, with AES-256-GCM. What is sealed for one company and row opens for no other: both
 * are bound to it as additional data. The key's id goes with it, so that a wrong key is told from damage.
 */
export class SecretBox {
  readonly #key: Buffer
  readonly #keyId: string

  constructor(key: Buffer) {
    this.#key = key
    this.#keyId = createHash('sha256').update('lastro key id').update(key).digest('hex').slice(0, 8)
  }

  seal(secret: string, tenantId: string, rowId: string): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    cipher.setAAD(boundTo(tenantId, rowId))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    const parts = [nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64'))
    return [this.#keyId, ...parts].join('.')
  }

  open(text: string, tenantId: string, rowId: string): string {
    const [keyId, ...parts] = text.split('.')
    if (keyId !== this.#keyId) {
      throw new Error(`sealed with key ${keyId}, but LASTRO_SECRET_KEY is key ${this.#keyId}`)
    }
    const [nonce, tag, sealed] = parts.map((part) => Buffer.from(part, 'base64'))
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce!)
    decipher.setAAD(boundTo(tenantId, rowId))
    decipher.setAuthTag(tag!)
    return Buffer.concat([decipher.update(sealed!), decipher.final()]).toString('utf8')
  }
}

function boundTo(tenantId: string, rowId: string): Buffer {
  return Buffer.from(`${tenantId} ${rowId}`)
}

/** The key of the configuration; on the embedded server, one that is made once and kept beside the data. */
export function openSecretBox(config: Config, folder: string | undefined): SecretBox {
  if (config.secretKey) return new SecretBox(config.secretKey)
  if (folder === undefined) {
    throw new OperatorError(
      'LASTRO_SECRET_KEY is needed with DATABASE_URL: 32 bytes in base64, as `openssl rand -base64 32` prints them, the same for every instance.',
    )
  }
  const file = join(folder, 'secret.key')
  if (!existsSync(file)) makeKeyFile(file)
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
  if (key.length === 32) return new SecretBox(key)
  throw new OperatorError(`${file} does not hold a key; put back the one that was there.`)
}

/** The file has its name only when it is whole; of several that make one at once, the first one's stays. */
function makeKeyFile(file: string): void {
  const whole = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(whole, randomBytes(32).toString('base64'), { mode: 0o600, flush: true })
  try {
    linkSync(whole, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(whole)
  }
}

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { OperatorError } from './errors.ts'

/**
 * Keeps secrets at rest, with AES-256-GCM. What is sealed for one company and row opens for no other: both
 * are bound to it as additional data. The key's id goes with it, so that a wrong key is told from damage, and
 * so that what the key before it has sealed still opens.
 */
export class SecretBox {
  readonly #key: Buffer
  readonly #keys: Map<string, Buffer>
  /** Of the key that seals. */
  readonly keyId: string

  constructor(key: Buffer, previous?: Buffer) {
    this.#key = key
    this.keyId = idOf(key)
    this.#keys = new Map([key, ...(previous ? [previous] : [])].map((each) => [idOf(each), each]))
  }

  /** All that it opens with, the one that seals first. */
  get keyIds(): string[] {
    return [...this.#keys.keys()]
  }

  seal(secret: string, tenantId: string, rowId: string): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    cipher.setAAD(boundTo(tenantId, rowId))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    const parts = [nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64'))
    return [this.keyId, ...parts].join('.')
  }

  open(text: string, tenantId: string, rowId: string): string {
    const keyId = keyIdOf(text)
    const key = this.#keys.get(keyId)
    if (!key)
      throw new Error(`sealed with key ${keyId}, but LASTRO_SECRET_KEY is key ${this.keyId}`)
    const [, ...parts] = text.split('.')
    const [nonce, tag, sealed] = parts.map((part) => Buffer.from(part, 'base64'))
    const decipher = createDecipheriv('aes-256-gcm', key, nonce!)
    decipher.setAAD(boundTo(tenantId, rowId))
    decipher.setAuthTag(tag!)
    return Buffer.concat([decipher.update(sealed!), decipher.final()]).toString('utf8')
  }
}

/** The id of the key that something was sealed with. */
export function keyIdOf(sealed: string): string {
  return sealed.split('.', 1)[0]!
}

function idOf(key: Buffer): string {
  return createHash('sha256').update('lastro key id').update(key).digest('hex').slice(0, 8)
}

function boundTo(tenantId: string, rowId: string): Buffer {
  return Buffer.from(`${tenantId} ${rowId}`)
}

/** The key of the configuration; on the embedded server, one that is made once and kept beside the data. */
export function openSecretBox(config: Config, folder: string | undefined): SecretBox {
  if (folder !== undefined && !config.secretKey) makeKeyFile(join(folder, KEY_FILE))
  const box = findSecretBox(config, folder)
  if (box) return box
  throw new OperatorError(
    'LASTRO_SECRET_KEY is needed with DATABASE_URL: 32 bytes in base64, as `openssl rand -base64 32` prints them, the same for every instance.',
  )
}

/** The same where there is a key; none is made. */
export function findSecretBox(config: Config, folder: string | undefined): SecretBox | undefined {
  if (config.secretKey) return new SecretBox(config.secretKey, config.secretKeyPrevious)
  const key = folder === undefined ? undefined : readKeyFile(join(folder, KEY_FILE))
  return key && new SecretBox(key, readKeyFile(join(folder!, PREVIOUS_FILE)))
}

const KEY_FILE = 'secret.key'
/** There while a rotation lasts. */
const PREVIOUS_FILE = 'secret.key.previous'

/**
 * Puts a new key in the place of the one in the folder, which still opens as the previous one. Where a rotation
 * was interrupted, that one goes on. Both are on the disk before anything is sealed with the new one.
 */
export function beginRotation(folder: string): void {
  const [file, previous] = [join(folder, KEY_FILE), join(folder, PREVIOUS_FILE)]
  makeKeyFile(file)
  if (!existsSync(previous)) linkSync(file, previous)
  if (readKeyFile(file)!.equals(readKeyFile(previous)!)) renameSync(writeNewKey(file), file)
  flushFolder(folder)
}

/** The old key is no longer used, but backups may need it: its file has the key's id for a name from now on. */
export function endRotation(folder: string): string {
  const previous = join(folder, PREVIOUS_FILE)
  const kept = join(folder, `${KEY_FILE}.${idOf(readKeyFile(previous)!)}`)
  renameSync(previous, kept)
  flushFolder(folder)
  return kept
}

function readKeyFile(file: string): Buffer | undefined {
  if (!existsSync(file)) return undefined
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
  if (key.length === 32) return key
  throw new OperatorError(`${file} does not hold a key; put back the one that was there.`)
}

/** The file has its name only when it is whole; of several that make one at once, the first one's stays. */
function makeKeyFile(file: string): void {
  if (existsSync(file)) return
  const whole = writeNewKey(file)
  try {
    linkSync(whole, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(whole)
  }
}

/** A new key in a file beside the one it is for. */
function writeNewKey(file: string): string {
  const whole = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(whole, randomBytes(32).toString('base64'), { mode: 0o600, flush: true })
  return whole
}

function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

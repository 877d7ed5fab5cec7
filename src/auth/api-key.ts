import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'svc_live_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 26 characters of 62 are 154 bits; the 6 that follow hold the 32 bits of their checksum. */
const RANDOM_LENGTH = 26
const CHECKSUM_LENGTH = 6

/** A new key. It is shown once; what is kept of it is its hash. */
export function makeKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(62)]).join('')
  return PREFIX + random + checksum(random)
}

/** Whether a text can be a key at all: a mistyped one is refused without a look-up. */
export function isWellFormed(key: string): boolean {
  if (!/^svc_live_[0-9A-Za-z]{32}$/.test(key)) return false
  const random = key.slice(PREFIX.length, -CHECKSUM_LENGTH)
  return checksum(random) === key.slice(-CHECKSUM_LENGTH)
}

/** A fast hash is enough: the key itself is random, there is no dictionary to try. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function checksum(random: string): string {
  let rest = crc32(PREFIX + random)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

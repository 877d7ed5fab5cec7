import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** What OWASP asks of Argon2id at least: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }

interface Cost {
  memory: number
  passes: number
  parallelism: number
}

/** With its cost and salt, in the form that other systems read too. */
export async function hashSenha(senha: string): Promise<string> {
  const nonce = randomBytes(16)
  const hash = await hashWith(senha, nonce, COST)
  const { memory, passes, parallelism } = COST
  const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${bare(nonce)}$${bare(hash)}`
}

/** Takes as long where there is no such person, so that nobody learns who is one. */
export async function isSenha(senha: string, kept: string | undefined): Promise<boolean> {
  const [, , , cost, nonce, hash] = (kept ?? (await nobodys())).split('$')
  const [memory, passes, parallelism] = cost!.split(',').map((part) => Number(part.slice(2)))
  const same = await hashWith(senha, Buffer.from(nonce!, 'base64'), {
    memory: memory!,
    passes: passes!,
    parallelism: parallelism!,
  })
  return timingSafeEqual(same, Buffer.from(hash!, 'base64')) && kept !== undefined
}

let nobody: Promise<string> | undefined

function nobodys(): Promise<string> {
  nobody ??= hashSenha(randomBytes(16).toString('hex'))
  return nobody
}

function hashWith(senha: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  const message = Buffer.from(senha.normalize('NFKC'))
  return derive('argon2id', { message, nonce, tagLength: 32, ...cost })
}

import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Database, WriteTx } from '../db/database.ts'
import { violates } from '../db/sql-state.ts'
import { ApiError, invalid, tooMany } from '../errors.ts'
import type { Papel } from './papeis.ts'
import {
  acceptConvite,
  type ConviteRow,
  countAdmins,
  countTry,
  deleteMembro,
  deleteSessao,
  type EmpresaOf,
  empresasOf,
  findConvite,
  findSessao,
  findUsuario,
  forgetTries,
  insertConvite,
  insertSessao,
  insertUsuario,
  replaceSenha,
  type SessaoRow,
  touchSessao,
  updateMembro,
} from './queries.ts'
import { hashSenha, isSenha } from './senha.ts'

/** A person signs in: the token is for their cookie, and shown to nobody else. */
export async function signIn(db: Database, email: string, senha: string): Promise<string> {
  const usuario = await checkSenha(db, email, senha)
  return openSession(db, usuario.id)
}

/** Who has signed in, and to which companies they belong. */
export interface Pessoa extends SessaoRow {
  empresas: EmpresaOf[]
}

export async function whoIs(db: Database, token: string): Promise<Pessoa | undefined> {
  const hash = hashToken(token)
  const sessao = await findSessao(db, hash)
  if (!sessao) return undefined
  if (sessao.stale) await touchSessao(db, hash)
  return { ...sessao, empresas: await empresasOf(db, sessao.id) }
}

export function signOut(db: Database, token: string): Promise<void> {
  return deleteSessao(db, hashToken(token))
}

async function openSession(db: Database, usuarioId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insertSessao(db, hashToken(token), usuarioId)
  return token
}

/** Tried too often without success, an e-mail is slowed down, whether or not there is such a person. */
async function checkSenha(db: Database, sent: string, senha: string) {
  const email = folded(sent)
  const seconds = await countTry(db, email)
  if (seconds > 0) {
    throw tooMany('Muitas tentativas sem sucesso.', seconds)
  }
  const usuario = await findUsuario(db, email)
  if (!(await isSenha(senha, usuario?.senha)) || !usuario) throw new ApiError('wrong-password')
  await forgetTries(db, email)
  return usuario
}

/** All sessions end; whoever changed it gets a new one. */
export async function changeSenha(db: Database, email: string, old: string, senha: string) {
  const usuario = await checkSenha(db, email, old)
  await replaceSenha(db, usuario.id, await hashSenha(senha))
  return openSession(db, usuario.id)
}

/** Makes a link by which somebody joins a company; the token is in the link alone. */
export async function invite(tx: WriteTx, email: string | null, papel: Papel): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const id = randomUUIDv7()
  await insertConvite(tx, { id, email: email && folded(email), papel, hash: hashToken(token) })
  return token
}

export async function openConvite(db: Database, token: string): Promise<ConviteRow> {
  const convite = await findConvite(db, hashToken(token))
  if (convite) return convite
  throw new ApiError('not-found', { detail: 'O convite não existe, já foi usado ou venceu.' })
}

interface Joining {
  /** Where the invitation names none. */
  email?: string
  nome: string
  senha: string
}

/** Somebody new chooses a password; who is known already proves it is them with theirs. */
export async function join(db: Database, token: string, joining: Joining): Promise<string> {
  const convite = await openConvite(db, token)
  const email = folded(convite.email ?? joining.email ?? namesNobody())
  const known = await findUsuario(db, email)
  const id = known
    ? (await checkSenha(db, email, joining.senha)).id
    : await createUsuario(db, { ...joining, email })
  if (!(await acceptConvite(db, convite, id))) {
    throw new ApiError('not-found', { detail: 'O convite já foi usado.' })
  }
  return openSession(db, id)
}

async function createUsuario(
  db: Database,
  { email, nome, senha }: Joining & { email: string },
): Promise<string> {
  const id = randomUUIDv7()
  await insertUsuario(db, { id, email, nome, senha: await hashSenha(senha) }).catch((error) => {
    // Somebody was quicker with the same address, and the password is theirs.
    throw violates(error, 'usuarios_email_key') ? new ApiError('wrong-password') : error
  })
  return id
}

export async function setPapel(tx: WriteTx, usuarioId: string, papel: Papel): Promise<void> {
  if (!(await updateMembro(tx, usuarioId, papel))) nobody()
  await keepAnAdmin(tx)
}

export async function removeMembro(tx: WriteTx, usuarioId: string): Promise<void> {
  if (!(await deleteMembro(tx, usuarioId))) nobody()
  await keepAnAdmin(tx)
}

/** Nobody could ever get in again to mend it. */
async function keepAnAdmin(tx: WriteTx): Promise<void> {
  if ((await countAdmins(tx)) > 0) return
  throw invalid('invalid-body', [
    { field: 'papel', message: 'a empresa ficaria sem administrador' },
  ])
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function folded(email: string): string {
  return email.trim().toLowerCase()
}

function namesNobody(): never {
  throw invalid('invalid-body', [{ field: 'email', message: 'é obrigatório neste convite' }])
}

function nobody(): never {
  throw new ApiError('not-found', { detail: 'A pessoa não faz parte desta empresa.' })
}

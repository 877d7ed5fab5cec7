import type { Database, Tx, WriteTx } from '../db/database.ts'
import type { Papel } from './papeis.ts'

export interface UsuarioRow {
  id: string
  email: string
  nome: string
  senha: string
}

const auth = (db: Database) => db.system('lastro_auth')

export async function findUsuario(db: Database, email: string): Promise<UsuarioRow | undefined> {
  const [row] = await auth(db).query<UsuarioRow>(
    'select id, email, nome, senha from usuarios where email = $1',
    [email],
  )
  return row
}

export async function insertUsuario(db: Database, row: UsuarioRow): Promise<void> {
  await auth(db).query('insert into usuarios (id, email, nome, senha) values ($1, $2, $3, $4)', [
    row.id,
    row.email,
    row.nome,
    row.senha,
  ])
}

/** Every session of the person ends with it. */
export async function replaceSenha(db: Database, id: string, senha: string): Promise<void> {
  await auth(db).query(
    `with ended as (delete from sessoes where usuario_id = $1)
     update usuarios set senha = $2, atualizado_em = clock_timestamp() where id = $1`,
    [id, senha],
  )
}

export async function insertSessao(db: Database, hash: Buffer, usuarioId: string): Promise<void> {
  await auth(db).query(
    `with ended as (delete from sessoes where usada_em < clock_timestamp() - interval '14 days')
     insert into sessoes (token_hash, usuario_id) values ($1, $2)`,
    [hash, usuarioId],
  )
}

export async function deleteSessao(db: Database, hash: Buffer): Promise<void> {
  await auth(db).query('delete from sessoes where token_hash = $1', [hash])
}

export interface EmpresaOf {
  id: string
  nome: string
  papel: Papel
  fuso_horario: string
  modulo_cobrancas: boolean
  modulo_integracoes: boolean
}

export interface SessaoRow {
  id: string
  email: string
  nome: string
  /** Not said for an hour that it is in use. */
  stale: boolean
}

/** Unused for two weeks, a session has ended. */
export async function findSessao(db: Database, hash: Buffer): Promise<SessaoRow | undefined> {
  const [row] = await auth(db).query<SessaoRow>(
    `select u.id, u.email, u.nome, s.usada_em < clock_timestamp() - interval '1 hour' as stale
     from sessoes s join usuarios u on u.id = s.usuario_id
     where s.token_hash = $1 and s.usada_em > clock_timestamp() - interval '14 days'`,
    [hash],
  )
  return row
}

export async function touchSessao(db: Database, hash: Buffer): Promise<void> {
  await auth(db).query('update sessoes set usada_em = clock_timestamp() where token_hash = $1', [
    hash,
  ])
}

export function empresasOf(db: Database, usuarioId: string): Promise<EmpresaOf[]> {
  return auth(db).query<EmpresaOf>(
    `select e.tenant_id as id, e.nome, m.papel, e.fuso_horario, e.modulo_cobrancas,
       e.modulo_integracoes
     from membros m join empresas e on e.tenant_id = m.tenant_id
     where m.usuario_id = $1 order by e.nome collate "pt-BR-x-icu", e.tenant_id`,
    [usuarioId],
  )
}

/** Each failure past the fifth doubles how long the next try has to wait. */
const NEXT_TRY = `f.ultima + make_interval(secs => least(900, power(2, least(f.falhas, 20) - 5)))`

/**
 * Counts a try before its password is looked at, so that many at once are no way around: it has failed until
 * it is forgotten. Where it came too soon it is not counted, and these are the seconds to wait.
 */
export async function countTry(db: Database, email: string): Promise<number> {
  const counted = await auth(db).query(
    `with old as (delete from entradas_falhas where email in (
       select email from entradas_falhas
       where ultima < clock_timestamp() - interval '1 day' and email <> $1
       limit 100 for update skip locked))
     insert into entradas_falhas as f (email, falhas, ultima) values ($1, 1, clock_timestamp())
     on conflict (email) do update set
       falhas = case when f.ultima < clock_timestamp() - interval '1 day' then 1
         else f.falhas + 1 end,
       ultima = clock_timestamp()
     where f.falhas <= 5 or ${NEXT_TRY} <= clock_timestamp()
     returning f.falhas`,
    [email],
  )
  if (counted.length > 0) return 0
  const [row] = await auth(db).query<{ seconds: number }>(
    `select ceil(extract(epoch from ${NEXT_TRY} - clock_timestamp()))::int as seconds
     from entradas_falhas f where email = $1`,
    [email],
  )
  return Math.max(1, row?.seconds ?? 0)
}

export async function forgetTries(db: Database, email: string): Promise<void> {
  await auth(db).query('delete from entradas_falhas where email = $1', [email])
}

export interface ConviteRow {
  tenant_id: string
  id: string
  empresa: string
  email: string | null
  papel: Papel
}

/** One that is still open: neither accepted nor out of date. */
export async function findConvite(db: Database, hash: Buffer): Promise<ConviteRow | undefined> {
  const [row] = await auth(db).query<ConviteRow>(
    `select c.tenant_id, c.id, e.nome as empresa, c.email, c.papel
     from convites c join empresas e on e.tenant_id = c.tenant_id
     where c.token_hash = $1 and c.aceito_em is null and c.expira_em > clock_timestamp()`,
    [hash],
  )
  return row
}

/** Of two who accept at once, one does. No link makes less of an administrator, who may be the last. */
export async function acceptConvite(
  db: Database,
  { tenant_id, id, papel }: ConviteRow,
  usuarioId: string,
): Promise<boolean> {
  const rows = await auth(db).query(
    `with accepted as (
       update convites set aceito_em = clock_timestamp()
       where tenant_id = $1 and id = $2 and aceito_em is null returning tenant_id)
     insert into membros (tenant_id, usuario_id, papel) select tenant_id, $3, $4 from accepted
     on conflict (tenant_id, usuario_id) do update
       set papel = case membros.papel when 'admin' then 'admin' else excluded.papel end
     returning usuario_id`,
    [tenant_id, id, usuarioId, papel],
  )
  return rows.length > 0
}

export async function insertConvite(
  tx: Tx,
  convite: { id: string; email: string | null; papel: Papel; hash: Buffer },
): Promise<void> {
  await tx.query(
    `insert into convites (tenant_id, id, email, papel, token_hash, expira_em)
     values ($1, $2, $3, $4, $5, clock_timestamp() + interval '7 days')`,
    [tx.tenantId, convite.id, convite.email, convite.papel, convite.hash],
  )
}

export function listMembros(tx: Tx) {
  return tx.query<{ id: string; nome: string; email: string; papel: Papel; criado_em: string }>(
    `select u.id, u.nome, u.email, m.papel, m.criado_em
     from membros m join usuarios u on u.id = m.usuario_id
     where m.tenant_id = $1 order by u.nome collate "pt-BR-x-icu", u.id`,
    [tx.tenantId],
  )
}

export function listConvites(tx: Tx) {
  return tx.query<{ id: string; email: string | null; papel: Papel; expira_em: string }>(
    `select id, email, papel, expira_em from convites
     where tenant_id = $1 and aceito_em is null and expira_em > clock_timestamp()
     order by criado_em, id`,
    [tx.tenantId],
  )
}

export async function deleteConvite(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(
    'delete from convites where tenant_id = $1 and id = $2 and aceito_em is null returning id',
    [tx.tenantId, id],
  )
  return rows.length > 0
}

export async function updateMembro(tx: Tx, usuarioId: string, papel: Papel): Promise<boolean> {
  const rows = await tx.query(
    `update membros set papel = $3 where tenant_id = $1 and usuario_id = $2 returning usuario_id`,
    [tx.tenantId, usuarioId, papel],
  )
  return rows.length > 0
}

export async function deleteMembro(tx: WriteTx, usuarioId: string): Promise<boolean> {
  const rows = await tx.query(
    'delete from membros where tenant_id = $1 and usuario_id = $2 returning usuario_id',
    [tx.tenantId, usuarioId],
  )
  return rows.length > 0
}

export async function countAdmins(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: bigint }>(
    `select count(*) from membros where tenant_id = $1 and papel = 'admin'`,
    [tx.tenantId],
  )
  return Number(row!.count)
}

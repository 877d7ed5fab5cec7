import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { Api } from '../http/api.ts'
import { Exactly, Text } from '../http/schemas.ts'
import { Email } from './schema.ts'
import { changeSenha, join, openConvite, type Pessoa, signIn, signOut } from './usuarios.ts'

/** Long enough that no rule about its characters is needed. */
const senha = Text(10, 200)
const Entrada = Exactly({ email: Email, senha: Text(1, 200) })
const NovaSenha = Exactly({ atual: Text(1, 200), nova: senha })
const Aceite = Exactly({ email: Type.Optional(Email), nome: Text(1, 200), senha })

interface Options {
  db: Database
  config: Pick<Config, 'publicUrl'>
  /** The cookie's name, and what it holds in a request. */
  cookie: string
  tokenOf(request: { headers: { cookie?: string | undefined } }): string | undefined
}

/** For whoever has not signed in yet. */
export function entryRoutes(app: Api, { db, config, cookie }: Options): void {
  app.post('/entrar', { schema: { body: Entrada } }, async ({ body }, reply) => {
    giveCookie(reply, cookie, config, await signIn(db, body.email, body.senha))
    return { ok: true }
  })

  app.get<{ Params: { token: string } }>('/convites/:token', async ({ params }) => {
    const { empresa, email, papel } = await openConvite(db, params.token)
    return { empresa, email, papel }
  })

  app.post<{ Params: { token: string }; Body: Static<typeof Aceite> }>(
    '/convites/:token',
    { schema: { body: Aceite } },
    async ({ params, body }, reply) => {
      giveCookie(reply, cookie, config, await join(db, params.token, body))
      return { ok: true }
    },
  )
}

/** For whoever has. */
export function sessionRoutes(app: Api, { db, config, cookie, tokenOf }: Options): void {
  app.get('/eu', async ({ pessoa }) => present(pessoa))

  app.post('/sair', async (request, reply) => {
    await signOut(db, tokenOf(request)!)
    reply.header('set-cookie', `${cookie}=; Path=/; Max-Age=0`)
    return { ok: true }
  })

  app.post('/senha', { schema: { body: NovaSenha } }, async ({ pessoa, body }, reply) => {
    giveCookie(reply, cookie, config, await changeSenha(db, pessoa.email, body.atual, body.nova))
    return { ok: true }
  })
}

function present({ id, nome, email, empresas }: Pessoa) {
  return {
    id,
    nome,
    email,
    empresas: empresas.map(({ modulo_cobrancas, modulo_integracoes, ...empresa }) => ({
      ...empresa,
      modulos: [
        ...(modulo_cobrancas ? ['cobrancas'] : []),
        ...(modulo_integracoes ? ['integracoes'] : []),
      ],
    })),
  }
}

/** Scripts cannot read it, and no other site's request carries it. */
function giveCookie(
  reply: FastifyReply,
  name: string,
  { publicUrl }: Options['config'],
  token: string,
) {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${name}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=1209600${secure}`,
  )
}

import { Type } from 'typebox'
import type { Config } from '../config.ts'
import type { Api, Slice } from '../http/api.ts'
import { Enum, Exactly, Nullable } from '../http/schemas.ts'
import { type Accounts, connect, connectionOf, disconnect } from './contas.ts'

/** Where a company's account with Asaas may be: an address of the caller's own would be asked by us. */
const AMBIENTES: Record<string, string | null> = {
  producao: null,
  testes: 'https://api-sandbox.asaas.com/v3',
}

const NovaConta = Exactly({
  provedor: Enum(['sandbox', 'asaas'] as const),
  ambiente: Type.Optional(Enum(['producao', 'testes'] as const)),
  chave: Type.Optional(
    Nullable(Type.String({ pattern: '^[\\x21-\\x7e]+$', minLength: 1, maxLength: 1000 })),
  ),
})

interface Options extends Slice {
  accounts: Accounts
  config: Pick<Config, 'publicUrl'>
}

/** A company's payment account, in the application. */
export function provedorRoutes(api: Api, { db, accounts, config }: Options): void {
  const admin = { papel: 'admin', modulo: 'cobrancas' } as const

  api.get('/provedor', { config: { modulo: 'cobrancas' } }, async ({ actor }) => ({
    item: (await connectionOf(db, actor.tenantId)) ?? null,
  }))

  api.post('/provedor', { config: admin, schema: { body: NovaConta } }, async (request, reply) => {
    const { provedor, ambiente = 'producao', chave = null } = request.body
    const { id, token } = await connect(db, accounts, {
      empresa: request.actor.tenantId,
      provedor,
      apiKey: chave,
      baseUrl: provedor === 'asaas' ? AMBIENTES[ambiente]! : null,
    })
    const notices = token && {
      webhook_url: `${config.publicUrl}/provedores/${provedor}/${id}`,
      webhook_token: token,
    }
    return reply.code(201).send({ id, ...(notices || {}) })
  })

  api.delete('/provedor', { config: admin }, async ({ actor }) => {
    await disconnect(db, actor.tenantId)
    return { ok: true }
  })
}

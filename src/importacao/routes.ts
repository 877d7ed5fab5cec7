import { PassThrough } from 'node:stream'
import { type Api, authorOf, type Slice } from '../http/api.ts'
import { refusalOf } from '../http/error-reply.ts'
import { NoQuery, pathId } from '../http/schemas.ts'
import {
  chooseMapeamento,
  discard,
  getImportacao,
  lastImportacoes,
  prepare,
  readyToImport,
} from './importacao.ts'
import { MapeamentoPatch, NovaImportacao, type Progresso } from './schema.ts'

const UPLOAD_LIMIT = 8 * 1024 * 1024
const schema = { querystring: NoQuery }
const read = { config: { scope: 'lancamentos:read' }, schema } as const
const write = { config: { scope: 'lancamentos:write' }, schema } as const
type One = { Params: { id: string } }

/** Files of lines that become entries, in the application. */
export function importacaoRoutes(api: Api, { db }: Slice): void {
  const show = async (tenantId: string, id: string) => ({
    item: await getImportacao(db.reader(tenantId), id),
  })

  api.get('/importacoes', read, async ({ actor }) => ({
    items: await lastImportacoes(db.reader(actor.tenantId)),
  }))

  api.post(
    '/importacoes',
    { ...write, schema: { ...schema, body: NovaImportacao }, bodyLimit: UPLOAD_LIMIT },
    async (request, reply) => {
      const { tenantId } = request.actor
      const { nome, conteudo } = request.body
      const file = { nome, bytes: Buffer.from(conteudo, 'base64') }
      const id = await prepare(db, tenantId, authorOf(request), file)
      return reply.code(201).send(await show(tenantId, id))
    },
  )

  api.get<One>('/importacoes/:id', read, ({ actor, params }) =>
    show(actor.tenantId, pathId(params)),
  )

  api.patch(
    '/importacoes/:id',
    { ...write, schema: { ...schema, body: MapeamentoPatch } },
    async ({ actor, params, body }) => {
      const id = pathId(params as One['Params'])
      await db.write(actor.tenantId, (tx) => chooseMapeamento(tx, id, body.mapeamento))
      return show(actor.tenantId, id)
    },
  )

  api.delete<One>('/importacoes/:id', write, async ({ actor, params }) => {
    await db.write(actor.tenantId, (tx) => discard(tx, pathId(params)))
    return { ok: true }
  })

  api.post<One>('/importacoes/:id/confirmar', write, async (request, reply) => {
    const carryOut = await readyToImport(db, request.actor.tenantId, pathId(request.params))
    const lines = new PassThrough()
    const tell = (line: Progresso) => lines.write(`${JSON.stringify(line)}\n`)
    // Whoever stops listening changes nothing: it is written as a whole all the same.
    carryOut(authorOf(request), tell)
      .then((item) => tell({ item }))
      .catch((error: unknown) => tell(refusalOf(error, request)))
      .finally(() => lines.end())
    return reply.type('application/x-ndjson').send(lines)
  })
}

// The floor: what a person would write in an afternoon. Bare Fastify and pg, the same columns, no key check,
// no rate limit, no row-level security, no events. It runs in a process of its own, like the service.
import Fastify from 'fastify'
import pg from 'pg'

const COLUMNS = `id, data, descricao, tipo, valor, status, vencimento, data_pagamento, juros, desconto,
  contraparte, centro_custo, observacoes, parceiro_id, categoria_id, conta_bancaria_id, criado_em,
  atualizado_em`

const pool = new pg.Pool({ connectionString: process.env.FLOOR_DATABASE_URL, max: 10 })
const app = Fastify()

app.get<{ Params: { tenant: string; id: string } }>('/:tenant/lancamentos/:id', async (request) => {
  const { rows } = await pool.query({
    name: 'find',
    text: `select ${COLUMNS} from floor_lancamentos where tenant_id = $1 and id = $2`,
    values: [request.params.tenant, request.params.id],
  })
  return { item: rows[0] }
})

app.get<{ Params: { tenant: string }; Querystring: { status: string; tipo: string } }>(
  '/:tenant/lancamentos',
  async (request) => {
    const { status, tipo } = request.query
    const values = [request.params.tenant, status, tipo]
    const where = 'tenant_id = $1 and status = $2 and tipo = $3'
    const [page, count] = await Promise.all([
      pool.query({
        name: 'list',
        text: `select ${COLUMNS} from floor_lancamentos where ${where}
          order by data desc, id desc limit 100`,
        values,
      }),
      pool.query({
        name: 'count',
        text: `select count(*)::int as total from floor_lancamentos where ${where}`,
        values,
      }),
    ])
    return { items: page.rows, total: count.rows[0].total, limit: 100, offset: 0 }
  },
)

await app.listen({ port: Number(process.env.PORT) })

// The floor: what a person would write in an afternoon. Bare Fastify and pg, the same columns, no key check,
// no rate limit, no row-level security, no events. It runs in a process of its own, like the service.
import { randomUUIDv7 } from 'node:crypto'
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

const CONDITIONS: Record<string, string> = {
  status: 'status =',
  tipo: 'tipo =',
  centro_custo: 'centro_custo =',
  data_de: 'data >=',
  data_ate: 'data <=',
}

app.get<{ Params: { tenant: string }; Querystring: Record<string, string> }>(
  '/:tenant/lancamentos',
  async (request) => {
    const { limit, ...filter } = request.query
    const names = Object.keys(filter)
    const values = [request.params.tenant, ...Object.values(filter)]
    const where = [
      'tenant_id = $1',
      ...names.map((name, i) => `${CONDITIONS[name]} $${i + 2}`),
    ].join(' and ')
    const [page, count] = await Promise.all([
      pool.query({
        name: `list ${names}`,
        text: `select ${COLUMNS} from floor_lancamentos where ${where}
          order by data desc, id desc limit 100`,
        values,
      }),
      pool.query({
        name: `count ${names}`,
        text: `select count(*)::int as total from floor_lancamentos where ${where}`,
        values,
      }),
    ])
    return { items: page.rows, total: count.rows[0].total, limit: 100, offset: 0 }
  },
)

interface NewEntry {
  data: string
  descricao: string
  tipo: string
  valor: number
  contraparte: string
  centro_custo: string
}

app.post<{ Params: { tenant: string }; Body: NewEntry }>(
  '/:tenant/lancamentos',
  async (request, reply) => {
    const { data, descricao, tipo, valor, contraparte, centro_custo } = request.body
    const { rows } = await pool.query({
      name: 'insert',
      text: `insert into floor_lancamentos (tenant_id, id, data, descricao, tipo, valor, status,
          vencimento, juros, desconto, contraparte, centro_custo)
        values ($1, $2, $3, $4, $5, $6, 'em_aberto', $3, 0, 0, $7, $8) returning ${COLUMNS}`,
      values: [
        ...[request.params.tenant, randomUUIDv7(), data, descricao, tipo],
        ...[Math.round(valor * 100), contraparte, centro_custo],
      ],
    })
    return reply.code(201).send({ item: rows[0] })
  },
)

await app.listen({ port: Number(process.env.PORT) })

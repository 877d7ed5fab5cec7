import type { NewLancamento } from '../lancamentos/schema.ts'
import { PARCEIROS } from './books.ts'

const CENTROS = ['Matriz', 'Filial Campinas']

interface Monthly {
  descricao: string
  contraparte: string
  categoria: string
  tipo: 'receita' | 'despesa'
  /** Day of the month on which it falls due. */
  dia: number
  valor: number
  /** How much the amount differs from month to month, as a part of it. */
  variacao: number
  centro_custo: string | null
}

const CONTRACTS = PARCEIROS.filter(({ tipo }) => tipo === 'cliente').map(
  ({ nome }, i): Monthly => ({
    descricao: 'Mensalidade de suporte',
    contraparte: nome,
    categoria: 'Contratos',
    tipo: 'receita',
    dia: 5 + 3 * i,
    valor: 1_800 + 650 * i,
    variacao: 0,
    centro_custo: CENTROS[i % 2]!,
  }),
)

const COSTS: Monthly[] = (
  [
    ['Aluguel', 'Imobiliária Central', 'Aluguel', 5, 6_500, 0, 'Matriz'],
    ['Aluguel da filial', 'Imobiliária Barão', 'Aluguel', 5, 3_200, 0, 'Filial Campinas'],
    ['Folha de pagamento', 'Funcionários', 'Salários', 5, 11_400, 0.03, null],
    ['Energia elétrica', 'Companhia de Energia', 'Energia', 12, 1_150, 0.2, 'Matriz'],
    ['Internet e telefone', 'Telefonia Integrada', 'Telefonia', 15, 489.9, 0, 'Matriz'],
    ['Contabilidade', 'Escritório Contábil Silva', 'Contabilidade', 10, 1_350, 0, null],
    ['DAS', 'Receita Federal', 'Simples Nacional', 20, 2_400, 0.15, null],
    ['Anúncios', 'Agência Digital Norte', 'Publicidade', 8, 1_300, 0.3, 'Loja virtual'],
    ['Frete', 'Entregas Expressas', 'Logística', 25, 900, 0.35, 'Loja virtual'],
  ] as const
).map(([descricao, contraparte, categoria, dia, valor, variacao, centro_custo]) => ({
  ...{ descricao, contraparte, categoria, tipo: 'despesa' as const },
  ...{ dia, valor, variacao, centro_custo },
}))

/** An entry that names its partner and category; what they are called is looked up when it is made. */
interface DemoEntry extends NewLancamento {
  categoria?: string
}

/** A believable year: twelve months back, two ahead, always the same for the same day. */
export function entriesOfAYear(today: Temporal.PlainDate): DemoEntry[] {
  const random = seeded(2026)
  const entries: DemoEntry[] = []
  for (let ahead = -12; ahead <= 2; ahead++) {
    const month = today.with({ day: 1 }).add({ months: ahead })
    for (const monthly of [...CONTRACTS, ...COSTS]) {
      const valor = reais(monthly.valor * (1 + monthly.variacao * (random() - 0.5)))
      entries.push(entry({ ...monthly, valor }, month.with({ day: monthly.dia }), today, random()))
    }
    for (let sale = 0; sale < 14 && ahead <= 0; sale++) {
      const day = month.with({ day: 1 + Math.floor(random() * 28) })
      const sold: Monthly = {
        descricao: `Pedido ${1000 + (ahead + 12) * 14 + sale}`,
        contraparte: 'Consumidor',
        categoria: 'Vendas',
        tipo: 'receita',
        dia: day.day,
        valor: reais(90 + random() * 1_400),
        variacao: 0,
        centro_custo: 'Loja virtual',
      }
      if (Temporal.PlainDate.compare(day, today) <= 0)
        entries.push(entry(sold, day, today, random()))
    }
    const transfer = month.with({ day: 28 })
    if (Temporal.PlainDate.compare(transfer, today) <= 0) {
      entries.push({
        data: transfer.toString(),
        descricao: 'Reserva para aplicação',
        tipo: 'transferencia',
        valor: 4_000,
        status: 'pago',
      })
    }
  }
  return entries
}

/** What is due is mostly paid, sometimes late, now and then still open or cancelled. */
function entry(
  monthly: Monthly,
  due: Temporal.PlainDate,
  today: Temporal.PlainDate,
  fate: number,
): DemoEntry {
  const { descricao, contraparte, categoria, tipo, valor, centro_custo } = monthly
  const issued = due.subtract({ days: 4 })
  const common = {
    data: issued.toString(),
    descricao,
    tipo,
    valor,
    vencimento: due.toString(),
    contraparte,
    categoria,
    centro_custo,
  }
  if (Temporal.PlainDate.compare(due, today) >= 0) return common
  if (fate > 0.985) return { ...common, status: 'cancelado' }
  if (fate > 0.94) return common
  const late = fate > 0.82 ? 1 + (Math.floor(fate * 100) % 9) : 0
  const paid = due.add({ days: late })
  if (Temporal.PlainDate.compare(paid, today) > 0) return common
  const juros = late > 0 ? reais(valor * 0.002 * late) : 0
  const desconto = late === 0 && fate < 0.08 ? reais(valor * 0.05) : 0
  return { ...common, status: 'pago', data_pagamento: paid.toString(), juros, desconto }
}

function reais(value: number): number {
  return Number(value.toFixed(2))
}

/** Mulberry32: a small generator, so that every demonstration is the same. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

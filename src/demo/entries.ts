import type { NewLancamento } from '../lancamentos/schema.ts'

const CENTROS = ['Matriz', 'Filial Campinas', 'Loja virtual']
const CLIENTES = [
  'Padaria Bom Dia Ltda',
  'Construtora Horizonte S.A.',
  'Clínica Vida Plena',
  'Escola Pequeno Príncipe',
  'Mercado do Bairro ME',
  'Transportes Rápido Sul',
]

interface Monthly {
  descricao: string
  contraparte: string
  tipo: 'receita' | 'despesa'
  /** Day of the month on which it falls due. */
  dia: number
  valor: number
  /** How much the amount differs from month to month, as a part of it. */
  variacao: number
  centro_custo: string | null
}

const MONTHLY: Monthly[] = [
  ...CLIENTES.map((contraparte, i) => ({
    descricao: 'Mensalidade de suporte',
    contraparte,
    tipo: 'receita' as const,
    dia: 5 + 3 * i,
    valor: 1_800 + 650 * i,
    variacao: 0,
    centro_custo: CENTROS[i % 2]!,
  })),
  expense('Aluguel', 'Imobiliária Central', 5, 6_500, 0, 'Matriz'),
  expense('Aluguel da filial', 'Imobiliária Barão', 5, 3_200, 0, 'Filial Campinas'),
  expense('Folha de pagamento', 'Funcionários', 5, 28_400, 0.03, null),
  expense('Energia elétrica', 'CPFL', 12, 1_150, 0.2, 'Matriz'),
  expense('Internet e telefone', 'Vivo Empresas', 15, 489.9, 0, 'Matriz'),
  expense('Contabilidade', 'Escritório Contábil Silva', 10, 1_350, 0, null),
  expense('Simples Nacional (DAS)', 'Receita Federal', 20, 5_400, 0.15, null),
  expense('Anúncios', 'Google Brasil', 8, 2_300, 0.3, 'Loja virtual'),
  expense('Frete', 'Correios', 25, 1_900, 0.35, 'Loja virtual'),
]

function expense(
  descricao: string,
  contraparte: string,
  dia: number,
  valor: number,
  variacao: number,
  centro_custo: string | null,
): Monthly {
  return { descricao, contraparte, tipo: 'despesa', dia, valor, variacao, centro_custo }
}

/** A believable year: twelve months back, two ahead, always the same for the same day. */
export function entriesOfAYear(today: Temporal.PlainDate): NewLancamento[] {
  const random = seeded(2026)
  const entries: NewLancamento[] = []
  for (let ahead = -12; ahead <= 2; ahead++) {
    const month = today.with({ day: 1 }).add({ months: ahead })
    for (const monthly of MONTHLY) {
      const valor = reais(monthly.valor * (1 + monthly.variacao * (random() - 0.5)))
      entries.push(entry({ ...monthly, valor }, month.with({ day: monthly.dia }), today, random()))
    }
    for (let sale = 0; sale < 14 && ahead <= 0; sale++) {
      const day = month.with({ day: 1 + Math.floor(random() * 28) })
      const sold: Monthly = {
        descricao: `Pedido ${1000 + (ahead + 12) * 14 + sale}`,
        contraparte: 'Consumidor',
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
): NewLancamento {
  const { descricao, contraparte, tipo, valor, centro_custo } = monthly
  const issued = due.subtract({ days: 4 })
  const common = {
    data: issued.toString(),
    descricao,
    tipo,
    valor,
    vencimento: due.toString(),
    contraparte,
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

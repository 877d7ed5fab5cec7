import { intendCobranca } from '../cobrancas/cobrancas.ts'
import type { NewCobranca } from '../cobrancas/schema.ts'
import type { Database } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import { SYSTEM } from '../events/outbox.ts'
import { lancamentosAsText } from '../lancamentos/lancamentos.ts'
import { pageOfParceiros } from '../parceiros/parceiros.ts'
import type { Payments } from '../payments.ts'
import { connect } from '../provedores/contas.ts'

interface DemoCharge extends Pick<NewCobranca, 'valor' | 'forma' | 'descricao'> {
  /** Days from today to the due date. */
  due: number
  acts?: ('pay' | 'refund' | 'cancel')[]
  /** About an entry that is open. */
  ofEntry?: true
}

/** One of each state that a charge can be in, and a few more that wait to be paid. */
const CHARGES: DemoCharge[] = [
  { valor: 1_800, forma: 'PIX', descricao: 'Mensalidade de suporte', due: 7 },
  { valor: 2_450, forma: 'BOLETO', descricao: 'Implantação do sistema', due: 15 },
  { valor: 349.9, forma: 'UNDEFINED', descricao: 'Treinamento', due: 3 },
  { valor: 1_200, forma: 'BOLETO', descricao: 'Consultoria', due: -9 },
  { valor: 640, forma: 'PIX', descricao: 'Visita técnica', due: 0, acts: ['pay'] },
  { valor: 0, descricao: 'Mensalidade de suporte', due: 5, acts: ['pay'], ofEntry: true },
  { valor: 980, forma: 'CREDIT_CARD', descricao: 'Licença anual', due: 2, acts: ['pay', 'refund'] },
  { valor: 75, forma: 'BOLETO', descricao: 'Segunda via', due: 10, acts: ['cancel'] },
  // The sandbox does what these two say.
  { valor: 510, forma: 'PIX', descricao: 'sandbox:recusar', due: 4 },
  { valor: 720, forma: 'PIX', descricao: 'sandbox:sem-resposta', due: 4 },
]

/** Connects the company to the sandbox and has it issue charges, as a caller of the API would. */
export async function issueCharges(
  db: Database,
  { accounts, issuer }: Payments,
  empresa: string,
  today: Temporal.PlainDate,
): Promise<void> {
  await connect(db, accounts, { empresa, provedor: 'sandbox', apiKey: null, baseUrl: null })
  const reader = db.reader(empresa)
  const { items: clients } = await pageOfParceiros(reader, { tipo: 'cliente' })
  const filter = { tipo: 'receita', status: 'em_aberto' } as const
  const { items: open } = JSON.parse(await lancamentosAsText(reader, filter, today.toString()))
  for (const [i, { due, acts = [], ofEntry, ...charge }] of CHARGES.entries()) {
    const vencimento = today.add({ days: due }).toString()
    // The next one that falls due: what is months ahead is not paid yet.
    const entry =
      ofEntry &&
      open.findLast((each: { vencimento: string }) => each.vencimento >= today.toString())
    const body = {
      ...charge,
      vencimento,
      parceiro_id: entry?.parceiro_id ?? clients[i % clients.length]!.id,
      ...(entry && { valor: entry.valor, lancamento_id: entry.id }),
    }
    // One that is overdue today was issued when it was not yet.
    const issuedOn = due < 0 ? vencimento : today.toString()
    const row = await db.write(empresa, (tx) => intendCobranca(tx, accounts, body, issuedOn))
    try {
      await issuer.issue(empresa, SYSTEM, row, () => {})
      for (const act of acts) await issuer.act(empresa, SYSTEM, row.id, act)
    } catch (error) {
      const asTold = charge.descricao?.startsWith('sandbox:') && error instanceof ApiError
      if (!asTold) throw error
    }
  }
}

import type { Resumo } from '../../../../src/resumo/schema.ts'
import { counted, reais } from '../../lib/format.ts'
import type { Amount } from './chart.ts'
import { type Entries, EntriesLink } from './entries.tsx'
import { dueInDays, type PainelSearch, periodWords } from './search.ts'

interface Props {
  resumo: Resumo
  today: string
  search: PainelSearch
}

type Figures = [name: string, amount: Amount][]

/** The totals just as `/resumo` gives them, each leading to the entries that it sums. */
export function Cards({ resumo, today, search }: Props) {
  const { realizado, em_aberto, vencido, proximos_30_dias, total_lancamentos } = resumo
  const behind = (entries: Entries, value: number): Amount => ({
    value,
    entries: { ...search, ...entries },
  })
  const open = (found: { a_receber: number; a_pagar: number }, entries: Entries): Figures => [
    ['A receber', behind({ ...entries, tipo: 'receita' }, found.a_receber)],
    ['A pagar', behind({ ...entries, tipo: 'despesa' }, found.a_pagar)],
  ]
  return (
    <section aria-labelledby="no-periodo" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="no-periodo" className="text-lg font-semibold">
          {periodWords(search)}
        </h2>
        <p aria-live="polite" className="text-sm">
          <EntriesLink entries={search}>
            {counted(total_lancamentos, 'lançamento', 'lançamentos')}
          </EntriesLink>
        </p>
      </div>
      <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        <Sums
          title="Realizado"
          figures={[
            ['Recebido', behind({ status: 'pago', tipo: 'receita' }, realizado.recebido)],
            ['Pago', behind({ status: 'pago', tipo: 'despesa' }, realizado.pago)],
            ['Saldo', behind({ status: 'pago' }, realizado.saldo)],
          ]}
        />
        <Sums
          title="Em aberto"
          figures={[
            ...open(em_aberto, { status: 'em_aberto' }),
            ['Saldo', behind({ status: 'em_aberto' }, em_aberto.saldo)],
          ]}
        />
        <Sums title="Vencido" figures={open(vencido, { status: 'vencido' })} />
        <Sums
          title="Próximos 30 dias"
          figures={open(proximos_30_dias, { status: 'em_aberto', ...dueInDays(today) })}
        />
      </div>
    </section>
  )
}

/** A link, but above all a number: it stays calm until it is pointed at. */
const figureLook =
  'rounded-sm underline decoration-edge decoration-dotted underline-offset-4 hover:text-main hover:decoration-main'

function Sums({ title, figures }: { title: string; figures: Figures }) {
  return (
    <div className="grid content-start gap-3 rounded-xl border border-line bg-paper p-4">
      <h3 className="font-semibold">{title}</h3>
      <dl className="grid gap-2">
        {figures.map(([name, { value, entries }]) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-3">
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="ml-auto font-medium tabular-nums wrap-anywhere">
              <EntriesLink entries={entries} className={figureLook}>
                {reais(value)}
              </EntriesLink>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

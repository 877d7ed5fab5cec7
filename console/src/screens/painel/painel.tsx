import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Painel as Figures } from '../../../../src/painel/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { painelQuery } from '../../api/painel.ts'
import { day } from '../../lib/format.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { buttonLook } from '../../ui/look.ts'
import { Page } from '../../ui/page.tsx'
import { Cards } from './cards.tsx'
import { ChartCard } from './chart-card.tsx'
import { cashByMonth, nextThirtyDays, overdueByAge, topCentros } from './charts.ts'
import { Filters } from './filters.tsx'
import type { PainelSearch } from './search.ts'

const route = getRouteApi('/e/$empresa/')

export function Painel() {
  const { empresa } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(painelQuery(empresa, search))
  const filtered = Object.keys(search).length > 0
  const { nome } = useEmpresa()
  const nothing = !filtered && query.data?.resumo.total_lancamentos === 0
  return (
    <Page title="Painel" lead={query.data ? `${nome}, em ${day(query.data.hoje)}` : nome}>
      {!nothing && <Filters search={search} onChange={(next) => navigate({ search: next })} />}
      <Loaded query={query} lines={12}>
        {(painel) =>
          nothing ? (
            <Nothing />
          ) : (
            <div
              aria-busy={query.isPlaceholderData}
              className="grid grid-cols-1 gap-5 aria-busy:opacity-60"
            >
              <Sections painel={painel} search={search} />
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

function Sections({ painel, search }: { painel: Figures; search: PainelSearch }) {
  const { centro_custo } = search
  const centro = centro_custo === undefined ? {} : { centro_custo }
  return (
    <>
      <Cards resumo={painel.resumo} today={painel.hoje} search={search} />
      <ChartCard
        title="Caixa por mês"
        lead="Os últimos doze meses e os próximos doze, qualquer que seja o período: o que foi pago, pela data; o que está em aberto, pelo vencimento."
        none="Nenhum lançamento nestes meses."
        of="Mês"
        balance
        data={cashByMonth(painel, centro)}
      />
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
        <ChartCard
          title="Vencidos"
          lead="O que está em aberto, pelos dias de atraso até hoje, qualquer que seja o período."
          none="Nada está vencido."
          of="Atraso"
          data={overdueByAge(painel, centro)}
        />
        <ChartCard
          title="Próximos 30 dias"
          lead="O que vence de hoje até daqui a 30 dias, qualquer que seja o período."
          none="Nada vence nos próximos 30 dias."
          of="Vencimento"
          data={nextThirtyDays(painel, centro)}
        />
      </div>
      <ChartCard
        title="Centros de custo"
        lead="Os dez que mais movimentaram no período, qualquer que seja o centro escolhido: o que foi pago e o que está em aberto, pela data."
        none="Nenhum lançamento do período tem centro de custo."
        of="Centro de custo"
        sideways
        data={topCentros(painel, search)}
      />
    </>
  )
}

function Nothing() {
  const { id, papel } = useEmpresa()
  if (papel === 'leitura') {
    return (
      <Empty icon="home" title="Ainda não há lançamentos">
        Assim que o primeiro for criado, os números aparecem aqui.
      </Empty>
    )
  }
  return (
    <Empty
      icon="home"
      title="Ainda não há lançamentos"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Link
            to="/e/$empresa/lancamentos"
            params={{ empresa: id }}
            className={buttonLook('main')}
          >
            Criar um lançamento
          </Link>
          <Link
            to="/e/$empresa/lancamentos/importar"
            params={{ empresa: id }}
            className={buttonLook()}
          >
            Importar de um arquivo
          </Link>
        </div>
      }
    >
      Crie o primeiro ou traga os que já existem de uma planilha ou do extrato do banco. Daí em
      diante, o que entra, o que sai e o que está por vencer aparecem aqui.
    </Empty>
  )
}

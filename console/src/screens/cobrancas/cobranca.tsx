import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Cobranca } from '../../../../src/cobrancas/schema.ts'
import { cobrancaQuery } from '../../api/cobrancas.ts'
import { useEmpresa } from '../../api/eu.ts'
import { parceiroQuery } from '../../api/parceiros.ts'
import { day, reais } from '../../lib/format.ts'
import { COBRANCA_WORDS, FORMA_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ModuleGate } from '../../ui/gate.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { linkLook } from '../../ui/look.ts'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { CancelButton } from './cancel.tsx'
import { HowToPay } from './how-to-pay.tsx'

const route = getRouteApi('/e/$empresa/cobrancas/$id')

export function CobrancaScreen() {
  const { empresa, id } = route.useParams()
  const { mayWrite, modulos } = useEmpresa()
  const query = useQuery({
    ...cobrancaQuery(empresa, id),
    enabled: modulos.includes('cobrancas'),
    // Not each change of state is an event: an issue that failed and a refund are none.
    refetchInterval: ({ state }) => (state.data?.item.status === 'emitindo' ? 3_000 : 15_000),
  })
  const cobranca = query.data?.item
  const payable = cobranca?.status === 'pendente' || cobranca?.status === 'vencida'
  return (
    <Page
      title={cobranca ? `Cobrança de ${reais(cobranca.valor)}` : 'Cobrança'}
      back={
        <Link to="/e/$empresa/cobrancas" params={{ empresa }} className={linkLook}>
          Cobranças
        </Link>
      }
      actions={mayWrite && cobranca && payable && <CancelButton cobranca={cobranca} />}
    >
      <ModuleGate modulo="cobrancas">
        <Loaded query={query} lines={6}>
          {({ item }) => (
            <>
              <About cobranca={item} />
              {payable && <HowToPay cobranca={item} />}
            </>
          )}
        </Loaded>
      </ModuleGate>
    </Page>
  )
}

function About({ cobranca }: { cobranca: Cobranca }) {
  const { empresa } = route.useParams()
  const { parceiro_id, lancamento_id, valor_pago, pago_em } = cobranca
  const { name, tone, meaning } = COBRANCA_WORDS[cobranca.status]
  const parceiro = useQuery({
    ...parceiroQuery(empresa, parceiro_id ?? ''),
    enabled: parceiro_id !== null,
  })
  return (
    <Card>
      <p role="status" className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={tone}>{name}</Badge>
        {meaning}
      </p>
      <Facts
        items={[
          ['Valor', reais(cobranca.valor)],
          ['Vencimento', day(cobranca.vencimento)],
          ['Paga em', pago_em && day(pago_em)],
          ['Valor pago', valor_pago !== null && reais(valor_pago)],
          ['Forma de pagamento', FORMA_WORDS[cobranca.forma]],
          [
            'Parceiro',
            parceiro_id && (
              <Link
                key="parceiro"
                to="/e/$empresa/parceiros/$id"
                params={{ empresa, id: parceiro_id }}
                className={linkLook}
              >
                {parceiro.data?.item.nome ?? 'Ver o parceiro'}
              </Link>
            ),
          ],
          [
            'Lançamento',
            lancamento_id && (
              <Link
                key="lancamento"
                to="/e/$empresa/lancamentos"
                params={{ empresa }}
                search={{ lancamento: lancamento_id }}
                className={linkLook}
              >
                Ver o lançamento
              </Link>
            ),
          ],
          ['Descrição', cobranca.descricao],
          ['Emitida em', <Moment key="at" at={cobranca.criado_em} />],
        ]}
      />
    </Card>
  )
}

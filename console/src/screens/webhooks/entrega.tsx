import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { EVENTS } from '../../../../src/events/catalogue.ts'
import { useEmpresa } from '../../api/eu.ts'
import { deliveryQuery, redeliver, webhooksKey } from '../../api/webhooks.ts'
import { count } from '../../lib/format.ts'
import { REASON_WORDS, STATUS_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { FailureNotice } from '../../ui/failure.tsx'
import { ModuleGate } from '../../ui/gate.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { linkLook } from '../../ui/look.ts'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AttemptView } from './attempt.tsx'

const route = getRouteApi('/e/$empresa/integracoes/webhooks/$id/entregas/$entrega')

export function Entrega() {
  const { empresa, id, entrega } = route.useParams()
  const { isAdmin, modulos } = useEmpresa()
  const queryClient = useQueryClient()
  const query = useQuery({
    ...deliveryQuery(empresa, id, entrega),
    enabled: modulos.includes('integracoes'),
    refetchInterval: ({ state }) => (state.data?.item.status === 'pending' ? 2000 : 15_000),
  })
  const again = useMutation({
    mutationFn: () => redeliver(empresa, id, entrega),
    async onSuccess() {
      toast('A entrega está de novo na fila.')
      await queryClient.invalidateQueries({ queryKey: [...webhooksKey(empresa), id] })
    },
  })
  const item = query.data?.item
  return (
    <Page
      title={item ? EVENTS[item.event].replace(/\.$/, '') : 'Entrega'}
      back={
        <Link
          to="/e/$empresa/integracoes/webhooks/$id"
          params={{ empresa, id }}
          className={linkLook}
        >
          Entregas do webhook
        </Link>
      }
      actions={
        isAdmin &&
        item && (
          <Button kind="main" pending={again.isPending} onClick={() => again.mutate()}>
            Reenviar
          </Button>
        )
      }
    >
      <ModuleGate modulo="integracoes">
        <FailureNotice failure={again.error} title="Não foi reenviada" />
        <Loaded query={query} lines={6}>
          {({ item: delivery }) => (
            <>
              <Card>
                <Facts
                  items={[
                    [
                      'Situação',
                      <Badge key="status" tone={STATUS_WORDS[delivery.status].tone}>
                        {STATUS_WORDS[delivery.status].name}
                      </Badge>,
                    ],
                    ['Evento', delivery.event],
                    ['Sequência', count(delivery.sequence)],
                    ['Criada em', <Moment key="at" at={delivery.criado_em} precision="second" />],
                    [
                      'Próxima tentativa',
                      delivery.next_attempt && (
                        <Moment key="next" at={delivery.next_attempt} precision="second" />
                      ),
                    ],
                    [
                      'Motivo',
                      delivery.reason && (REASON_WORDS[delivery.reason] ?? delivery.reason),
                    ],
                    ['webhook-id', delivery.id],
                  ]}
                />
              </Card>
              <h2 className="text-lg font-semibold">Tentativas</h2>
              {delivery.history.length === 0 ? (
                <Empty icon="bolt" title="Nenhuma tentativa ainda">
                  A primeira aparece aqui assim que for feita.
                </Empty>
              ) : (
                <ol reversed className="grid grid-cols-1 gap-4">
                  {delivery.history
                    .map((attempt, at) => (
                      <li key={attempt.started_at} className="min-w-0">
                        <AttemptView attempt={attempt} title={`Tentativa ${at + 1}`} />
                      </li>
                    ))
                    .toReversed()}
                </ol>
              )}
            </>
          )}
        </Loaded>
      </ModuleGate>
    </Page>
  )
}

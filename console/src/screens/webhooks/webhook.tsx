import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { EVENTS } from '../../../../src/events/catalogue.ts'
import type { Webhook } from '../../../../src/webhooks/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { webhooksQuery } from '../../api/webhooks.ts'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ModuleGate } from '../../ui/gate.tsx'
import { linkLook } from '../../ui/look.ts'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { WebhookActions } from './actions.tsx'
import { Deliveries } from './deliveries.tsx'
import { Motive, WebhookState } from './health.tsx'

const route = getRouteApi('/e/$empresa/integracoes/webhooks/$id')

export function WebhookScreen() {
  const { empresa, id } = route.useParams()
  const { isAdmin, modulos } = useEmpresa()
  const { data, isPending } = useQuery({
    ...webhooksQuery(empresa),
    enabled: modulos.includes('integracoes'),
    refetchInterval: 15_000,
  })
  const webhook = data?.items.find((one) => one.id === id)
  return (
    <Page
      title={webhook?.name ?? webhook?.url ?? 'Webhook'}
      back={
        <Link to="/e/$empresa/integracoes/webhooks" params={{ empresa }} className={linkLook}>
          Webhooks
        </Link>
      }
      actions={webhook && isAdmin && <WebhookActions webhook={webhook} />}
    >
      <ModuleGate modulo="integracoes">
        {webhook && <About webhook={webhook} />}
        {data && !webhook && (
          <Notice title="Este webhook não existe na empresa">
            <p>Nada é enviado a ele. Se existiu, o histórico das entregas continua aqui.</p>
          </Notice>
        )}
        {!isPending && <Deliveries />}
      </ModuleGate>
    </Page>
  )
}

function About({ webhook }: { webhook: Webhook }) {
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-2">
        <WebhookState webhook={webhook} />
        <Motive webhook={webhook} />
      </div>
      <Facts
        items={[
          ['URL', webhook.url],
          ['Criado em', <Moment key="at" at={webhook.criado_em} />],
          [
            'Sem entregar desde',
            webhook.inativo_desde && <Moment key="off" at={webhook.inativo_desde} />,
          ],
          [
            'O segredo anterior vale até',
            webhook.segredo_anterior_ate && (
              <Moment key="secret" at={webhook.segredo_anterior_ate} />
            ),
          ],
        ]}
      />
      <details>
        <summary className="w-fit rounded-sm py-1 text-sm font-medium">
          Tipos de evento ({webhook.events.length})
        </summary>
        <ul className="mt-2 grid gap-1 text-sm sm:grid-cols-2">
          {webhook.events.map((kind) => (
            <li key={kind} className="wrap-anywhere">
              {EVENTS[kind]} <span className="text-soft">{kind}</span>
            </li>
          ))}
        </ul>
      </details>
    </Card>
  )
}

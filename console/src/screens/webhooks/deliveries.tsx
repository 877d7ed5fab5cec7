import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { EVENT_KINDS, type EventKind } from '../../../../src/events/catalogue.ts'
import type { Delivery, DeliveryFilter } from '../../../../src/webhooks/delivery-schema.ts'
import { deliveriesQuery } from '../../api/webhooks.ts'
import { counted } from '../../lib/format.ts'
import { REASON_WORDS, STATUS_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { linkLook } from '../../ui/look.ts'
import { Moment } from '../../ui/moment.tsx'
import { Options } from '../../ui/options.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Row, Rows } from '../../ui/rows.tsx'

const route = getRouteApi('/e/$empresa/integracoes/webhooks/$id')
const LIMIT = 25

/** What was sent and what is on its way. The filters live in the address, so that they can be shared. */
export function Deliveries() {
  const { empresa, id } = route.useParams()
  const { status, event, pagina = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const filter: DeliveryFilter = {
    ...(status ? { status } : {}),
    ...(event ? { event } : {}),
    limit: LIMIT,
    offset: (pagina - 1) * LIMIT,
  }
  const query = useQuery({ ...deliveriesQuery(empresa, id, filter), refetchInterval: 4000 })
  const filtered = Boolean(status || event)
  return (
    <section aria-labelledby="entregas" className="grid grid-cols-1 gap-4">
      <div className="flex flex-col justify-between gap-3 sm:flex-row sm:items-end">
        <h2 id="entregas" className="text-lg font-semibold">
          Entregas
        </h2>
        <div className="grid grid-cols-2 gap-3 sm:w-md">
          <SelectField
            label="Situação"
            value={status ?? ''}
            onChange={(value) =>
              navigate({
                search: ({ status: _, pagina: _first, ...rest }) =>
                  value ? { ...rest, status: value as Delivery['status'] } : rest,
              })
            }
          >
            <option value="">Todas</option>
            <Options words={STATUS_WORDS} />
          </SelectField>
          <SelectField
            label="Evento"
            value={event ?? ''}
            onChange={(value) =>
              navigate({
                search: ({ event: _, pagina: _first, ...rest }) =>
                  value ? { ...rest, event: value as EventKind } : rest,
              })
            }
          >
            <option value="">Todos</option>
            {EVENT_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {kind}
              </option>
            ))}
          </SelectField>
        </div>
      </div>
      <Loaded query={query} lines={6}>
        {({ items, total, limit, offset, completo_desde }) => (
          <>
            {items.length > 0 ? (
              <Rows label="Entregas">
                {items.map((delivery) => (
                  <DeliveryRow key={delivery.id} empresa={empresa} delivery={delivery} />
                ))}
              </Rows>
            ) : (
              <Empty
                icon="bolt"
                title={filtered ? 'Nenhuma entrega assim' : 'Nenhuma entrega aqui'}
                action={
                  (filtered || pagina > 1) && (
                    <Button onClick={() => navigate({ search: {} })}>Ver todas</Button>
                  )
                }
              >
                {filtered
                  ? 'Nenhuma corresponde aos filtros.'
                  : 'Quando um dos eventos assinados acontecer, a entrega aparece aqui. Para não esperar, envie um teste.'}
              </Empty>
            )}
            <Pager
              offset={offset}
              limit={limit}
              total={total}
              onMove={(page) => navigate({ search: (before) => ({ ...before, pagina: page }) })}
            />
            {completo_desde && (
              <p className="text-sm text-soft">
                O histórico está completo desde <Moment at={completo_desde} />; o que é mais antigo
                pode ter sido apagado.
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

function DeliveryRow({ empresa, delivery }: { empresa: string; delivery: Delivery }) {
  const { name, tone } = STATUS_WORDS[delivery.status]
  return (
    <Row>
      <p className="flex flex-wrap items-center justify-between gap-2">
        <Link
          to="/e/$empresa/integracoes/webhooks/$id/entregas/$entrega"
          params={{ empresa, id: delivery.webhook_id, entrega: delivery.id }}
          className={`${linkLook} font-medium`}
        >
          {delivery.event}
          <span className="sr-only">, sequência {delivery.sequence}</span>
        </Link>
        <Badge tone={tone}>{name}</Badge>
      </p>
      <p className="text-sm text-soft">
        <Moment at={delivery.criado_em} precision="second" />,{' '}
        {counted(delivery.attempts, 'tentativa', 'tentativas')}
        {delivery.next_attempt && (
          <>
            , próxima em <Moment at={delivery.next_attempt} precision="second" />
          </>
        )}
      </p>
      {delivery.reason && (
        <p className="text-sm">{REASON_WORDS[delivery.reason] ?? delivery.reason}</p>
      )}
    </Row>
  )
}

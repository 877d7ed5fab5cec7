import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { cobrancasQuery } from '../../api/cobrancas.ts'
import { useEmpresa } from '../../api/eu.ts'
import { count } from '../../lib/format.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { linkLook } from '../../ui/look.ts'
import { CobrancaRows } from '../cobrancas/cobranca-rows.tsx'

const LIMIT = 10

/** The latest charges of a partner. */
export function ParceiroCobrancas({ id }: { id: string }) {
  const { id: empresa } = useEmpresa()
  const query = useQuery(cobrancasQuery(empresa, { parceiro_id: id, limit: LIMIT }))
  return (
    <section aria-labelledby="cobrancas" className="grid grid-cols-1 gap-3">
      <h2 id="cobrancas" className="text-lg font-semibold">
        Cobranças
      </h2>
      <Loaded query={query}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p className="text-sm text-soft">Nenhuma cobrança deste parceiro.</p>
          ) : (
            <>
              <CobrancaRows cobrancas={items} named={false} />
              {total > items.length && (
                <p className="text-sm">
                  <Link
                    to="/e/$empresa/cobrancas"
                    params={{ empresa }}
                    search={{ parceiro_id: id }}
                    className={linkLook}
                  >
                    Ver todas as {count(total)}
                  </Link>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

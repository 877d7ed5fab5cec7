import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Cobranca } from '../../../../src/cobrancas/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { nomesQuery } from '../../api/parceiros.ts'
import { day, reais } from '../../lib/format.ts'
import { COBRANCA_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { linkLook } from '../../ui/look.ts'
import { Row, Rows } from '../../ui/rows.tsx'

/** Charges, each leading to its own screen. Where all are of one partner, the name is left out. */
export function CobrancaRows({
  cobrancas,
  named = true,
}: {
  cobrancas: Cobranca[]
  named?: boolean
}) {
  const { id: empresa } = useEmpresa()
  const ids = named ? cobrancas.flatMap(({ parceiro_id }) => parceiro_id ?? []) : []
  const { data: nomes } = useQuery(nomesQuery(empresa, [...new Set(ids)].sort()))
  return (
    <Rows label="Cobranças">
      {cobrancas.map(({ id, status, valor, vencimento, pago_em, descricao, parceiro_id }) => {
        const { name, tone } = COBRANCA_WORDS[status]
        const about = [parceiro_id && nomes?.get(parceiro_id), descricao].filter(Boolean)
        return (
          <Row key={id}>
            <p className="flex flex-wrap items-center justify-between gap-2">
              <Link
                to="/e/$empresa/cobrancas/$id"
                params={{ empresa, id }}
                className={`${linkLook} font-medium tabular-nums`}
              >
                {reais(valor)}
              </Link>
              <Badge tone={tone}>{name}</Badge>
            </p>
            <p className="text-sm text-soft">
              {about.length > 0 && <span className="text-ink">{about.join(' · ')} · </span>}
              vencimento {day(vencimento)}
              {pago_em && `, paga em ${day(pago_em)}`}
            </p>
          </Row>
        )
      })}
    </Rows>
  )
}

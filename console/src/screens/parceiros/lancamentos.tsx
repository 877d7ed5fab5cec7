import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { parceiroLancamentosQuery } from '../../api/parceiros.ts'
import { count, day, reais, today } from '../../lib/format.ts'
import { SITUACAO_WORDS, situacaoOf, TIPO_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { linkLook } from '../../ui/look.ts'
import { Row, Rows } from '../../ui/rows.tsx'

/** The latest entries of a partner, and what all of them amount to. */
export function ParceiroLancamentos({ id }: { id: string }) {
  const { id: empresa } = useEmpresa()
  const query = useQuery(parceiroLancamentosQuery(empresa, id))
  return (
    <section aria-labelledby="lancamentos" className="grid grid-cols-1 gap-3">
      <h2 id="lancamentos" className="text-lg font-semibold">
        Lançamentos
      </h2>
      <Loaded query={query}>
        {({ items, total, somas }) =>
          items.length === 0 ? (
            <p className="text-sm text-soft">Nenhum lançamento deste parceiro.</p>
          ) : (
            <>
              <p className="flex flex-wrap gap-x-6 gap-y-1 text-sm tabular-nums">
                <span>Receitas: {reais(somas.receitas)}</span>
                <span>Despesas: {reais(somas.despesas)}</span>
                <span className="font-medium">Saldo: {reais(somas.saldo)}</span>
              </p>
              <Rows label="Lançamentos">
                {items.map((lancamento) => (
                  <LancamentoRow key={lancamento.id} lancamento={lancamento} />
                ))}
              </Rows>
              <p className="text-sm">
                <Link
                  to="/e/$empresa/lancamentos"
                  params={{ empresa }}
                  search={{ parceiro_id: id }}
                  className={linkLook}
                >
                  {total > items.length
                    ? `Ver todos os ${count(total)} em Lançamentos`
                    : 'Ver em Lançamentos'}
                </Link>
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function LancamentoRow({ lancamento }: { lancamento: Lancamento }) {
  const { id: empresa, fuso_horario } = useEmpresa()
  const { id, descricao, tipo, valor, valor_pago, vencimento, data_pagamento } = lancamento
  const { name, tone } = SITUACAO_WORDS[situacaoOf(lancamento, today(fuso_horario))]
  return (
    <Row>
      <p className="flex flex-wrap items-center justify-between gap-2">
        <Link
          to="/e/$empresa/lancamentos"
          params={{ empresa }}
          search={{ lancamento: id }}
          className={`${linkLook} font-medium`}
        >
          {descricao}
        </Link>
        <Badge tone={tone}>{name}</Badge>
      </p>
      <p className="text-sm text-soft">
        {TIPO_WORDS[tipo]} de {reais(valor_pago ?? valor)} · vencimento {day(vencimento)}
        {data_pagamento && `, pago em ${day(data_pagamento)}`}
      </p>
    </Row>
  )
}

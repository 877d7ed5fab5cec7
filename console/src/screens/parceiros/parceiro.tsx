import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Parceiro } from '../../../../src/parceiros/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { parceiroQuery } from '../../api/parceiros.ts'
import { documento } from '../../lib/format.ts'
import { PARCEIRO_WORDS } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { linkLook } from '../../ui/look.ts'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { ParceiroActions } from './actions.tsx'
import { ParceiroCobrancas } from './cobrancas.tsx'
import { ParceiroLancamentos } from './lancamentos.tsx'

const route = getRouteApi('/e/$empresa/parceiros/$id')

export function ParceiroScreen() {
  const { empresa, id } = route.useParams()
  const { mayWrite, modulos } = useEmpresa()
  const query = useQuery(parceiroQuery(empresa, id))
  const parceiro = query.data?.item
  return (
    <Page
      title={parceiro?.nome ?? 'Parceiro'}
      back={
        <Link to="/e/$empresa/parceiros" params={{ empresa }} className={linkLook}>
          Parceiros
        </Link>
      }
      actions={mayWrite && parceiro && <ParceiroActions parceiro={parceiro} />}
    >
      <Loaded query={query} lines={5}>
        {({ item }) => (
          <>
            <About parceiro={item} />
            {modulos.includes('cobrancas') && <ParceiroCobrancas id={id} />}
            <ParceiroLancamentos id={id} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function About({ parceiro }: { parceiro: Parceiro }) {
  return (
    <Card>
      <p className="flex flex-wrap gap-2">
        <Badge>{PARCEIRO_WORDS[parceiro.tipo]}</Badge>
        {!parceiro.ativo && <Badge tone="warn">Inativo</Badge>}
      </p>
      <Facts
        items={[
          ['CPF ou CNPJ', parceiro.documento && documento(parceiro.documento)],
          ['E-mail', parceiro.email],
          ['Telefone', parceiro.telefone],
          ['Criado em', <Moment key="at" at={parceiro.criado_em} />],
          [
            'Observações',
            parceiro.observacoes && (
              <span key="text" className="whitespace-pre-wrap">
                {parceiro.observacoes}
              </span>
            ),
          ],
        ]}
      />
    </Card>
  )
}

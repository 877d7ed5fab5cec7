import { useEmpresa } from '../../api/eu.ts'
import { MODULO_WORDS } from '../../lib/words.ts'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { AdminGate } from '../../ui/gate.tsx'
import { Page } from '../../ui/page.tsx'
import { Company } from './company.tsx'
import { Invitations } from './invitations.tsx'
import { People } from './people.tsx'

export function Configuracoes() {
  const { nome, fuso_horario, modulos, isAdmin } = useEmpresa()
  return (
    <Page title="Configurações" lead="A empresa e as pessoas que participam dela.">
      {isAdmin ? (
        <Company />
      ) : (
        <Card title="Empresa" lead="Somente administradores alteram estes dados.">
          <Facts
            items={[
              ['Nome', nome],
              ['Fuso horário', fuso_horario],
              [
                'Módulos',
                modulos.map((modulo) => MODULO_WORDS[modulo].name).join(', ') || 'Nenhum',
              ],
            ]}
          />
        </Card>
      )}
      <AdminGate>
        <People />
        <Invitations />
      </AdminGate>
    </Page>
  )
}

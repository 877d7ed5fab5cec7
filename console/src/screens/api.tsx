import { Link } from '@tanstack/react-router'
import { useEmpresa } from '../api/eu.ts'
import { Card } from '../ui/card.tsx'
import { Copyable } from '../ui/copyable.tsx'
import { buttonLook, linkLook } from '../ui/look.ts'
import { Page } from '../ui/page.tsx'

export function Api() {
  const { id } = useEmpresa()
  const base = `${location.origin}/api/v1`
  const first = `curl '${base}/lancamentos?limit=5' \\\n  -H 'Authorization: Bearer SUA_CHAVE'`
  return (
    <Page title="API" lead="Tudo o que o Lastro faz, os seus programas também podem fazer.">
      <Card title="Endereço">
        <Copyable label="Base de todas as chamadas" value={base} />
      </Card>
      <Card title="A primeira chamada">
        <p className="text-sm">
          Troque <code className="font-mono">SUA_CHAVE</code> por uma chave com permissão de ver
          lançamentos. Se ainda não tem uma,{' '}
          <Link to="/e/$empresa/integracoes/chaves" params={{ empresa: id }} className={linkLook}>
            crie-a em Chaves de API
          </Link>
          .
        </p>
        <Copyable label="No terminal" value={first} lines={4} />
      </Card>
      <Card
        title="Documentação"
        lead="Cada chamada, com seus campos e exemplos, e as mensagens que os webhooks enviam."
      >
        <div>
          <a href="/docs" target="_blank" rel="noreferrer" className={buttonLook('main')}>
            Abrir a documentação
            <span className="sr-only">(em outra aba)</span>
          </a>
        </div>
      </Card>
    </Page>
  )
}

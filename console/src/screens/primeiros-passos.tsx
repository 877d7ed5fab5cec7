import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { chavesQuery } from '../api/chaves.ts'
import { useEmpresa } from '../api/eu.ts'
import { provedorQuery } from '../api/provedor.ts'
import { webhooksQuery } from '../api/webhooks.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { buttonLook } from '../ui/look.ts'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

export function PrimeirosPassos() {
  const empresa = useEmpresa()
  return (
    <Page
      title="Primeiros passos"
      lead={
        empresa.isAdmin
          ? `Três passos para ligar ${empresa.nome} aos seus outros sistemas, na ordem que preferir.`
          : `Para ligar ${empresa.nome} aos seus outros sistemas.`
      }
    >
      {empresa.isAdmin ? (
        <Steps />
      ) : (
        <Notice title="As integrações ficam com os administradores">
          <p>Você pode ver os webhooks e suas entregas; criar e alterar é com um administrador.</p>
          <div>
            <Link
              to="/e/$empresa/integracoes/webhooks"
              params={{ empresa: empresa.id }}
              className={buttonLook()}
            >
              Ver os webhooks
            </Link>
          </div>
        </Notice>
      )}
    </Page>
  )
}

function Steps() {
  const { id, modulos } = useEmpresa()
  const webhooksOn = modulos.includes('integracoes')
  const chargesOn = modulos.includes('cobrancas')
  const chaves = useQuery(chavesQuery(id))
  const webhooks = useQuery({ ...webhooksQuery(id), enabled: webhooksOn })
  const provedor = useQuery({ ...provedorQuery(id), enabled: chargesOn })
  const usable = chaves.data?.items.some(
    ({ revogada_em, expira_em }) =>
      !revogada_em && (!expira_em || Date.parse(expira_em) > Date.now()),
  )
  return (
    <ol className="grid gap-4 lg:grid-cols-3">
      <Step
        icon="key"
        title="Crie uma chave de API"
        done={usable}
        to="/e/$empresa/integracoes/chaves"
        act={usable ? 'Ver as chaves' : 'Criar chave'}
      >
        Com ela, os seus programas leem e escrevem lançamentos, parceiros e cobranças.
      </Step>
      <Step
        icon="bolt"
        title="Assine um webhook"
        done={webhooks.data && webhooks.data.items.length > 0}
        off={!webhooksOn}
        to="/e/$empresa/integracoes/webhooks"
        act={webhooks.data?.items.length ? 'Ver os webhooks' : 'Criar webhook'}
      >
        O Lastro avisa o seu sistema assim que algo acontece, com uma mensagem assinada.
      </Step>
      <Step
        icon="card"
        title="Conecte a conta de pagamento"
        done={provedor.data && provedor.data.item !== null}
        off={!chargesOn}
        to="/e/$empresa/integracoes/pagamentos"
        act={provedor.data?.item ? 'Ver a conta' : 'Conectar conta'}
      >
        Por ela são emitidos os boletos, PIX e cobranças no cartão.
      </Step>
    </ol>
  )
}

interface StepProps {
  icon: IconName
  title: string
  done: boolean | undefined
  off?: boolean
  to: NonNullable<LinkProps['to']>
  act: string
  children: string
}

function Step({ icon, title, done, off = false, to, act, children }: StepProps) {
  const { id } = useEmpresa()
  return (
    <li className="grid *:h-full *:content-start">
      <Card>
        <div className="flex items-center justify-between gap-3">
          <span className="rounded-full bg-main-tint p-2.5 text-main">
            <Icon name={icon} />
          </span>
          {off ? (
            <Badge>Módulo desligado</Badge>
          ) : done === undefined ? null : done ? (
            <Badge tone="good">Feito</Badge>
          ) : (
            <Badge tone="warn">A fazer</Badge>
          )}
        </div>
        <div className="grid gap-1">
          <h2 className="text-lg font-semibold">{title}</h2>
          <p className="text-sm text-soft">{children}</p>
        </div>
        <div>
          <Link to={to} params={{ empresa: id }} className={buttonLook(done ? 'plain' : 'main')}>
            {act}
          </Link>
        </div>
      </Card>
    </li>
  )
}

import { type ReactNode, useState } from 'react'
import { Failure } from '../api/call.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Check, CheckGroup } from '../ui/check.tsx'
import { Code } from '../ui/code.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Conflict } from '../ui/conflict.tsx'
import { Copyable } from '../ui/copyable.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Facts } from '../ui/facts.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import {
  DayField,
  MoneyField,
  PasswordField,
  SelectField,
  TextAreaField,
  TextField,
} from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Logo } from '../ui/logo.tsx'
import { buttonLook, linkLook } from '../ui/look.ts'
import { Menu, MenuChoice, MenuItem, MenuLine, MenuText } from '../ui/menu.tsx'
import { Notice } from '../ui/notice.tsx'
import { ShownOnce } from '../ui/once.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { Progress } from '../ui/progress.tsx'
import { Row, Rows } from '../ui/rows.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toasts.tsx'

const offline = new Failure({ code: 'offline', detail: 'Sem conexão com o servidor.' })

/** Every component in every state, to be looked at. */
export function Componentes() {
  return (
    <main>
      <Page title="Componentes" lead="Tudo de que as telas são feitas, em todos os estados.">
        <Card title="Marca">
          <Logo />
        </Card>
        <Card title="Botões">
          <Line>
            <Button kind="main">Principal</Button>
            <Button>Comum</Button>
            <Button kind="quiet">Discreto</Button>
            <Button kind="danger">Perigoso</Button>
            <Button kind="main">
              <Icon name="plus" className="size-4" />
              Com ícone
            </Button>
            <Button kind="main" pending>
              Em andamento
            </Button>
            <Button disabled>Desligado</Button>
            <a href="/componentes" className={buttonLook()}>
              Link como botão
            </a>
            <a href="/componentes" className={linkLook}>
              Link no texto
            </a>
          </Line>
        </Card>
        <Card title="Conflito">
          <Conflict
            mine={{ nome: 'Aluguel', valor: 10, dia: 5 }}
            theirs={{ nome: '', valor: 12, dia: 5 }}
            fields={[
              { name: 'nome', label: 'Nome', show: ({ nome }) => nome },
              { name: 'valor', label: 'Valor', show: ({ valor }) => valor },
              { name: 'dia', label: 'Dia', show: ({ dia }) => dia },
            ]}
            onKeepMine={() => toast('A minha.')}
            onTakeTheirs={() => toast('A outra.')}
          />
        </Card>
        <Card title="Etiquetas">
          <Line>
            <Badge tone="good">Boa</Badge>
            <Badge tone="warn">Atenção</Badge>
            <Badge tone="bad">Ruim</Badge>
            <Badge tone="info">Informação</Badge>
            <Badge>Comum</Badge>
          </Line>
        </Card>
        <Card title="Avisos">
          <Notice title="Informação">
            <p>Algo que convém saber.</p>
          </Notice>
          <Notice tone="good">
            <p>Deu certo.</p>
          </Notice>
          <Notice tone="warn" title="Atenção">
            <p>Algo a cuidar.</p>
          </Notice>
          <FailureNotice failure={offline} />
          <FailureNotice failure={offline} title="Com título" retry={() => toast('De novo.')} />
          <div>
            <Button onClick={() => toast('Alterações salvas.')}>Mostrar aviso passageiro</Button>
            <Button
              onClick={() =>
                toast('Excluído.', { act: 'Desfazer', onAct: () => toast('Desfeito.') })
              }
            >
              Mostrar aviso com oferta
            </Button>
          </div>
        </Card>
        <Card title="Campos">
          <Fields />
        </Card>
        <Card title="Janelas e menus">
          <Overlays />
        </Card>
        <Card title="Textos para copiar">
          <Copyable label="De uma linha" value="https://exemplo.com.br/webhooks/lastro" />
          <Copyable
            label="De várias linhas"
            value={'curl https://exemplo.com.br\n  -i'}
            lines={2}
          />
          <Code label="Código">{'{\n  "valor": 1234.56\n}'}</Code>
        </Card>
        <Card title="Mostrado uma só vez">
          <ShownOnce secrets={[{ label: 'Segredo', value: 'whsec_exemplo' }]} onKept={() => {}}>
            <p>Copie e guarde.</p>
          </ShownOnce>
        </Card>
        <Card title="Listas" lead="Com ações, sem ações, e com páginas.">
          <Rows label="Exemplos">
            <Row actions={<Button>Ação</Button>}>
              <p className="font-medium">Com ação</p>
              <p className="text-sm text-soft">Detalhe</p>
            </Row>
            <Row>
              <p className="font-medium">Sem ação</p>
            </Row>
          </Rows>
          <Pager offset={25} limit={25} total={1234} onMove={() => {}} />
          <Facts
            items={[
              ['Nome', 'Padaria Bom Dia'],
              ['Fuso horário', 'America/Sao_Paulo'],
              ['Situação', <Badge key="state">Ativa</Badge>],
            ]}
          />
        </Card>
        <Card title="Andamento">
          <Progress label="Sem começar" value={0} max={10} />
          <Progress label="No meio" value={1234} max={2000} />
          <Progress label="Pronto" value={10} max={10} />
        </Card>
        <Skeleton />
        <Empty icon="bolt" title="Nada ainda" action={<Button kind="main">Fazer algo</Button>}>
          Por que não há nada, e o que fazer.
        </Empty>
      </Page>
    </main>
  )
}

function Line({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2">{children}</div>
}

function Fields() {
  const [text, setText] = useState('')
  const [checked, setChecked] = useState(true)
  const shared = { value: text, onChange: setText }
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Texto" hint="Uma dica." {...shared} />
        <TextField label="Com erro" fault="Informe o texto." {...shared} />
        <TextField label="Somente leitura" value="Não muda" readOnly onChange={() => {}} />
        <TextField label="Dia" type="date" {...shared} />
        <PasswordField label="Senha" autoComplete="off" {...shared} />
        <DayField label="Dia" {...shared} />
        <MoneyField label="Valor" {...shared} />
        <TextAreaField label="Texto longo" rows={2} {...shared} />
        <SelectField label="Escolha" {...shared}>
          <option value="">Nenhuma</option>
          <option value="a">Uma</option>
        </SelectField>
      </div>
      <CheckGroup legend="Marque" hint="Quantos quiser.">
        <Check label="Com dica" hint="A dica." checked={checked} onChange={setChecked} />
        <Check label="Sem dica" checked={!checked} onChange={(on) => setChecked(!on)} />
        <Check label="Desligado" disabled checked={false} onChange={setChecked} />
      </CheckGroup>
      <CheckGroup legend="Com erro" fault="Marque ao menos um.">
        <Check label="Uma opção" invalid checked={checked} onChange={setChecked} />
      </CheckGroup>
    </>
  )
}

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'failing' | null>(null)
  const [choice, setChoice] = useState<'a' | 'b'>('a')
  const close = () => setOpen(null)
  return (
    <Line>
      <Button onClick={() => setOpen('dialog')}>Abrir janela</Button>
      <Button onClick={() => setOpen('confirm')}>Pedir confirmação</Button>
      <Button onClick={() => setOpen('failing')}>Confirmação que falha</Button>
      <Menu
        className={buttonLook()}
        trigger={
          <>
            Menu
            <Icon name="down" className="size-4" />
          </>
        }
      >
        <MenuText>Um texto</MenuText>
        <MenuLine />
        <MenuChoice
          label="Escolha"
          value={choice}
          options={[
            { value: 'a', name: 'Uma' },
            { value: 'b', name: 'Outra' },
          ]}
          onChange={setChoice}
        />
        <MenuLine />
        <MenuItem onSelect={() => toast('Escolhido.')}>Item</MenuItem>
        <MenuItem dangerous onSelect={() => toast('Escolhido.')}>
          Perigoso
        </MenuItem>
      </Menu>
      <Dialog open={open === 'dialog'} onOpenChange={close} title="Janela" description="Descrição.">
        <p>Conteúdo.</p>
        <DialogActions>
          <Button kind="main" onClick={close}>
            Fechar
          </Button>
        </DialogActions>
      </Dialog>
      <Confirm
        open={open === 'confirm' || open === 'failing'}
        onOpenChange={close}
        title="Fazer mesmo?"
        act="Fazer"
        onConfirm={async () => {
          if (open === 'failing') throw offline
        }}
      >
        Não há como voltar atrás.
      </Confirm>
    </Line>
  )
}

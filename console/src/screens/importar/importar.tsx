import { getRouteApi, Link } from '@tanstack/react-router'
import { useEmpresa } from '../../api/eu.ts'
import { Empty } from '../../ui/empty.tsx'
import { linkLook } from '../../ui/look.ts'
import { Page } from '../../ui/page.tsx'
import { ChooseFile } from './choose-file.tsx'
import { Recent } from './recent.tsx'
import { Staged } from './staged.tsx'

const route = getRouteApi('/e/$empresa/lancamentos/importar')

/** Which file is at hand is in the address: who comes back goes on with it. */
export function Importar() {
  const { id, papel } = useEmpresa()
  const { importacao } = route.useSearch()
  const content = importacao ? (
    <Staged key={importacao} importacao={importacao} />
  ) : (
    <>
      <ChooseFile />
      <Recent />
    </>
  )
  return (
    <Page
      title="Importar lançamentos"
      lead="De um extrato do banco em OFX ou de uma planilha em CSV. Nada é gravado antes de você conferir."
      back={
        <Link to="/e/$empresa/lancamentos" params={{ empresa: id }} className={linkLook}>
          Lançamentos
        </Link>
      }
    >
      {papel === 'leitura' ? (
        <Empty icon="person" title="Somente para quem lança">
          O seu papel permite ver os lançamentos, mas não criar. Se precisar importar, fale com um
          administrador da empresa.
        </Empty>
      ) : (
        content
      )}
    </Page>
  )
}

import { queryOptions } from '@tanstack/react-query'
import type {
  Importacao,
  Mapeamento,
  Preparada,
  Progresso,
} from '../../../src/importacao/schema.ts'
import { Failure, get, lines, patch, post, remove } from './call.ts'

const base = (empresa: string, id?: string) =>
  id ? `/e/${empresa}/importacoes/${id}` : `/e/${empresa}/importacoes`

export const importacoesKey = (empresa: string) => ['e', empresa, 'importacoes']

export const importacoesQuery = (empresa: string) =>
  queryOptions({
    queryKey: [...importacoesKey(empresa), 'list'],
    queryFn: ({ signal }) => get<{ items: Importacao[] }>(base(empresa), signal),
  })

export const importacaoQuery = (empresa: string, id: string) =>
  queryOptions({
    queryKey: [...importacoesKey(empresa), id],
    queryFn: ({ signal }) => get<{ item: Importacao | Preparada }>(base(empresa, id), signal),
  })

export async function bringFile(empresa: string, file: File): Promise<{ item: Preparada }> {
  return post(base(empresa), { nome: file.name.slice(-300), conteudo: await base64(file) })
}

export const chooseColumns = (empresa: string, id: string, mapeamento: Mapeamento) =>
  patch<{ item: Preparada }>(base(empresa, id), { mapeamento })
export const discardFile = (empresa: string, id: string) => remove(base(empresa, id))

export type Done = Extract<Progresso, { feitas: number }>

/** Imports a file, and tells how far it is. */
export async function confirmFile(
  empresa: string,
  id: string,
  tell: (done: Done) => void,
): Promise<Importacao> {
  for await (const line of lines<Progresso>('POST', `${base(empresa, id)}/confirmar`)) {
    if ('feitas' in line) tell(line)
    else if ('item' in line) return line.item
    else throw new Failure({ code: line.error, detail: line.detail })
  }
  throw new Failure({
    code: 'interrupted',
    detail: 'A conexão caiu antes do fim. Nada fica pela metade: confira abaixo se foi importado.',
  })
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () =>
      reject(
        new Failure({
          code: 'unreadable',
          detail:
            'O navegador não conseguiu ler o arquivo. Feche-o em outros programas e tente de novo.',
        }),
      )
    reader.readAsDataURL(file)
  })
}

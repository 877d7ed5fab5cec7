import type { Pessoa } from './pessoa.ts'
import { OWN_PAGE } from './pessoa.ts'
import type { Answer, TestService } from './service.ts'

/** Brings a file, as the application does. */
export function bring(
  pessoa: Pessoa,
  file: string | Buffer,
  nome = 'extrato.csv',
): Promise<Answer> {
  const conteudo = Buffer.from(file as string).toString('base64')
  return pessoa.post('/importacoes', { nome, conteudo })
}

/** Confirms an import; `lines` are those of the answer, `last` is how it ended. */
export async function confirm(service: TestService, pessoa: Pessoa, id: string) {
  const path = `/app/api/e/${pessoa.empresa}/importacoes/${id}/confirmar`
  const headers = { ...OWN_PAGE, cookie: pessoa.cookie }
  const response = await fetch(service.url + path, { method: 'POST', headers })
  const text = await response.text()
  const lines = text.trimEnd().split('\n')
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail where it is not.
  const parsed: any[] = lines.map((line) => JSON.parse(line))
  return { status: response.status, headers: response.headers, lines: parsed, last: parsed.at(-1) }
}

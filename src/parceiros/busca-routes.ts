import type { Api, Slice } from '../http/api.ts'
import { ListOf, Ref } from '../http/schemas.ts'
import { pageOfParceiros } from './parceiros.ts'
import { Parceiro, ParceiroBusca } from './schema.ts'

const schema = { querystring: ParceiroBusca, response: { 200: ListOf(Ref(Parceiro)) } }

/** The application's list, in which people also search by name and document. */
export function parceirosBuscaRoutes(api: Api, { db }: Slice): void {
  api.get('/parceiros-busca', { config: { scope: 'parceiros:read' }, schema }, (request) =>
    pageOfParceiros(db.reader(request.actor.tenantId), request.query),
  )
}

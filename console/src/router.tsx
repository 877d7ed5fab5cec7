import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  type ParsedLocation,
  redirect,
  rootRouteId,
} from '@tanstack/react-router'
import { EVENT_KINDS, type EventKind } from '../../src/events/catalogue.ts'
import type { DeliveryFilter } from '../../src/webhooks/delivery-schema.ts'
import { Failure } from './api/call.ts'
import { euQuery } from './api/eu.ts'
import { alone, Failed, Loading, NotFound, Root } from './frame/root.tsx'
import { screen } from './lib/screen.ts'
import { STATUS_WORDS } from './lib/words.ts'
import { onSignedOut, queryClient } from './query-client.ts'
import { readCobrancaSearch } from './screens/cobrancas/search.ts'
import { readSearch } from './screens/lancamentos/search.ts'
import { readSearch as readPainelSearch } from './screens/painel/search.ts'
import { readParceiroSearch } from './screens/parceiros/search.ts'

interface Context {
  queryClient: QueryClient
}

const root = createRootRouteWithContext<Context>()({ ...alone, component: Root })

/** Whoever is not signed in does that first, and then comes back. */
async function person({ context, location }: { context: Context; location: ParsedLocation }) {
  try {
    return await context.queryClient.ensureQueryData(euQuery)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-signed-in') throw error
    throw redirect({ to: '/entrar', search: { voltar: location.href }, replace: true })
  }
}

const entrar = createRoute({
  ...alone,
  getParentRoute: () => root,
  path: '/entrar',
  validateSearch: ({ voltar }: { voltar?: unknown }): { voltar?: string } =>
    // Only to an address of our own.
    typeof voltar === 'string' && /^\/(?![/\\])/.test(voltar) ? { voltar } : {},
  component: screen(() => import('./screens/entrar.tsx'), 'Entrar'),
})

const convite = createRoute({
  ...alone,
  getParentRoute: () => root,
  path: '/convite/$token',
  component: screen(() => import('./screens/convite.tsx'), 'Convite'),
})

const componentes = createRoute({
  ...alone,
  getParentRoute: () => root,
  path: '/componentes',
  component: screen(() => import('./screens/componentes.tsx'), 'Componentes'),
})

const empresas = createRoute({
  ...alone,
  getParentRoute: () => root,
  path: '/',
  async beforeLoad(given) {
    const { empresas } = await person(given)
    const [only, another] = empresas
    if (only && !another) {
      throw redirect({ to: '/e/$empresa', params: { empresa: only.id }, replace: true })
    }
  },
  component: screen(() => import('./screens/empresas.tsx'), 'Empresas'),
})

const frame = createRoute({
  ...alone,
  // An address that does not exist within a company is said within its frame.
  notFoundComponent: NotFound,
  getParentRoute: () => root,
  path: '/e/$empresa',
  async beforeLoad({ params, ...given }) {
    const { empresas } = await person(given)
    if (!empresas.some(({ id }) => id === params.empresa)) throw notFound({ routeId: rootRouteId })
  },
  component: screen(() => import('./frame/frame.tsx'), 'Frame'),
})

const painel = createRoute({
  getParentRoute: () => frame,
  path: '/',
  validateSearch: readPainelSearch,
  component: screen(() => import('./screens/painel/painel.tsx'), 'Painel'),
})

const primeirosPassos = createRoute({
  getParentRoute: () => frame,
  path: '/integracoes',
  component: screen(() => import('./screens/primeiros-passos.tsx'), 'PrimeirosPassos'),
})

const lancamentos = createRoute({
  getParentRoute: () => frame,
  path: '/lancamentos',
  validateSearch: readSearch,
  component: screen(() => import('./screens/lancamentos/lancamentos.tsx'), 'Lancamentos'),
})

const importar = createRoute({
  getParentRoute: () => frame,
  path: '/lancamentos/importar',
  validateSearch: ({ importacao }: { importacao?: unknown }): { importacao?: string } =>
    typeof importacao === 'string' ? { importacao } : {},
  component: screen(() => import('./screens/importar/importar.tsx'), 'Importar'),
})

const cobrancas = createRoute({
  getParentRoute: () => frame,
  path: '/cobrancas',
  validateSearch: readCobrancaSearch,
  component: screen(() => import('./screens/cobrancas/cobrancas.tsx'), 'Cobrancas'),
})

const cobranca = createRoute({
  getParentRoute: () => frame,
  path: '/cobrancas/$id',
  component: screen(() => import('./screens/cobrancas/cobranca.tsx'), 'CobrancaScreen'),
})

const parceiros = createRoute({
  getParentRoute: () => frame,
  path: '/parceiros',
  validateSearch: readParceiroSearch,
  component: screen(() => import('./screens/parceiros/parceiros.tsx'), 'Parceiros'),
})

const parceiro = createRoute({
  getParentRoute: () => frame,
  path: '/parceiros/$id',
  component: screen(() => import('./screens/parceiros/parceiro.tsx'), 'ParceiroScreen'),
})

const categorias = createRoute({
  getParentRoute: () => frame,
  path: '/categorias',
  component: screen(() => import('./screens/categorias/categorias.tsx'), 'Categorias'),
})

const configuracoes = createRoute({
  getParentRoute: () => frame,
  path: '/configuracoes',
  component: screen(() => import('./screens/configuracoes/configuracoes.tsx'), 'Configuracoes'),
})

const chaves = createRoute({
  getParentRoute: () => frame,
  path: '/integracoes/chaves',
  component: screen(() => import('./screens/chaves/chaves.tsx'), 'Chaves'),
})

const webhooks = createRoute({
  getParentRoute: () => frame,
  path: '/integracoes/webhooks',
  component: screen(() => import('./screens/webhooks/webhooks.tsx'), 'Webhooks'),
})

interface DeliverySearch extends Pick<DeliveryFilter, 'status' | 'event'> {
  pagina?: number
}

const webhook = createRoute({
  getParentRoute: () => frame,
  path: '/integracoes/webhooks/$id',
  validateSearch: ({ status, event, pagina }: Record<string, unknown>): DeliverySearch => ({
    ...(isStatus(status) ? { status } : {}),
    ...(isEvent(event) ? { event } : {}),
    ...(Number.isSafeInteger(pagina) && Number(pagina) > 1 ? { pagina: Number(pagina) } : {}),
  }),
  component: screen(() => import('./screens/webhooks/webhook.tsx'), 'WebhookScreen'),
})

const isStatus = (value: unknown): value is NonNullable<DeliveryFilter['status']> =>
  typeof value === 'string' && Object.hasOwn(STATUS_WORDS, value)
const isEvent = (value: unknown): value is EventKind => EVENT_KINDS.includes(value as EventKind)

const entrega = createRoute({
  getParentRoute: () => frame,
  path: '/integracoes/webhooks/$id/entregas/$entrega',
  component: screen(() => import('./screens/webhooks/entrega.tsx'), 'Entrega'),
})

const pagamentos = createRoute({
  getParentRoute: () => frame,
  path: '/integracoes/pagamentos',
  component: screen(() => import('./screens/pagamentos/pagamentos.tsx'), 'Pagamentos'),
})

const api = createRoute({
  getParentRoute: () => frame,
  path: '/integracoes/api',
  component: screen(() => import('./screens/api.tsx'), 'Api'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    entrar,
    convite,
    componentes,
    empresas,
    frame.addChildren([
      painel,
      lancamentos,
      importar,
      primeirosPassos,
      cobrancas,
      cobranca,
      parceiros,
      parceiro,
      categorias,
      configuracoes,
      chaves,
      webhooks,
      webhook,
      entrega,
      pagamentos,
      api,
    ]),
  ]),
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: Loading,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

onSignedOut(() => {
  const { pathname, href } = router.state.location
  if (pathname === '/entrar' || pathname.startsWith('/convite/')) return
  router
    .navigate({ to: '/entrar', search: { voltar: href } })
    .then(() => queryClient.removeQueries({ queryKey: euQuery.queryKey }))
})

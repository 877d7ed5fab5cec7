import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { Failure } from './api/call.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Failure
  }
}

let leave = () => {}

/** What to do when the server no longer knows who calls. */
export function onSignedOut(act: () => void): void {
  leave = act
}

function notice(failure: Failure): void {
  if (failure.code === 'not-signed-in') leave()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Without a network the person is told so, instead of waiting for one.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (times, { status }) => times < 1 && (status === 0 || status >= 500),
      retryDelay: 500,
    },
    mutations: { networkMode: 'always' },
  },
})

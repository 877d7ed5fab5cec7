import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FailureNotice } from './failure.tsx'
import { Skeleton } from './skeleton.tsx'

interface Props<T> {
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
  lines?: number
}

/** What was asked for, or why it is not there. What was read before stays when it cannot be read again. */
export function Loaded<T>({ query, children, lines = 3 }: Props<T>) {
  const { data, error, isFetching, refetch } = query
  const failure = (
    <FailureNotice
      failure={error}
      retry={error?.status === 404 ? undefined : () => refetch()}
      pending={isFetching}
      {...(data === undefined ? {} : { title: 'O que se vê pode não ser o mais recente' })}
    />
  )
  if (data === undefined) return error ? failure : <Skeleton lines={lines} />
  return (
    <>
      {failure}
      {children(data)}
    </>
  )
}

import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { LivroFilter } from '../../../../src/lancamentos/livro-schema.ts'
import type { Lancamento } from '../../../../src/lancamentos/schema.ts'
import { LIVRO_PAGE, livroQuery } from '../../api/lancamentos.ts'

/** Who drags the scroll bar passes by many pages: not each of them is asked for. */
const PACE_MS = 100
/** What is just out of sight is fetched before it is wanted. */
const AHEAD = 30

const pageOf = (index: number) => Math.floor(index / LIVRO_PAGE)

/**
 * The entries of a filter, of which only the pages in sight are fetched; what left the sight meanwhile is
 * given up. While a new filter has nothing to show yet, what is shown stays.
 */
export function useLivro(empresa: string, wanted: LivroFilter) {
  const client = useQueryClient()
  const head = useQuery({
    ...livroQuery(empresa, wanted, 0),
    placeholderData: keepPreviousData,
  })
  const [shown, setShown] = useState(wanted)
  if (!head.isPlaceholderData && shown !== wanted) setShown(wanted)
  const [{ first, last }, setPages] = useState({ first: 0, last: 0 })
  const pages = Array.from({ length: last - first + 1 }, (_, nth) => first + nth)
  const found = useQueries({ queries: pages.map((page) => livroQuery(empresa, shown, page)) })

  const inSight = new Map(pages.map((page, nth) => [page, found[nth]?.data]))
  // Those that were in sight before are there sooner than it is noticed that they are wanted again.
  const itemsOf = (page: number) =>
    (inSight.get(page) ?? client.getQueryData(livroQuery(empresa, shown, page).queryKey))?.items

  return {
    /** Of which filter they are. */
    shown,
    total: head.data?.total ?? 0,
    somas: head.data?.somas,
    isPending: head.isPending,
    isChanging: head.isPlaceholderData,
    error: head.error ?? found.find(({ error }) => error)?.error ?? null,
    retry() {
      for (const { isError, refetch } of [head, ...found]) if (isError) refetch()
    },
    /** Entries `from` up to, but without, `to`; those that are not there yet are missing. */
    rows(from: number, to: number): (Lancamento | undefined)[] {
      const rows: (Lancamento | undefined)[] = []
      for (let page = pageOf(from); page * LIVRO_PAGE < to; page++) {
        const items = itemsOf(page)
        const end = Math.min(to, (page + 1) * LIVRO_PAGE)
        for (let at = Math.max(from, page * LIVRO_PAGE); at < end; at++) {
          rows.push(items?.[at - page * LIVRO_PAGE])
        }
      }
      return rows
    },
    /** The same, once all of them are there. */
    async fetch(from: number, to: number): Promise<Lancamento[]> {
      const wanted = Array.from({ length: pageOf(to - 1) - pageOf(from) + 1 }, (_, nth) =>
        client.ensureQueryData(livroQuery(empresa, shown, pageOf(from) + nth)),
      )
      const items = (await Promise.all(wanted)).flatMap((livro) => livro.items)
      const before = pageOf(from) * LIVRO_PAGE
      return items.slice(from - before, to - before)
    },
    setPages,
  }
}

export type LivroView = ReturnType<typeof useLivro>

/** Tells which pages are in sight, and just beside it, at a pace that the server can follow. */
export function usePagesInSight(
  { setPages, total }: LivroView,
  range: { first: number; end: number },
): void {
  const told = useRef(0)
  const first = pageOf(Math.max(0, range.first - AHEAD))
  const last = Math.max(first, pageOf(Math.min(total - 1, range.end + AHEAD)))
  useEffect(() => {
    const tell = () => {
      told.current = Date.now()
      setPages({ first, last })
    }
    const later = setTimeout(tell, Math.max(0, told.current + PACE_MS - Date.now()))
    return () => clearTimeout(later)
  }, [first, last, setPages])
}

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Rows beyond the edges that are there already when they are scrolled to. */
const SPARE = 8
/** No browser makes an area much taller than this. */
const TALLEST_PX = 15_000_000

/** A scrolled area of rows that are all equally high, of which only those in sight exist. */
export function useRowsInSight(total: number, rowHeight: number, headHeight: number) {
  const box = useRef<HTMLDivElement>(null)
  const [sight, setSight] = useState({ first: 0, shown: 0 })
  const count = Math.min(total, Math.floor(TALLEST_PX / rowHeight))

  const look = useCallback(() => {
    // What was scrolled last may be told when the area is gone.
    if (!box.current) return
    const { scrollTop, clientHeight } = box.current
    const first = Math.floor(scrollTop / rowHeight)
    const shown = Math.max(1, Math.ceil((clientHeight - headHeight) / rowHeight))
    setSight((before) =>
      before.first === first && before.shown === shown ? before : { first, shown },
    )
  }, [rowHeight, headHeight])

  useLayoutEffect(look, [look])
  useEffect(() => {
    const watch = new ResizeObserver(look)
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [look])

  const scrollTo = useCallback(
    (index: number) => {
      const { scrollTop, clientHeight } = box.current!
      const top = index * rowHeight
      const lowest = top + rowHeight - (clientHeight - headHeight)
      if (top < scrollTop) box.current!.scrollTop = top
      else if (lowest > scrollTop) box.current!.scrollTop = lowest
    },
    [rowHeight, headHeight],
  )

  return {
    box,
    look,
    scrollTo,
    /** How many rows there is room for. */
    count,
    /** How many rows are seen at once. */
    atOnce: sight.shown,
    first: Math.max(0, Math.min(sight.first, count) - SPARE),
    end: Math.min(count, sight.first + sight.shown + 1 + SPARE),
    top: sight.first,
  }
}

export type RowsInSight = ReturnType<typeof useRowsInSight>

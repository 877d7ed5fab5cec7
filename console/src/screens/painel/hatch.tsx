import { useId } from 'react'
import { COLORS, type Series } from './chart.ts'

/** What a series looks like, for the words beside it. */
export function Swatch(series: Series) {
  const id = useId()
  return (
    <svg aria-hidden="true" width="16" height="12">
      <Hatch id={id} way={series.way} />
      <rect x="0.5" y="0.5" width="15" height="11" {...fillOf(series, id)} />
    </svg>
  )
}

/** How what is only expected is filled. */
export function Hatch({ id, way }: { id: string; way: Series['way'] }) {
  return (
    <defs>
      <pattern
        id={id}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="5" height="5" fill={COLORS[way]} fillOpacity="0.15" />
        <rect width="1.5" height="5" fill={COLORS[way]} />
      </pattern>
    </defs>
  )
}

export function fillOf({ way, expected }: Series, hatch: string) {
  return { fill: expected ? `url(#${hatch})` : COLORS[way], stroke: COLORS[way] }
}

import { useEffect, useState } from 'react'

const PAUSE_MS = 200

/** What was typed, once the hands have rested for a moment. */
export function useDebounced(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const later = setTimeout(() => setRested(value), PAUSE_MS)
    return () => clearTimeout(later)
  }, [value])
  return rested
}

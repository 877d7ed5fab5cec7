import { useEffect, useRef, useState } from 'react'
import { TextField } from './field.tsx'

const PAUSE_MS = 250

interface Props {
  label: string
  placeholder?: string
  /** What is searched for now. */
  value: string
  onSearch: (value: string) => void
}

/** It searches by itself, once the hands have rested for a moment. */
export function SearchField({ label, placeholder, value, onSearch }: Props) {
  const [typed, setTyped] = useState(value)
  const asked = useRef(value)
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // It was changed elsewhere: by going back, or by a button that clears it.
    if (value !== asked.current) setTyped(value)
    asked.current = value
  }, [value])
  useEffect(() => () => clearTimeout(later.current), [])

  return (
    <TextField
      label={label}
      placeholder={placeholder}
      type="search"
      maxLength={200}
      autoComplete="off"
      value={typed}
      onChange={(text) => {
        setTyped(text)
        clearTimeout(later.current)
        later.current = setTimeout(() => {
          asked.current = text.trim()
          onSearch(text.trim())
        }, PAUSE_MS)
      }}
    />
  )
}

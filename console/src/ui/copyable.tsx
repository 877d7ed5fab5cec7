import { useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { inputLook } from './look.ts'

interface Props {
  label: string
  value: string
  /** As tall as its text, for what has several lines. */
  lines?: number
}

/** A text to take elsewhere. Where the browser does not let it be copied, it is selected for the person. */
export function Copyable({ label, value, lines = 1 }: Props) {
  const id = useId()
  const text = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (!said) return
    const later = setTimeout(() => setSaid(''), 3000)
    return () => clearTimeout(later)
  }, [said])

  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
      setSaid('Copiado')
    } catch {
      text.current?.select()
      setSaid('Selecionado: copie com Ctrl+C')
    }
  }

  const shared = {
    id,
    ref: text,
    value,
    readOnly: true,
    spellCheck: false,
    className: `${inputLook} bg-sunken font-mono text-sm`,
  }
  return (
    <div className="grid min-w-0 gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex flex-col gap-2 sm:flex-row sm:items-start">
        {lines > 1 ? <textarea {...shared} rows={lines} /> : <input {...shared} type="text" />}
        <Button onClick={copy}>
          <Icon name={said ? 'check' : 'copy'} className="size-4" />
          Copiar
          <span className="sr-only">{label}</span>
        </Button>
      </div>
      <p role="status" className="text-sm text-main empty:hidden">
        {said}
      </p>
    </div>
  )
}

import { useEffect, useState, useSyncExternalStore } from 'react'
import { Icon } from './icon.tsx'

const SHOWN_FOR = 5000
/** What offers to do something has to be read, and reached. */
const OFFERED_FOR = 12_000

interface Offer {
  act: string
  onAct: () => void
}

interface Toast {
  id: number
  text: string
  offer?: Offer
}

let shown: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

function show(next: typeof shown): void {
  shown = next
  for (const listener of listeners) listener()
}

const hide = (id: number) => show(shown.filter((one) => one.id !== id))

/** Says, for a moment, that something was done, and may offer what follows. What went wrong stays where it went wrong. */
export function toast(text: string, offer?: Offer): void {
  show([...shown, { id: ++last, text, ...(offer ? { offer } : {}) }])
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-3 bottom-4 z-60 grid justify-items-center gap-2"
    >
      {toasts.map((one) => (
        <OneToast key={one.id} toast={one} />
      ))}
    </div>
  )
}

function OneToast({ toast: { id, text, offer } }: { toast: Toast }) {
  // Nothing goes away under somebody's hand.
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const later = setTimeout(() => hide(id), offer ? OFFERED_FOR : SHOWN_FOR)
    return () => clearTimeout(later)
  }, [id, offer, held])
  return (
    <div className="flex max-w-md items-center gap-2 rounded-lg bg-ink px-4 py-2.5 text-sm text-back shadow-xl">
      <Icon name="check" className="size-4" />
      <p>{text}</p>
      {offer && (
        <button
          type="button"
          className="pointer-events-auto -my-1 ml-2 min-h-8 rounded-md px-2 font-semibold underline underline-offset-2"
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onClick={() => {
            hide(id)
            offer.onAct()
          }}
        >
          {offer.act}
        </button>
      )}
    </div>
  )
}

import { useSyncExternalStore } from 'react'
import { Icon } from './icon.tsx'

const SHOWN_FOR = 5000

let shown: readonly { id: number; text: string }[] = []
let last = 0
const listeners = new Set<() => void>()

function show(next: typeof shown): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Says, for a moment, that something was done. What went wrong stays where it went wrong. */
export function toast(text: string): void {
  const id = ++last
  show([...shown, { id, text }])
  setTimeout(() => show(shown.filter((one) => one.id !== id)), SHOWN_FOR)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const texts = useSyncExternalStore(subscribe, () => shown)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-3 bottom-4 z-60 grid justify-items-center gap-2"
    >
      {texts.map(({ id, text }) => (
        <p
          key={id}
          className="flex max-w-md items-center gap-2 rounded-lg bg-ink px-4 py-2.5 text-sm text-back shadow-xl"
        >
          <Icon name="check" className="size-4" />
          {text}
        </p>
      ))}
    </div>
  )
}

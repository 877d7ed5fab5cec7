import { type RefObject, useRef } from 'react'

export type Opener = RefObject<HTMLElement | null>

/** A dialog gives the focus back to what opened it, or to the page when that is gone. */
export function useReturnedFocus(opener?: Opener) {
  const before = useRef<Element | null>(null)
  return {
    onOpenAutoFocus() {
      before.current = document.activeElement
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      const target = opener?.current ?? before.current
      const lost = !(target instanceof HTMLElement) || !target.isConnected
      const focused = lost || target === document.body ? document.querySelector('main') : target
      focused?.focus()
    },
  }
}

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

export type Keys = Record<string, (() => void) | undefined>

const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable]'
const OVERLAY = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** ArrowDown, Shift+ArrowDown, Ctrl+a: what a letter needs to be typed is no part of its name. */
function nameOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string {
  const shift = shiftKey && key.length > 1
  return `${altKey ? 'Alt+' : ''}${ctrlKey || metaKey ? 'Ctrl+' : ''}${shift ? 'Shift+' : ''}${key}`
}

/**
 * The keys of a screen, never while something is typed or a dialog is open. Those of a list count only where
 * nothing else has the focus, and give it to the list.
 */
export function useKeys(keys: Keys, list?: RefObject<HTMLElement | null>): void {
  const latest = useRef(keys)
  // At once: a key is about what is shown when it is pressed.
  useLayoutEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const target = event.target as HTMLElement
      if (event.defaultPrevented || target.matches(TYPING)) return
      if (document.querySelector(OVERLAY)) return
      const free = target === document.body || target.matches('main') || target === list?.current
      const act = latest.current[nameOf(event)]
      if (!act || (list && !free)) return
      event.preventDefault()
      list?.current?.focus({ preventScroll: true })
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [list])
}

/** A text of a program. It may be long: it scrolls by itself, also by the keyboard. */
export function Code({ label, children }: { label: string; children: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within the keyboard's reach.
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-lg border border-line bg-sunken p-3"
    >
      <pre className="font-mono text-xs leading-relaxed whitespace-pre-wrap wrap-anywhere">
        {children}
      </pre>
    </section>
  )
}

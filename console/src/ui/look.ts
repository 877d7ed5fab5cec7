export type ButtonKind = 'main' | 'plain' | 'quiet' | 'danger'

const SHAPE =
  'inline-flex min-h-10 items-center justify-center gap-2 rounded-lg border px-4 py-2 text-sm font-medium motion-safe:transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-60 disabled:cursor-not-allowed disabled:opacity-60'

const KINDS: Record<ButtonKind, string> = {
  main: 'border-transparent bg-main text-on-main hover:bg-main-strong',
  plain: 'border-edge bg-paper text-ink hover:bg-sunken',
  quiet: 'border-transparent text-ink hover:bg-sunken',
  danger: 'border-bad bg-paper text-bad hover:bg-bad-tint',
}

/** For what looks like a button, be it a button or a link. */
export const buttonLook = (kind: ButtonKind = 'plain') => `${SHAPE} ${KINDS[kind]}`

export const linkLook =
  'rounded-sm text-main underline decoration-1 underline-offset-2 hover:text-main-strong'

export const inputLook =
  'block min-h-10 w-full min-w-0 rounded-lg border border-edge bg-paper px-3 py-2 text-base text-ink placeholder:text-soft aria-invalid:border-bad sm:text-sm'

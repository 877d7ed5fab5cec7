export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 shrink-0 motion-safe:animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  )
}

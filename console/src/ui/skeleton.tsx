export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div role="status" className="grid gap-3 rounded-xl border border-line bg-paper p-4 sm:p-5">
      <span className="sr-only">Carregando…</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="h-5 motion-safe:animate-pulse rounded bg-sunken even:w-2/3" />
      ))}
    </div>
  )
}

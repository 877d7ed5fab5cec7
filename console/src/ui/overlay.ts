export const veilLook = 'fixed inset-0 z-50 bg-veil'

export const dialogLook =
  'fixed inset-x-3 top-1/2 z-50 mx-auto grid max-h-[calc(100dvh-1.5rem)] -translate-y-1/2 grid-cols-1 gap-4 overflow-y-auto rounded-xl border border-line bg-paper p-4 shadow-xl sm:p-5'

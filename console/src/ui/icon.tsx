const PATHS = {
  home: 'M3 11 12 4l9 7M5 10v10h5v-6h4v6h5V10',
  key: 'M14 10a4 4 0 1 1-1.2-2.8M13 11l8 8M17 15l2-2M19.500 17.500l1.500-1.500',
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6z',
  card: 'M3 6h18v12H3zM3 10h18M7 15h3',
  code: 'm8 8-4 4 4 4M16 8l4 4-4 4M13.500 5l-3 14',
  gear: 'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6M12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M18.400 5.600l-2.100 2.100M7.700 16.300l-2.100 2.100',
  list: 'M4 6h16M4 12h16M4 18h10M18 16v5M15.500 18.500h5',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13M15.500 15.500 20 20',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  download: 'M12 4v11M7.500 11 12 15.500l4.500-4.500M5 20h14',
  upload: 'M12 15.500V4.500M7.500 9 12 4.500 16.500 9M5 20h14',
  keyboard: 'M3 7h18v10H3zM7 10.500v.1M10.300 10.500v.1M13.700 10.500v.1M17 10.500v.1M8 14h8',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'm6 6 12 12M18 6 6 18',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  down: 'm6 9 6 6 6-6',
  left: 'm15 6-6 6 6 6',
  right: 'm9 6 6 6-6 6',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.500 20a7.500 7.500 0 0 1 15 0',
  company: 'M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3M8 12h3M8 16h3',
  people:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M2.500 20c.6-3.600 3.200-5.500 6.500-5.500s5.900 1.900 6.500 5.500M16 4.300a3.500 3.500 0 0 1 0 6.400M18 14.800c2 .8 3.200 2.600 3.500 5.200',
  tag: 'M4 4h8l8 8-8 8-8-8zM8 8v.1',
  receipt: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  plus: 'M12 5v14M5 12h14',
  warning: 'M12 4 2.500 20h19zM12 10v4.500M12 17.200v.1',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 11v5.500M12 7.600v.1',
} as const

export type IconName = keyof typeof PATHS

/** Decoration only: the words beside it, or the label of what holds it, say the same. */
export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}

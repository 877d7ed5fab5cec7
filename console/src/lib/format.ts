const number = new Intl.NumberFormat('pt-BR')

export const count = (value: number) => number.format(value)

const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** R$ 1.234,56 */
export const reais = (value: number) => money.format(value)

const compact = new Intl.NumberFormat('pt-BR', { notation: 'compact', maximumSignificantDigits: 3 })

/** 1,2 mil: where there is no room for more. */
export const compactReais = (value: number) => compact.format(value)

/** 22/06/2026 for 2026-06-22. */
export const day = (date: string) => date.split('-').reverse().join('/')

/** 529.982.247-25 or 11.222.333/0001-81 of what is kept bare. */
export function documento(bare: string): string {
  return bare.length === 11
    ? bare.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')
    : bare.replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5')
}

/** "1 entrega", "2 entregas". */
export function counted(value: number, one: string, many: string): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

const DAY = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
const MINUTE = { ...DAY, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const SECOND = { ...MINUTE, second: '2-digit' } as const
const PRECISIONS = { day: DAY, minute: MINUTE, second: SECOND }
export type Precision = keyof typeof PRECISIONS

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(precision: Precision, timeZone: string): Intl.DateTimeFormat {
  const key = `${precision} ${timeZone}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat('pt-BR', { ...PRECISIONS[precision], timeZone })
  formatters.set(key, made)
  return made
}

/** 22/06/2026 14:03, on the company's clock. */
export function moment(instant: string, timeZone: string, precision: Precision = 'minute') {
  return formatter(precision, timeZone).format(new Date(instant)).replace(',', '')
}

/** The last day that something is valid on, when it ends at the midnight after. */
export function lastDay(end: string, timeZone: string): string {
  return moment(new Date(Date.parse(end) - 1).toISOString(), timeZone, 'day')
}

/** Instants inside a text of the server's, as a person reads them. */
export function withMoments(text: string, timeZone: string): string {
  return text.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, (instant) => moment(instant, timeZone))
}

/** What a date and time field shows for an instant: 2026-06-22T14:03. */
export function wallTime(instant: number, timeZone: string): string {
  const [day = '', time = ''] = moment(new Date(instant).toISOString(), timeZone).split(' ')
  return `${day.split('/').reverse().join('-')}T${time}`
}

/** 2026-06-22, on the company's calendar. */
export const today = (timeZone: string) => wallTime(Date.now(), timeZone).slice(0, 10)

/** The instant at which the company's clock shows what a date and time field holds. */
export function instantAt(wall: string, timeZone: string): string {
  const asUtc = Date.parse(`${wall}Z`)
  const offsetAt = (instant: number) => Date.parse(`${wallTime(instant, timeZone)}Z`) - instant
  const guess = asUtc - offsetAt(asUtc)
  return new Date(asUtc - offsetAt(guess)).toISOString()
}

export function milliseconds(value: number): string {
  return value < 1000 ? `${count(value)} ms` : `${count(Math.round(value / 10) / 100)} s`
}

/** A fault as the server words it, made a sentence. */
export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`
}

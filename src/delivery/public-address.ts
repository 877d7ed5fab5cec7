import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Range = [Address, number]

/** All that was ever handed out for the public Internet. Beyond it ipaddr.js is too kind: `::7f00:1`. */
const GLOBAL_UNICAST: Range = ipaddr.parseCIDR('2000::/3')

/** Metadata services whose address lies in no special range: Azure's. */
const METADATA = ['168.63.129.16']

/** Names that mean something inside a network only, and all below them. */
const INTERNAL_NAMES = ['localhost', 'local', 'localdomain', 'internal', 'home.arpa']

/** Whether an address is one of a host on the public Internet. What is not an address is not. */
export function isPublic(text: string): boolean {
  const address = parseAddress(text)
  if (address?.range() !== 'unicast') return false
  return address.kind() === 'ipv4' ? !METADATA.includes(text) : address.match(GLOBAL_UNICAST)
}

/** Throws where one is not a CIDR. */
export function parseRanges(cidrs: readonly string[]): Range[] {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr))
}

export function isInside(text: string, ranges: readonly Range[]): boolean {
  const address = parseAddress(text)
  if (!address) return false
  return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}

/** Whether a name, lower-case and without a dot at its end, can never be one of the public DNS. */
export function isInternalName(name: string): boolean {
  if (!name.includes('.')) return true
  return INTERNAL_NAMES.some((internal) => name === internal || name.endsWith(`.${internal}`))
}

/**
 * Stricter than ipaddr.js, which reads octal and short forms too: here an address comes from a URL or
 * from DNS, which write it out. One with a zone is of a link of this machine.
 */
function parseAddress(text: string): Address | undefined {
  return isIP(text) !== 0 && !text.includes('%') ? ipaddr.parse(text) : undefined
}

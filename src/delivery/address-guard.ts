import { Resolver as DnsResolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isInside, isInternalName, isPublic, parseRanges, type Range } from './public-address.ts'

export interface Resolver {
  resolve4(name: string): Promise<string[]>
  resolve6(name: string): Promise<string[]>
}

interface GuardOptions {
  /** Ranges that may be called though they are not public, for development: CIDRs. */
  devTargets?: readonly string[]
  resolver?: Resolver
}

/** A subscriber waits for the answer, and every attempt checks again: DNS that is late is let off. */
const SUBSCRIPTION_MS = 2_000
/** Half of what an attempt may last in all. */
const ATTEMPT_MS = 5_000
const LOOPBACK = ['127.0.0.1', '::1']

export class AddressRefused extends Error {
  /** What the subscriber reads. It never holds what DNS answered: that may be an inner network's. */
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.name = 'AddressRefused'
    this.reason = reason
  }
}

/** Keeps deliveries from reaching anything but the public Internet. */
export class AddressGuard {
  readonly #devTargets: readonly Range[]
  readonly #resolver: Resolver

  constructor({ devTargets = [], resolver }: GuardOptions = {}) {
    this.#devTargets = parseRanges(devTargets)
    // Never dns.lookup: it reads /etc/hosts, adds search domains, and holds a thread while it waits.
    this.#resolver = resolver ?? new DnsResolver({ timeout: 2_000, maxTimeout: 2_000, tries: 2 })
  }

  /** Judges a URL at subscription. Throws AddressRefused with the reason; resolves otherwise. */
  async checkSubscription(text: string): Promise<void> {
    if (!URL.canParse(text)) throw new AddressRefused('O endereço informado não é uma URL válida.')
    const url = new URL(text)
    if (this.#judgeUrl(url, hasUserInfo(text))) return
    // Each family is judged as it answers: a bad address is refused though the other never comes.
    const answers = this.#ask(url, SUBSCRIPTION_MS)
    await Promise.all(
      answers.map(async (answer) => this.#judgeAnswer(await answer.catch(() => []))),
    )
  }

  /**
   * Judges again at an attempt: every address the name has now, each allowed; in the order to be dialled.
   * Throws AddressRefused where any is not public, and the resolver's error where there is none.
   */
  async addressesOf(url: URL): Promise<string[]> {
    const known = this.#judgeUrl(url, url.username !== '' || url.password !== '')
    if (known) return known
    const answers = await Promise.allSettled(this.#ask(url, ATTEMPT_MS))
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    this.#judgeAnswer(found)
    if (found.length > 0) return [...new Set(found)]
    const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? answer.reason : []))
    // That a name has no address of one family says less than why the other could not be had.
    throw errors.find((error) => error?.code !== 'ENODATA') ?? errors[0] ?? dnsError('ENOTFOUND')
  }

  /** What can be said without DNS: the addresses of the host, or undefined where DNS has to be asked. */
  #judgeUrl(url: URL, userInfo: boolean): string[] | undefined {
    const host = bareHost(url)
    const literal = isIP(host) !== 0
    const own = literal ? [host] : host === 'localhost' ? LOOPBACK : []
    const dev = own.filter((address) => isInside(address, this.#devTargets))
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && dev.length > 0)) {
      throw new AddressRefused('A URL deve usar https.')
    }
    if (userInfo) throw new AddressRefused('A URL não pode conter usuário nem senha.')
    if (dev.length > 0) return dev
    if (literal && !isPublic(host)) throw new AddressRefused(`O endereço ${host} não é público.`)
    if (literal) return own
    if (isInternalName(host)) throw new AddressRefused('O nome do host da URL não é público.')
    return undefined
  }

  #judgeAnswer(addresses: readonly string[]): void {
    for (const address of addresses) {
      if (isPublic(address) || isInside(address, this.#devTargets)) continue
      throw new AddressRefused('O nome do host da URL leva a um endereço que não é público.')
    }
  }

  /** IPv4 is asked, and dialled, first: a machine without IPv6 would spend its first try on nothing. */
  #ask(url: URL, limit: number): Promise<string[]>[] {
    const name = bareHost(url)
    return [
      within(limit, this.#resolver.resolve4(name)),
      within(limit, this.#resolver.resolve6(name)),
    ]
  }
}

/**
 * Without the brackets of IPv6 and the dots of the root; a URL is lower-case and decoded already. The look
 * behind keeps a host of a million dots from taking forever.
 */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$|(?<!\.)\.+$/g, '')
}

/** From the text, for a URL forgets an empty one: `https://@host`. Tabs and line ends do not count. */
function hasUserInfo(text: string): boolean {
  return /^[^:]*:[/\\]*[^/\\?#]*@/.test(text.replace(/[\t\n\r]/g, ''))
}

function within<T>(limit: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(dnsError('ETIMEOUT')), limit)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function dnsError(code: 'ENOTFOUND' | 'ETIMEOUT'): Error {
  return Object.assign(new Error(`DNS: ${code}`), { code })
}

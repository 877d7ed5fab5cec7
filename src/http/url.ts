import type { IncomingMessage } from 'node:http'

/** What stands for bytes that are not UTF-8: no text that is accepted anywhere holds it. */
const UNREADABLE = '\uD800'

/** A path with a broken escape is an address that does not exist, not an error of the framework. */
export function rewriteUrl(request: IncomingMessage): string {
  const url = request.url ?? '/'
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (!path.includes('%') || decode(path) !== UNREADABLE) return url
  return path.replaceAll('%', '%25') + (end < 0 ? '' : url.slice(end))
}

/** Query parameters as text; one that is given twice is a list, which no parameter accepts. */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const [name, ...rest] = pair.replaceAll('+', ' ').split('=')
    const key = decode(name!)
    const value = decode(rest.join('='))
    const before = query[key]
    query[key] = before === undefined ? value : [before, value].flat()
  }
  return query
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return UNREADABLE
  }
}

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const BUILT = fileURLToPath(new URL('../../console/dist', import.meta.url))

/** Every address of the application is the same page, which finds out by itself what to show. */
const ADDRESSES = ['/', '/entrar', '/convite/:token', '/e/*', '/componentes']

/** The application itself. Its files never change under one name, and may be kept for ever. */
export async function consolePages(app: FastifyInstance): Promise<void> {
  const file = join(BUILT, 'index.html')
  if (!existsSync(file)) {
    app.log.warn('the application is not built and not served; `npm run build` builds it')
    return
  }
  const page = readFileSync(file, 'utf8')
  await app.register(files, {
    root: join(BUILT, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
    preCompressed: true,
  })
  app.get('/favicon.svg', { schema: { hide: true } }, (_request, reply) =>
    reply.sendFile('favicon.svg', BUILT, { immutable: false, maxAge: '1d' }),
  )
  for (const address of ADDRESSES) {
    app.get(address, { schema: { hide: true } }, async (_request, reply) => {
      const nonce = randomBytes(16).toString('base64')
      return reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': policy(nonce),
          'cache-control': 'no-cache',
          'referrer-policy': 'same-origin',
          'x-content-type-options': 'nosniff',
        })
        .send(page.replaceAll('__NONCE__', nonce))
    })
  }
}

/** Nothing comes from anywhere else; styles that a part adds as it runs carry the nonce of the page. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

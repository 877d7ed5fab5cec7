// The application as it is built, in a browser.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { NO_BROWSER, openPage } from './browser.ts'
import type { Pessoa } from './pessoa.ts'
import type { TestService } from './service.ts'

export const DIST = fileURLToPath(new URL('../../console/dist', import.meta.url))

/** Why no screen can be shown here, if none can. */
export const NO_SCREEN =
  NO_BROWSER ||
  (existsSync(`${DIST}/index.html`)
    ? false
    : 'console/dist is not built: npm ci builds it, npm run build again')

export const WIDE = { width: 1280, height: 800 }
export const NARROW = { width: 360, height: 740 }

/** A browser of the person's, signed in already; of nobody's, if nobody is named. */
export async function browse({ url }: Pick<TestService, 'url'>, pessoa?: Pessoa, viewport = WIDE) {
  const { page, errors } = await openPage(viewport)
  after(() => page.context().close())
  page.setDefaultTimeout(10_000)
  page.on('dialog', () => errors.push('a script of a record ran'))
  const become = async (somebody: Pessoa | undefined) => {
    // What is open goes first: it asks for changes, and would do so as nobody.
    await page.goto('about:blank')
    await page.context().clearCookies()
    if (!somebody) return
    const [name = '', value = ''] = somebody.cookie.split('=')
    await page.context().addCookies([{ name, value, url }])
  }
  if (pessoa) await become(pessoa)
  return { page, errors, become }
}

/** What is shown is fit for everybody, at this width and in this theme, and nothing went wrong. */
export async function fit(page: Page, errors: string[]): Promise<void> {
  assert.deepEqual([await findings(page), await tooWide(page), errors], [[], [], []])
}

/** What axe finds, once no colour is on its way to another: by every rule of its own, or by that of contrast. */
export async function findings(page: Page, rules?: 'color-contrast'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const options = {
    resultTypes: ['violations'],
    preload: false,
    ...(rules && { runOnly: [rules] }),
  }
  return await page.evaluate(`new Promise(requestAnimationFrame)
    .then(() => {
      for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish()
      return axe.run(document, ${JSON.stringify(options)})
    })
    .then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(' '))))`)
}

/** The page and its dialog, where either can be scrolled sideways. */
export async function tooWide(page: Page): Promise<string[]> {
  return await page.evaluate(`[document.documentElement, ...document.querySelectorAll('[role=dialog]')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ tagName, scrollWidth, clientWidth }) => tagName + ': ' + scrollWidth + ' > ' + clientWidth)`)
}

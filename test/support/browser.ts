import { mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { whenDone } from './cleanup.ts'
import { madeOnce } from './shared.ts'

const OWN = process.env.CHROMIUM_PATH

/** Why there is no browser here, if there is none. The one that npm installs is for Linux on x64. */
export const NO_BROWSER =
  OWN || (process.platform === 'linux' && process.arch === 'x64')
    ? false
    : 'set CHROMIUM_PATH to a Chromium of this machine'

let browser: Promise<Browser> | undefined

/** A page in a browser of the test file's own. Whatever its console calls an error is collected. */
export async function openPage(viewport = { width: 390, height: 844 }) {
  browser ??= OWN ? chromium.launch({ executablePath: OWN }) : launchPackaged()
  const opened = await browser
  const context = await opened.newContext({ viewport, locale: 'pt-BR' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page: Page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  return { page, errors }
}

/** With the libraries that a bare machine lacks. */
async function launchPackaged(): Promise<Browser> {
  const unpacked = await madeOnce('browser', unpack)
  const home = mkdtempSync(`${unpacked}-home-`)
  const fonts = join(home, 'fonts.conf')
  writeFileSync(fonts, `<fontconfig><dir>${unpacked}/fonts</dir></fontconfig>`)
  const launched = await chromium.launch({
    executablePath: join(unpacked, 'chromium'),
    args: ['--no-sandbox', '--no-zygote', '--headless=shell', '--disable-gpu'],
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: join(unpacked, 'al2023/lib'),
      FONTCONFIG_FILE: fonts,
      HOME: home,
    },
  })
  whenDone(() => launched.close())
  return launched
}

/** Its package knows no other place than the folder for temporary files. */
async function unpack(folder: string): Promise<void> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  const { default: packaged, inflate } = await import('@sparticuz/chromium')
  const bin = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin')
  await packaged.executablePath()
  await inflate(join(bin, 'al2023.tar.br'))
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
}

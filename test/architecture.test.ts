import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'

/** The house, from the roof down: a file may import from its own floor and from those below. */
const FLOORS = [
  ['cli.ts'],
  ['main.ts'],
  ['app.ts', 'demo'],
  ['console'],
  ['payments.ts'],
  [
    'cobrancas',
    'provedores',
    'usuarios',
    'empresas',
    'chaves',
    'importacao',
    'lancamentos',
    'parceiros',
    'categorias',
    'resumo',
    'painel',
    'webhooks',
    'eventos',
    'health.ts',
    'care',
  ],
  ['http', 'auth', 'events', 'delivery', 'providers', 'metrics'],
  ['db', 'logger.ts', 'terminal.ts', 'secret-box.ts'],
  ['config.ts', 'clock.ts', 'rounds.ts'],
  ['errors.ts'],
]

const room = (file: string) => file.split('/')[1]!.replace('.test.ts', '.ts')
const floorOf = (file: string) => FLOORS.findIndex((rooms) => rooms.includes(room(file)))
const isTest = (file: string) => file.endsWith('.test.ts')
const files = globSync('src/**/*.ts').sort()
const imports = new Map(files.map((file) => [file, importsOf(file)]))
const arrows = [...imports].flatMap(([from, targets]) => targets.map((to) => ({ from, to })))

function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const specifiers = source.matchAll(/^(?:import|export)\b(?:[^'"]*?\bfrom)?\s*'(\.[^']+\.ts)'/gms)
  return [...specifiers].map((match) => join(dirname(file), match[1]!))
}

function offenders(isWrong: (arrow: { from: string; to: string }) => boolean): string[] {
  return arrows.filter(isWrong).map(({ from, to }) => `${from} imports ${to}`)
}

describe('the house', () => {
  test('every room has its floor', () => {
    assert.deepEqual(
      files.filter((file) => floorOf(file) < 0),
      [],
    )
    assert.ok(arrows.length > files.length)
  })

  test('lower never imports higher', () => {
    const wrong = offenders(({ from, to }) => !isTest(from) && floorOf(to) < floorOf(from))
    assert.deepEqual(wrong, [])
  })

  test("a slice may use another slice's rules, never its queries", () => {
    const wrong = offenders(
      ({ from, to }) => to.endsWith('/queries.ts') && room(from) !== room(to) && !isTest(from),
    )
    assert.deepEqual(wrong, [])
  })

  test('nothing imports in a circle', () => {
    const circles: string[] = []
    const seen = new Set<string>()
    const walk = (file: string, path: string[]) => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (seen.has(file)) return
      seen.add(file)
      for (const next of imports.get(file) ?? []) walk(next, [...path, file])
    }
    for (const file of files) walk(file, [])
    assert.deepEqual(circles, [])
  })

  test('the service never imports from its tests, and each import is there', () => {
    const wrong = offenders(
      ({ from, to }) => !isTest(from) && (isTest(to) || to.startsWith('test/')),
    )
    assert.deepEqual(wrong, [])
    const missing = offenders(({ to }) => to.startsWith('src/') && !imports.has(to))
    assert.deepEqual(missing, [])
  })

  test('only config.ts reads the environment', () => {
    const readers = files.filter((file) => readFileSync(file, 'utf8').includes('process.env'))
    assert.deepEqual(
      readers.filter((file) => !isTest(file)),
      ['src/config.ts'],
    )
  })
})

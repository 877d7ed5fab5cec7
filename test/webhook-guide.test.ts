import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { signatureHeaders } from '../src/delivery/sign.ts'

const guide = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8')
const folder = mkdtempSync('/tmp/lastro-guide-')
after(() => rmSync(folder, { recursive: true, force: true }))

/** How each language runs its snippet on cases that come as JSON, and prints what `verify` says of each. */
const LANGUAGES = [
  {
    name: 'Node',
    fence: 'js',
    command: process.execPath,
    file: 'node.mjs',
    driver: `
import { readFileSync } from 'node:fs'
const cases = JSON.parse(readFileSync(0, 'utf8'))
const verdicts = cases.map((one) => verify(one.secret, one.headers, Buffer.from(one.body, 'base64')))
process.stdout.write(JSON.stringify(verdicts))
`,
  },
  {
    name: 'Python',
    fence: 'python',
    command: 'python3',
    file: 'guide.py',
    driver: `
import base64, json, sys
cases = json.load(sys.stdin)
verdicts = [verify(one["secret"], one["headers"], base64.b64decode(one["body"])) for one in cases]
print(json.dumps(verdicts))
`,
  },
  {
    name: 'PHP',
    fence: 'php',
    command: 'php',
    file: 'guide.php',
    driver: `
$cases = json_decode(file_get_contents('php://stdin'), true);
$verdicts = array_map(fn ($one) => verify($one['secret'], $one['headers'], base64_decode($one['body'])), $cases);
echo json_encode($verdicts);
`,
  },
]

const SECRET = `whsec_${Buffer.alloc(32, 251).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

function delivery({ secret = SECRET, age = 0 } = {}) {
  const timestamp = Math.floor(Date.now() / 1000) - age
  const body = `{"event":"lancamento.created","timestamp":${timestamp},"data":{"lancamento":{"descricao":"Ação 💸"}}}`
  const headers: Record<string, string> = signatureHeaders({
    secrets: [secret],
    id: 'x',
    timestamp,
    body,
  })
  return { headers, body }
}

/** Far enough from 300 seconds that a slow machine changes nothing. */
function cases() {
  const { headers, body } = delivery()
  const { 'x-svc-signature': _, ...unsigned } = headers
  const { 'x-svc-timestamp': timestamp, ...timeless } = headers
  const freshened = { ...delivery({ age: 400 }).headers, 'x-svc-timestamp': timestamp }
  const genuine = {
    'just sent': { headers, body },
    'some minutes old': delivery({ age: 200 }),
    'by a clock that is ahead': delivery({ age: -200 }),
  }
  const wrong = {
    'an altered body': { headers, body: body.replace('created', 'deleted') },
    'a body with one more space': { headers, body: `${body} ` },
    'no body': { headers, body: '' },
    stale: delivery({ age: 300 }),
    'long stale': delivery({ age: 86_400 }),
    'stale, with a fresh timestamp put on': { ...delivery({ age: 400 }), headers: freshened },
    'from the future': delivery({ age: -400 }),
    'of another secret': delivery({ secret: OTHER }),
    'no signature': { headers: unsigned, body },
    'no timestamp': { headers: timeless, body },
    'a timestamp that is no number': { headers: { ...headers, 'x-svc-timestamp': 'now' }, body },
    'a signature that is no digest': { headers: { ...headers, 'x-svc-signature': 'é' }, body },
  }
  return { sent: { ...genuine, ...wrong }, genuine: Object.keys(genuine) }
}

function snippetOf(fence: string): string {
  const found = [...guide.matchAll(new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\`$`, 'gms'))]
  assert.equal(found.length, 1, `docs/webhooks.md has one block of ${fence}`)
  return found[0]![1]!
}

for (const { name, fence, command, file, driver } of LANGUAGES) {
  const absent = spawnSync(command, ['--version']).status !== 0
  const skip = absent && `${command} is not on this machine`
  describe(`the guide's snippet in ${name}`, { skip }, () => {
    test('runs as it stands, and takes just what is genuine', () => {
      const path = join(folder, file)
      writeFileSync(path, snippetOf(fence) + driver)
      const { sent, genuine } = cases()
      const input = Object.values(sent).map(({ headers, body }) => ({
        secret: SECRET,
        headers,
        body: Buffer.from(body).toString('base64'),
      }))
      const options = { input: JSON.stringify(input), encoding: 'utf8' } as const
      const { status, stdout, stderr } = spawnSync(command, [path], options)
      assert.equal(status, 0, stderr || stdout)
      const verdicts: boolean[] = JSON.parse(stdout)
      assert.equal(verdicts.length, input.length)
      assert.deepEqual(
        Object.keys(sent).filter((_, i) => verdicts[i]),
        genuine,
      )
    })
  })
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { freePort, lastro, start } from '../../test/support/process.ts'
import { signatureHeaders } from '../delivery/sign.ts'

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`

/** Runs `lastro webhooks listen` where no database can be reached, and waits until it listens. */
async function listening(...flags: string[]) {
  const port = await freePort()
  const args = ['webhooks', 'listen', '--secret', SECRET, '--port', String(port), ...flags]
  const process = start(args, { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' })
  after(() => process.child.kill('SIGKILL'))
  const [said] = await once(process.child.stderr, 'data')
  assert.match(String(said), new RegExp(`^Listening on http://127.0.0.1:${port}/`))
  return { ...process, port, url: `http://127.0.0.1:${port}/hooks/lastro` }
}

interface Delivery {
  secret?: string
  id?: string
  age?: number
  event?: string
}

function aDelivery({ secret = SECRET, id = 'one', age = 0, event = 'parceiro.created' }: Delivery) {
  const timestamp = Math.floor(Date.now() / 1000) - age
  const body = JSON.stringify({ event, timestamp, data: { parceiro: { nome: 'Padaria Ação' } } })
  const headers = {
    ...signatureHeaders({ secrets: [secret], id, timestamp, body }),
    'x-svc-sequence': '7',
  }
  return { method: 'POST', headers: headers as Record<string, string>, body }
}

async function send(url: string, request: RequestInit): Promise<{ status: number; text: string }> {
  const response = await fetch(url, request)
  return { status: response.status, text: await response.text() }
}

const ok = { status: 200, text: 'ok\n' }

describe('lastro webhooks listen', () => {
  test('shows a genuine delivery, and marks one that comes again', async () => {
    const { url, child, done } = await listening()
    assert.deepEqual(await send(url, aDelivery({})), ok)
    assert.deepEqual(await send(url, aDelivery({ id: 'two' })), ok)
    assert.deepEqual(await send(url, aDelivery({})), ok)
    child.kill('SIGINT')
    const { code, out, err } = await done
    assert.equal(code, 0, err)
    const heads = out.split('\n').filter((line) => line.includes('webhook-id'))
    assert.deepEqual(
      heads.map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, '')),
      [
        'parceiro.created  sequence 7  webhook-id one',
        'parceiro.created  sequence 7  webhook-id two',
        'parceiro.created  sequence 7  webhook-id one  repeated',
      ],
    )
    assert.match(out, /^ {2}"event": "parceiro.created",$/m)
    assert.match(out, /^ {6}"nome": "Padaria Ação"$/m)
    assert.ok(!out.includes('\u001b'), 'no colour where stdout is no terminal')
  })

  test('refuses what is not genuine, and says why to both sides', async () => {
    const { url, child, done } = await listening()
    const { headers, ...unsigned } = aDelivery({})
    const { 'webhook-id': _, ...incomplete } = headers
    const altered = { ...aDelivery({}), body: '{}' }
    const wrong: [RequestInit, number, RegExp][] = [
      [aDelivery({ secret: OTHER }), 401, /made with another secret, or the body/],
      [altered, 401, /made with another secret, or the body/],
      [aDelivery({ age: 1_000 }), 401, /X-SVC-Timestamp is too old: 100\d s/],
      [aDelivery({ age: -1_000 }), 401, /X-SVC-Timestamp is in the future: (999|1000) s/],
      [{ ...unsigned, headers: incomplete }, 400, /^Missing header: webhook-id\.$/m],
      [{ method: 'POST', body: 'a'.repeat(1024 * 1024 + 1) }, 413, /larger than 1 MiB/],
      [{}, 405, /sent with POST/],
    ]
    const answers: string[] = []
    for (const [request, status, problem] of wrong) {
      const answer = await send(url, request)
      assert.equal(answer.status, status, answer.text)
      assert.match(answer.text, problem)
      answers.push(`refused, ${status}  ${answer.text.trim()}`)
    }
    child.kill('SIGTERM')
    const { code, out } = await done
    assert.equal(code, 0)
    const lines = out.split('\n').filter((line) => line !== '')
    assert.deepEqual(
      lines.map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, '')),
      answers,
    )
  })

  test('with --json prints one line for each', async () => {
    const { url, child, done } = await listening('--json')
    await send(url, aDelivery({}))
    await send(url, aDelivery({}))
    await send(url, aDelivery({ secret: OTHER }))
    child.kill()
    const lines = (await done).out.trimEnd().split('\n')
    const [first, second, third] = lines.map((line) => JSON.parse(line))
    assert.equal(lines.length, 3)
    const { at, body, ...rest } = first
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(body.data, { parceiro: { nome: 'Padaria Ação' } })
    const expected = { ok: true, id: 'one', event: 'parceiro.created', sequence: 7 }
    assert.deepEqual(rest, { ...expected, repeated: false })
    assert.equal(second.repeated, true)
    assert.deepEqual([third.ok, third.status], [false, 401])
  })

  test('goes on when a sender leaves in the middle of a body, and stops though one stays', async () => {
    const { url, port, child, done } = await listening('--json')
    const begun = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{'
    const leaving = connect(port, '127.0.0.1')
    leaving.end(begun)
    await once(leaving.resume(), 'close')
    const staying = connect(port, '127.0.0.1')
    staying.on('error', () => {})
    staying.write(begun)
    assert.deepEqual(await send(url, aDelivery({})), ok)
    child.kill()
    const { code, out } = await done
    assert.deepEqual([code, out.split('\n').length], [0, 2])
  })

  test('a port that is taken is said in a sentence, with what to do', async () => {
    const { port, child, done } = await listening()
    const args = ['webhooks', 'listen', '--secret', SECRET, '--port', String(port)]
    const { code, out, err } = await lastro(args, {})
    assert.deepEqual([code, out], [1, ''])
    const told = `Port ${port} is taken; stop what uses it or choose another with --port.\n`
    assert.equal(err, told)
    child.kill()
    await done
  })

  for (const [what, args, told] of [
    ['no secret', [], /required option '--secret <secret>' not specified/],
    ['a secret that lost its end', ['--secret', SECRET.slice(0, -3)], /^The secret is malformed: /],
    ['a port that is none', ['--secret', SECRET, '--port', '70000'], /from 1 to 65535/],
    ['a host that is not here', ['--secret', SECRET, '--host', '192.0.2.1'], /^Cannot listen on /],
  ] as const) {
    test(`${what} is refused at the start`, async () => {
      const { code, out, err } = await lastro(['webhooks', 'listen', ...args], {})
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, told)
      assert.doesNotMatch(err, /^ {4}at /m)
    })
  }
})

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { readConfig } from './config.ts'
import { OperatorError } from './errors.ts'
import { openSecretBox, SecretBox } from './secret-box.ts'

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE='
const [TENANT, ROW] = [crypto.randomUUID(), crypto.randomUUID()]
const box = new SecretBox(Buffer.alloc(32, 1))

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-secret-'))
  after(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('sealing', () => {
  for (const [name, text] of Object.entries({
    'a secret': SECRET,
    'an empty text': '',
    'a text of many bytes a character': 'Ação 💸'.repeat(1000),
  })) {
    test(`${name} opens as it was`, () => {
      assert.equal(box.open(box.seal(text, TENANT, ROW), TENANT, ROW), text)
    })
  }

  test('what is sealed does not show the secret, nor any part of it', () => {
    const sealed = box.seal(SECRET, TENANT, ROW)
    const bytes = Buffer.concat(sealed.split('.').map((part) => Buffer.from(part, 'base64')))
    assert.ok(!sealed.includes(SECRET.slice(6, 20)))
    assert.ok(!bytes.includes('whsec_'))
    assert.ok(!bytes.includes('0123456789'))
  })

  test('one text sealed twice differs, and both open', () => {
    const [one, other] = [box.seal(SECRET, TENANT, ROW), box.seal(SECRET, TENANT, ROW)]
    assert.notEqual(one, other)
    for (const sealed of [one, other]) assert.equal(box.open(sealed, TENANT, ROW), SECRET)
  })

  test('another box with the same key opens it', () => {
    const sealed = box.seal(SECRET, TENANT, ROW)
    assert.equal(new SecretBox(Buffer.alloc(32, 1)).open(sealed, TENANT, ROW), SECRET)
  })
})

describe('what is sealed does not open', () => {
  const sealed = box.seal(SECRET, TENANT, ROW)

  test('for another company', () => {
    assert.throws(() => box.open(sealed, crypto.randomUUID(), ROW))
  })

  test('for another row', () => {
    assert.throws(() => box.open(sealed, TENANT, crypto.randomUUID()))
  })

  test('for the company and the row the other way round', () => {
    assert.throws(() => box.open(sealed, ROW, TENANT))
  })

  test('with another key, and the operator reads which key it needs', () => {
    const other = new SecretBox(Buffer.alloc(32, 2))
    const [keyId] = sealed.split('.')
    assert.throws(
      () => other.open(sealed, TENANT, ROW),
      new RegExp(`key ${keyId}.*LASTRO_SECRET_KEY`),
    )
  })

  test('with another key, though the id of the key is made to fit', () => {
    const other = new SecretBox(Buffer.alloc(32, 2))
    const [otherId] = other.seal(SECRET, TENANT, ROW).split('.')
    const forged = [otherId, ...sealed.split('.').slice(1)].join('.')
    assert.throws(() => other.open(forged, TENANT, ROW))
  })

  test('with any byte changed', () => {
    const [keyId, ...parts] = sealed.split('.')
    for (const [n, part] of parts.entries()) {
      for (let at = 0; at < Buffer.from(part, 'base64').length; at++) {
        const bytes = Buffer.from(part, 'base64')
        bytes[at]! ^= 1
        const changed = parts.with(n, bytes.toString('base64'))
        assert.throws(() => box.open([keyId, ...changed].join('.'), TENANT, ROW), `${n}, ${at}`)
      }
    }
  })

  test('with its tag cut short', () => {
    const [keyId, nonce, tag, text] = sealed.split('.')
    for (const length of [0, 1, 4, 8, 12, 15]) {
      const cut = Buffer.from(tag!, 'base64').subarray(0, length).toString('base64')
      const forged = [keyId, nonce, cut, text].join('.')
      assert.throws(() => box.open(forged, TENANT, ROW), `a tag of ${length} bytes`)
    }
  })

  test('where a part is missing, or it was never sealed', () => {
    const parts = sealed.split('.')
    for (const text of [
      '',
      SECRET,
      parts[0]!,
      parts.slice(0, 2).join('.'),
      parts.slice(0, 3).join('.'),
    ]) {
      assert.throws(() => box.open(text, TENANT, ROW), text)
    }
  })
})

describe('the key of the service', () => {
  const none = readConfig({})

  test('is that of LASTRO_SECRET_KEY, and no file is made', () => {
    const folder = newFolder()
    const config = readConfig({ LASTRO_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') })
    for (const opened of [openSecretBox(config, folder), openSecretBox(config, undefined)]) {
      assert.equal(opened.open(box.seal(SECRET, TENANT, ROW), TENANT, ROW), SECRET)
    }
    assert.deepEqual(readdirSync(folder), [])
  })

  test('is made in the folder, of 32 bytes, for its owner alone', () => {
    const folder = newFolder()
    openSecretBox(none, folder)
    const file = join(folder, 'secret.key')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(Buffer.from(readFileSync(file, 'utf8'), 'base64').length, 32)
    assert.deepEqual(readdirSync(folder), ['secret.key'])
  })

  test('is made once, and is the same next time', () => {
    const folder = newFolder()
    const sealed = openSecretBox(none, folder).seal(SECRET, TENANT, ROW)
    const written = readFileSync(join(folder, 'secret.key'))
    assert.equal(openSecretBox(none, folder).open(sealed, TENANT, ROW), SECRET)
    assert.deepEqual(readFileSync(join(folder, 'secret.key')), written)
  })

  test('is another in another folder', () => {
    const sealed = openSecretBox(none, newFolder()).seal(SECRET, TENANT, ROW)
    assert.throws(
      () => openSecretBox(none, newFolder()).open(sealed, TENANT, ROW),
      /sealed with key/,
    )
  })

  test('is the same for all that start at once on an empty folder', async () => {
    const folders = Array.from({ length: 40 }, newFolder)
    const all = await Promise.all(startTogether(4, folders))
    for (const [n, folder] of folders.entries()) {
      const kept = openSecretBox(none, folder)
      for (const ofOne of all) assert.equal(kept.open(ofOne[n]!, TENANT, ROW), SECRET)
    }
  })

  test('is never taken from a file that holds none: a start was cut off while it was written', () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'secret.key'), '')
    let opened: SecretBox
    try {
      opened = openSecretBox(none, folder)
    } catch (error) {
      // To say so is as good as to make it anew; to start, and fail at each subscription, is not.
      assert.ok(error instanceof OperatorError)
      return
    }
    assert.equal(opened.open(opened.seal(SECRET, TENANT, ROW), TENANT, ROW), SECRET)
  })

  test('is asked of the operator where there is neither', () => {
    assert.throws(
      () => openSecretBox(none, undefined),
      (error) => error instanceof OperatorError && /LASTRO_SECRET_KEY/.test(error.message),
    )
  })
})

/** Threads that open the box of each folder at the same moment; each answers what it has sealed. */
function startTogether(count: number, folders: string[]): Promise<string[]>[] {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    const { url, folders, gate, count, tenant, row, secret } = workerData
    const arrived = new Int32Array(gate)
    import(url).then(({ openSecretBox }) => {
      const sealed = folders.map((folder, n) => {
        // Whoever comes last lets all go.
        if (Atomics.add(arrived, n, 1) === count - 1) Atomics.notify(arrived, n)
        for (let now; (now = Atomics.load(arrived, n)) < count; ) Atomics.wait(arrived, n, now)
        try {
          return openSecretBox({}, folder).seal(secret, tenant, row)
        } catch (error) {
          return String(error)
        }
      })
      parentPort.postMessage(sealed)
    })`
  const gate = new SharedArrayBuffer(4 * folders.length)
  const url = new URL('./secret-box.ts', import.meta.url).href
  const workerData = { url, folders, gate, count, tenant: TENANT, row: ROW, secret: SECRET }
  return Array.from({ length: count }, () => {
    const worker = new Worker(code, { eval: true, workerData })
    return new Promise((resolve, reject) => {
      worker.on('message', resolve)
      worker.on('error', reject)
    })
  })
}

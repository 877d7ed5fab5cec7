import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createTestDatabase } from './support/database.ts'
import {
  dataFolder,
  freePort,
  lastro,
  npmStart,
  serve,
  temporaryFolder,
} from './support/process.ts'

const database = await createTestDatabase()

/** Processes of the PostgreSQL that runs in a data folder. */
function postgresProcesses(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === join(folder, 'data')
      } catch {
        return false
      }
    })
}

function killPostgres(folder: string): void {
  for (const pid of postgresProcesses(folder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has gone with those that were killed before it.
    }
  }
}

const listNames = async (env: Record<string, string>) => {
  const { out } = await lastro(['empresas', 'list', '--json'], env)
  return (JSON.parse(out) as { nome: string }[]).map((empresa) => empresa.nome)
}

describe('a data folder', { skip: process.platform !== 'linux' }, () => {
  test('serves, stops, and starts again with what it had; nothing is left running', async () => {
    const env = { LASTRO_DATA_DIR: temporaryFolder() }
    const first = await serve(env)
    const created = await lastro(['empresas', 'create', '--nome', 'Acme', '--json'], env)
    assert.match(created.out, /^\{"id":"[0-9a-f-]{36}"\}\n$/)
    const { code, out } = await first.end()
    assert.equal(code, 0)
    assert.match(out, new RegExp(`data in ${env.LASTRO_DATA_DIR}`))
    assert.deepEqual(postgresProcesses(env.LASTRO_DATA_DIR), [])
    assert.deepEqual(await listNames(env), ['Acme'])
    assert.deepEqual(postgresProcesses(env.LASTRO_DATA_DIR), [])
  })

  test('is left with nothing running when npm, which started the service, is told to stop', async () => {
    const env = { LASTRO_DATA_DIR: await dataFolder() }
    const service = await npmStart(env)
    await service.end()
    await assert.rejects(fetch(service.url))
    assert.deepEqual(postgresProcesses(env.LASTRO_DATA_DIR), [])
  })

  test('six first starts at once make one database', async () => {
    const env = { LASTRO_DATA_DIR: temporaryFolder() }
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const outcomes = await Promise.all(
      names.map((nome) => lastro(['empresas', 'create', '--nome', nome], env)),
    )
    for (const outcome of outcomes) assert.equal(outcome.code, 0, outcome.err)
    assert.deepEqual((await listNames(env)).sort(), names)
    assert.deepEqual(postgresProcesses(env.LASTRO_DATA_DIR), [])
  })

  test('kill -9 of the service and of PostgreSQL loses no acknowledged write', async () => {
    const env = { LASTRO_DATA_DIR: await dataFolder() }
    const service = await serve(env)
    const acknowledged: string[] = []
    const writing = (async () => {
      for (let n = 0; n < 6; n++) {
        const { code } = await lastro(['empresas', 'create', '--nome', `n${n}`], env)
        if (code === 0) acknowledged.push(`n${n}`)
        if (n === 2) killPostgres(env.LASTRO_DATA_DIR)
        if (n === 3) await service.end('SIGKILL')
      }
    })()
    await writing
    assert.ok(acknowledged.length >= 3)
    const again = await serve(env)
    const stored = await listNames(env)
    for (const name of acknowledged) assert.ok(stored.includes(name), name)
    await again.end()
    assert.deepEqual(postgresProcesses(env.LASTRO_DATA_DIR), [])
  })

  test('the service starts its PostgreSQL again when that dies, and says 503 meanwhile', async () => {
    const env = { LASTRO_DATA_DIR: await dataFolder() }
    const service = await serve(env)
    killPostgres(env.LASTRO_DATA_DIR)
    const seen = new Set<number>()
    for (let n = 0; n < 500 && !(seen.has(200) && seen.has(503)); n++) {
      const response = await fetch(`${service.url}/readyz`)
      if (response.status === 503) assert.ok(response.headers.get('retry-after'))
      seen.add(response.status)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    assert.deepEqual([...seen].sort(), [200, 503])
    const { code } = await service.end()
    assert.equal(code, 0)
    assert.deepEqual(postgresProcesses(env.LASTRO_DATA_DIR), [])
  })

  test('a second service on it says so in one sentence', async () => {
    const env = { LASTRO_DATA_DIR: await dataFolder() }
    const first = await serve(env)
    const second = await lastro(['serve'], { ...env, PORT: String(await freePort()) })
    assert.equal(second.code, 1)
    assert.match(
      second.err,
      /^Another `lastro serve` is already running on the data folder \S+\.\n$/,
    )
    assert.equal((await fetch(`${first.url}/readyz`)).status, 200)
    await first.end()
  })

  test('works where its path is too long for a socket, and holds a space', async () => {
    const path = join(temporaryFolder(), 'a folder', 'with-a-rather-long-name-'.repeat(4))
    const { code, err } = await lastro(['empresas', 'list'], { LASTRO_DATA_DIR: path })
    assert.equal(code, 0, err)
  })
})

describe('one clear sentence, exit code 1, no stack trace', () => {
  const refused = async (args: string[], env: Record<string, string>, sentence: RegExp) => {
    const { code, err } = await lastro(args, env)
    assert.equal(code, 1, err)
    assert.match(err, sentence)
    assert.equal(err.trim().split('\n').length, 1, err)
  }

  test('port taken', async () => {
    const squatter = createServer().listen(0, 'localhost')
    await new Promise((resolve) => squatter.once('listening', resolve))
    const { port } = squatter.address() as { port: number }
    const env = { LASTRO_DATA_DIR: await dataFolder(), PORT: String(port) }
    await refused(['serve'], env, /^Port \d+ is taken/)
    assert.deepEqual(postgresProcesses(env.LASTRO_DATA_DIR), [])
    squatter.close()
  })

  test('data folder that cannot be written', async () => {
    // Not even root can make a folder here.
    const env = { LASTRO_DATA_DIR: '/proc/lastro' }
    await refused(['serve'], env, /^The data folder \/proc\/lastro cannot be written/)
  })

  test('data folder of another user', { skip: process.getuid?.() !== 0 }, async () => {
    const path = join(temporaryFolder(), 'theirs')
    mkdirSync(path)
    chownSync(path, 65_534, 65_534)
    await refused(['serve'], { LASTRO_DATA_DIR: path }, /belongs to another user \(uid 65534\)/)
  })

  test('data folder out of reach of the server', { skip: process.getuid?.() !== 0 }, async () => {
    const closed = join(temporaryFolder(), 'closed')
    mkdirSync(closed)
    chmodSync(closed, 0o700)
    await refused(['serve'], { LASTRO_DATA_DIR: join(closed, 'data') }, /may not enter/)
  })

  test('DATABASE_URL that nothing answers, and of a database that is not there', async () => {
    const nobody = `postgresql://lastro:canary@localhost:${await freePort()}/lastro`
    await refused(
      ['serve'],
      { DATABASE_URL: nobody },
      /DATABASE_URL cannot be used: nothing accepts/,
    )
    const absent = new URL(process.env.LASTRO_TEST_URL!)
    absent.pathname = '/absent'
    await refused(['serve'], { DATABASE_URL: absent.href }, /DATABASE_URL cannot be used: .*absent/)
  })

  test('DATABASE_URL without LASTRO_SECRET_KEY', async () => {
    const env = { DATABASE_URL: database.databaseUrl, LASTRO_SECRET_KEY: '' }
    await refused(['serve'], env, /^LASTRO_SECRET_KEY is needed with DATABASE_URL/)
  })

  test('a company that is not there', async () => {
    const env = { DATABASE_URL: database.databaseUrl }
    await refused(['empresas', 'set-modulos', 'x', '--modulos', 'none'], env, /no company x/)
  })
})

test('a stop ends within its limit though a caller never finishes its request', async () => {
  const service = await serve({ DATABASE_URL: database.databaseUrl })
  const { hostname, port } = new URL(service.url)
  const caller = connect(Number(port), hostname).on('error', () => {})
  await new Promise((resolve) => caller.write('POST /healthz HTTP/1.1\r\nHost: x\r\n', resolve))
  const { code } = await service.end()
  assert.equal(code, 0)
  caller.destroy()
})

test('every command explains itself', async () => {
  const commands = ['', 'serve', 'worker', 'migrate', 'empresas', 'empresas create', 'chaves']
  const more = [
    'chaves create',
    'totais verify',
    'provedor connect',
    'cobrancas pay',
    'webhooks listen',
  ]
  for (const command of [...commands, ...more]) {
    const { code, out } = await lastro([...command.split(' ').filter(Boolean), '--help'], {})
    assert.equal(code, 0)
    assert.match(out, /^Usage: lastro/)
  }
})

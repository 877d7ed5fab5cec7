import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfig } from './config.ts'

test('an empty environment is a valid one', () => {
  const config = readConfig({})
  assert.equal(config.port, 3000)
  assert.equal(config.host, 'localhost')
  assert.equal(config.publicUrl, 'http://localhost:3000')
  assert.equal(config.rateLimitPerMinute, 60)
  assert.equal(config.demo, true)
  assert.equal(config.trustProxy, false)
  assert.equal(config.databaseUrl, undefined)
})

test('every value is read', () => {
  const url = 'postgresql://u:p@db:5432/lastro'
  const config = readConfig({
    PORT: '8080',
    HOST: '0.0.0.0',
    DATABASE_URL: url,
    LASTRO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    LASTRO_DEMO: 'off',
    LOG_LEVEL: 'debug',
    RATE_LIMIT_PER_MINUTE: '600',
    PUBLIC_URL: 'https://api.example.com/',
    TRUST_PROXY: '10.0.0.0/8, ::1',
  })
  assert.equal(config.databaseUrl, url)
  assert.equal(config.databaseDirectUrl, url)
  assert.equal(config.secretKey?.length, 32)
  assert.equal(config.demo, false)
  assert.equal(config.publicUrl, 'https://api.example.com')
  assert.deepEqual(config.trustProxy, ['10.0.0.0/8', '::1'])
  assert.equal(readConfig({ TRUST_PROXY: '2' }).trustProxy, 2)
})

test('every fault is named at once, and no secret is repeated', () => {
  const faulty = {
    PORT: '70000',
    DATABASE_URL: 'mysql://root:s3cr3t-canary@db/x',
    DATABASE_DIRECT_URL: 'nonsense',
    LASTRO_DATA_DIR: 'relative/$HOME',
    LASTRO_SECRET_KEY: 'short-canary',
    LASTRO_DEMO: 'yes',
    LOG_LEVEL: 'loud',
    RATE_LIMIT_PER_MINUTE: '0',
    PUBLIC_URL: 'api.example.com',
    TRUST_PROXY: '10.0.0.0/99',
  }
  assert.throws(
    () => readConfig(faulty),
    ({ message }: Error) => {
      for (const name of Object.keys(faulty)) assert.match(message, new RegExp(`- ${name} `))
      assert.doesNotMatch(message, /canary/)
      return true
    },
  )
})

test('.env.example documents every variable that is read', () => {
  const source = readFileSync(new URL('./config.ts', import.meta.url), 'utf8')
  const read = [...source.matchAll(/read(?:<[^(]*>)?\('([A-Z_]+)'/g)].map((match) => match[1])
  const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
  const documented = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1])
  assert.ok(read.length >= 11)
  assert.deepEqual(documented.sort(), read.sort())
})

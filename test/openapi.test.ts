import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { makers } from './support/makers.ts'
import { type Caller, startService } from './support/service.ts'

const service = await startService()
const { contract } = service
const PUBLISHED = new URL('../docs/openapi.json', import.meta.url)

test('the contract changes only on purpose', () => {
  const now = `${JSON.stringify(contract.document, null, 2)}\n`
  if (process.env.UPDATE_OPENAPI) writeFileSync(PUBLISHED, now)
  assert.equal(
    now,
    readFileSync(PUBLISHED, 'utf8'),
    'The API differs from docs/openapi.json. If it should: UPDATE_OPENAPI=1 npm test -- openapi',
  )
})

test('the document is OpenAPI 3.1, and every reference in it leads somewhere', () => {
  assert.equal(contract.document.openapi, '3.1.0')
  const text = JSON.stringify(contract.document)
  for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
    assert.ok(contract.document.components.schemas[name], name)
  }
})

describe('every operation', () => {
  for (const { method, path, scope, spec } of contract.operations) {
    test(`${method} ${path} says what it does, needs, answers and refuses`, () => {
      assert.ok(spec.summary)
      assert.match(spec.description!, new RegExp(`Escopo: \`${scope}\``))
      for (const status of ['400', '401', '403', '429', '500', '503']) {
        assert.ok(spec.responses[status], status)
      }
      for (const parameter of spec.parameters ?? []) {
        if (parameter.in === 'query') assert.ok(examplesOf(parameter).length > 0, parameter.name)
      }
      if (spec.requestBody) assert.ok(bodyExamples(spec.requestBody).length > 0)
    })
  }
})

describe('every example is accepted by the running service', () => {
  for (const { method, path, spec } of contract.operations) {
    // What lies below a resource of a resource is tried in its own tests.
    if (path.split('{').length > 2) continue
    for (const [n, body] of (spec.requestBody ? bodyExamples(spec.requestBody) : []).entries()) {
      test(`${method} ${path}, example ${n + 1}`, async () => {
        const caller = await service.caller()
        const url = await addressOf(path, caller)
        const { status, body: answer } = await caller.call(method, url, { body })
        assert.ok(status === 200 || status === 201, JSON.stringify(answer))
      })
    }
    for (const parameter of spec.parameters ?? []) {
      if (parameter.in !== 'query') continue
      test(`${method} ${path}?${parameter.name}`, async () => {
        const caller = await service.caller()
        const url = await addressOf(path, caller)
        for (const example of examplesOf(parameter)) {
          const query = new URLSearchParams({ [parameter.name]: String(example) })
          const { status } = await caller.call(method, `${url}?${query}`)
          assert.equal(status, 200)
        }
      })
    }
  }
})

test('there is a webhook for each of the 22 kinds of event, with an example that fits it', () => {
  const kinds = Object.entries(contract.document.webhooks)
  assert.equal(kinds.length, 22)
  for (const [kind, { post }] of kinds) {
    const { example } = post.requestBody.content['application/json']!
    assert.equal((example as { event: string }).event, kind)
    contract.checkEvent(example as { event: string })
  }
})

test('the reference at /docs loads nothing from elsewhere', async () => {
  const page = await (await fetch(`${service.url}/docs/`)).text()
  assert.match(page, /Lastro: referência da API/)
  const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!)
  assert.ok(loaded.length > 0)
  for (const address of loaded) assert.doesNotMatch(address, /^(https?:)?\/\//)
  const script = await fetch(
    new URL(loaded.find((address) => address.endsWith('.js'))!, `${service.url}/docs/`),
  )
  assert.equal(script.status, 200)
})

/** A path with the id of something that the caller has just made. */
async function addressOf(path: string, caller: Caller): Promise<string> {
  const id = path.includes('{') ? await makers[path.split('/')[3]!]!(caller) : ''
  return path.replace('/api/v1', '').replace(/\{\w+\}/g, id)
}

function bodyExamples(requestBody: { content: Record<string, object> }): unknown[] {
  return examplesOf(requestBody.content['application/json']!)
}

function examplesOf(media: {
  example?: unknown
  examples?: Record<string, { value: unknown }>
  schema?: object
}): unknown[] {
  if (media.example !== undefined) return [media.example]
  return Object.values(media.examples ?? {}).map(({ value }) => value)
}

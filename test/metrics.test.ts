import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createTestDatabase } from './support/database.ts'
import { freePort, lastro, serve, start } from './support/process.ts'

const { databaseUrl: DATABASE_URL } = await createTestDatabase()

/** The metrics of a process that is still starting, or has them. */
async function metricsOf(port: number): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    } catch (error) {
      if (tries === 500) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

test('`serve` and `worker` each have their own, on loopback alone', async () => {
  const [ofService, ofWorker] = [await freePort(), await freePort()]
  const service = await serve({ DATABASE_URL, METRICS_PORT: String(ofService) })
  assert.match(
    await metricsOf(ofService),
    /requests_total\{method="GET",route="\/healthz",.*\} 1\n/,
  )
  const worker = start(['worker'], { DATABASE_URL, METRICS_PORT: String(ofWorker) })
  const ended = worker.done.then(({ err }) => assert.fail(err))
  const text = await Promise.race([metricsOf(ofWorker), ended])
  ended.catch(() => {})
  assert.match(text, /^lastro_database_up 1$/m)
  assert.match(text, /^lastro_webhook_attempts_total\{outcome="delivered",error="none"\} 0$/m)
  assert.doesNotMatch(text, /http_requests_total/)
  await assert.rejects(fetch(`http://[::1]:${ofService}/metrics`))
  // Those of the API's own port are not there.
  assert.equal((await fetch(`${service.url}/metrics`)).status, 404)
  worker.child.kill()
  assert.equal((await worker.done).code, 0)
  assert.equal((await service.end()).code, 0)
})

test('a port that is taken is told in one sentence', async () => {
  const port = await freePort()
  const squatter = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => squatter.once('listening', resolve))
  const { code, err } = await lastro(['worker'], { DATABASE_URL, METRICS_PORT: String(port) })
  assert.equal(code, 1)
  assert.equal(err, `Port ${port} is taken; stop what uses it or set METRICS_PORT to another.\n`)
  squatter.close()
})

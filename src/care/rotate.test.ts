import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startWorker, subscribe } from '../../test/support/delivery.ts'
import { createLancamento } from '../../test/support/lancamento.ts'
import { dataFolder, lastro, serve, temporaryFolder } from '../../test/support/process.ts'
import { isGenuine, startReceiver } from '../../test/support/receiver.ts'
import { startService } from '../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { beginRotation, findSecretBox, openSecretBox, SecretBox } from '../secret-box.ts'
import { rotateSecrets } from './rotate.ts'
import { sealedSecrets, tryOpen } from './sealed.ts'

const key = (n: number) => Buffer.alloc(32, n).toString('base64')

test('after a rotation deliveries are signed as before, and the old key is not needed', async () => {
  const service = await startService()
  const env = { DATABASE_URL: service.databaseUrl }
  const caller = await service.caller()
  const receiver = await startReceiver()
  const { id } = await subscribe(caller, receiver.url)
  const { status, body } = await caller.post(`/webhooks/${id}/rotate-secret`, {})
  assert.equal(status, 200)
  const care = service.db.system('lastro_care')
  const [conta] = await care.query<{ id: string }>('select id from provedor_contas')
  await care.query('update provedor_contas set api_key = $1', [
    service.secrets.seal('aact_1', caller.empresa, conta!.id),
  ])

  const args = ['secrets', 'rotate', '--json']
  const keys = { LASTRO_SECRET_KEY: key(2), LASTRO_SECRET_KEY_PREVIOUS: key(1) }
  const rotated = await lastro(args, { ...env, ...keys })
  assert.equal(rotated.code, 0, rotated.err)
  const box = new SecretBox(Buffer.alloc(32, 2))
  assert.deepEqual(JSON.parse(rotated.out), { key: box.keyId, resealed: 3, unopened: 0 })
  const again = await lastro(args, { ...env, LASTRO_SECRET_KEY: key(2) })
  assert.deepEqual(JSON.parse(again.out), { key: box.keyId, resealed: 0, unopened: 0 })

  startWorker({ ...service, secrets: box })
  await createLancamento(caller)
  const [received] = await receiver.until(1)
  assert.ok(isGenuine(received!, body.secret, Date.now()))
})

test('with neither key it changes nothing, and says how many it could not open', async () => {
  const service = await startService()
  await subscribe(await service.caller(), 'https://receiver.example/hook')
  const before = await sealedSecrets(service.db.system('lastro_care'))
  const env = { DATABASE_URL: service.databaseUrl, LASTRO_SECRET_KEY: key(9) }
  const { code, out } = await lastro(['secrets', 'rotate'], env)
  assert.equal(code, 1)
  assert.match(out, /1 could not be opened/)
  assert.deepEqual(await sealedSecrets(service.db.system('lastro_care')), before)
})

test('in a data folder a new key is made, and a rotation that was interrupted goes on', async () => {
  const service = await startService()
  const config = readConfig({})
  const folder = temporaryFolder()
  const old = openSecretBox(config, folder)
  const [tenant, id] = [crypto.randomUUID(), crypto.randomUUID()]
  const care = service.db.system('lastro_care')
  await care.query(
    `insert into webhooks (tenant_id, id, url, events, secret)
     values ($1, $2, 'https://x.example', '{lancamento.created}', $3)`,
    [tenant, id, old.seal('whsec_1', tenant, id)],
  )
  // Ended after the old key was put aside, and again after the new one was made.
  renameSync(join(folder, 'secret.key'), join(folder, 'secret.key.previous'))
  writeFileSync(join(folder, 'secret.key'), readFileSync(join(folder, 'secret.key.previous')))
  beginRotation(folder)
  const made = findSecretBox(config, folder)!
  assert.deepEqual(made.keyIds.slice(1), [old.keyId])
  const [sealed] = await sealedSecrets(care)
  assert.equal(tryOpen(made, sealed!), 'whsec_1')

  const rotation = await rotateSecrets(service.db, config, folder)
  assert.deepEqual(rotation, {
    key: made.keyId,
    resealed: 1,
    unopened: 0,
    oldKeyFile: join(folder, `secret.key.${old.keyId}`),
  })
  assert.deepEqual(readdirSync(folder).sort(), ['secret.key', `secret.key.${old.keyId}`])
  const [anew] = await sealedSecrets(care)
  assert.deepEqual(findSecretBox(config, folder)!.keyIds, [made.keyId])
  assert.equal(tryOpen(findSecretBox(config, folder)!, anew!), 'whsec_1')
  assert.notEqual((await rotateSecrets(service.db, config, folder)).key, made.keyId)
})

test('a running service of a data folder is asked to stop first', async () => {
  const env = { LASTRO_DATA_DIR: await dataFolder(), LASTRO_SECRET_KEY: '' }
  const running = await serve(env)
  const refused = await lastro(['secrets', 'rotate'], env)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /^Another `lastro serve` is already running/)
  assert.ok(!existsSync(join(env.LASTRO_DATA_DIR, 'secret.key.previous')))
  await running.end()
  const { code, out, err } = await lastro(['secrets', 'rotate'], env)
  assert.equal(code, 0, err)
  assert.match(out, /^Sealed 0 secrets anew.*\nThe old key is kept as /)
})
